package dev.berth.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.Problem;
import dev.berth.cli.option.HomeOption;
import dev.berth.cli.session.Names;
import dev.berth.cli.session.PodLog;
import dev.berth.cli.session.Session;
import dev.berth.cli.terminal.Terminal;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "logs",
    description = "Prints what a pod's containers have printed since they last started.",
    footer = {
      "",
      "Examples:",
      "  berth logs first-volume",
      "  berth logs --follow --tail 10 --container app web-0"
    })
final class Logs implements Callable<Integer> {
  @Mixin private HomeOption home = new HomeOption();

  @Parameters(paramLabel = "POD", description = "Name of the pod, or pod/NAME.")
  private String pod = "";

  @Option(
      names = {"-n", "--namespace"},
      description = "Default: ${DEFAULT-VALUE}.")
  private String namespace = "default";

  @Option(
      names = {"-c", "--container"},
      description = "One container; default: all that have run, one after another.")
  private String container = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Go on as the container writes, until it ends.")
  private boolean follow;

  @Option(names = "--tail", paramLabel = "LINES", description = "The last lines only.")
  private long tail = -1;

  @Override
  public Integer call() {
    var terminal = Terminal.standard();
    var key = key();
    if (tail < -1)
      throw new Problem("--tail %d: give a number of lines, or -1 for all".formatted(tail), 2);
    var lines = tail < 0 ? OptionalLong.empty() : OptionalLong.of(tail);
    try (var api = Session.open(home.home())) {
      var containers = containers(api.get(Resources.PODS, key));
      PodLog.print(PodLog.of(api, follow, lines), key, containers, terminal::line);
      return 0;
    } catch (ApiException refused) {
      throw new Problem(String.valueOf(refused.getMessage()));
    }
  }

  private ObjectKey key() {
    var ref = Names.ref(pod.contains("/") ? pod : "pod/" + pod, namespace);
    if (!ref.resource().equals(Resources.PODS))
      throw new Problem("only pods have logs, not " + ref, 2);
    return ref.key();
  }

  private List<String> containers(ObjectNode object) {
    var title = "pod/" + Json.text(object.path("metadata"), "name");
    if (Json.text(object.path("spec"), "nodeName").isEmpty())
      throw new Problem(
          "%s has no node yet; see why: %s"
              .formatted(title, Session.explain(home.home(), Ref.of(Resources.PODS, key()))));
    if (!container.isEmpty()) return List.of(container);
    var started = PodLog.started(object);
    var all = new ArrayList<String>();
    object.path("spec").path("containers").forEach(it -> all.add(Json.text(it, "name")));
    if (follow && all.size() > 1)
      throw new Problem(
          "%s has several containers: follow one of them, --container %s"
              .formatted(title, String.join(" or ", all)));
    return started.isEmpty() ? all : started; // the server tells why there is nothing yet
  }
}
