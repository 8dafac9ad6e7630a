package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.terminal.Terminal;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resources;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "logs",
    description = "Prints what a pod's containers have printed since they last started.",
    footer = {"", "Example:", "  berth logs first-volume"})
final class Logs implements Callable<Integer> {
  @Mixin private HomeOption home = new HomeOption();

  @Parameters(paramLabel = "POD", description = "Name of the pod, or pod/NAME.")
  private String pod = "";

  @Option(
      names = {"-n", "--namespace"},
      description = "Default: ${DEFAULT-VALUE}.")
  private String namespace = "default";

  @Override
  public Integer call() {
    var terminal = Terminal.standard();
    var name = pod.startsWith("pod/") ? pod.substring(4) : pod;
    try (var api = Session.open(home.home())) {
      PodLog.print(
          home.home(), api.get(Resources.PODS, ObjectKey.of(namespace, name)), terminal::line);
      return 0;
    } catch (ApiException missing) {
      if (!missing.isNotFound()) throw missing;
      throw new Problem(String.valueOf(missing.getMessage()));
    }
  }
}
