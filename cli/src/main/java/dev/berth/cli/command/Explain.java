package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.terminal.Terminal;
import dev.berth.explain.ChainText;
import dev.berth.explain.Explainer;
import dev.berth.explain.Gap;
import dev.berth.explain.Reading;
import dev.berth.explain.Voices;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "explain",
    description = {
      "Says why a pod, claim, volume, attachment or node is stuck: who waits for what, and what"
          + " to do.",
      "It only reads, of this machine's stack or of any Kubernetes cluster."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing waits",
      "10:it waits, and goes on by itself",
      "11:it may go on by itself, and should have by now",
      "12:it waits for somebody's act",
      "13:as 12, and data is at stake: make the check first",
      "2:there is no such object",
      "3:what has to be read for it may not be",
      "1:the server cannot be asked, or not so"
    },
    exitCodeOnInvalidInput = 1,
    footer = {
      "",
      "Examples:",
      "  berth explain pod/web-0",
      "  berth explain pvc/data -o json",
      "  berth explain pod/web-0 -n shop --kubeconfig ~/.kube/config"
    })
final class Explain implements Callable<Integer> {
  private static final int NO_SUCH_OBJECT = 2;
  private static final int UNREADABLE = 3;

  @Mixin private AskedCluster cluster = new AskedCluster();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(
      paramLabel = "KIND/NAME",
      arity = "1..2",
      description =
          "Such as pod/web-0, pvc/data, pv/pvc-1, va/csi-1, node/node-1; or in two words.")
  private List<String> subject = List.of();

  @Option(
      names = {"-n", "--namespace"},
      description = "Default: that of the kubeconfig's context, or default.")
  private String namespace = "";

  @Override
  public Integer call() {
    var terminal = Terminal.standard();
    ref(namespace); // what is typed wrongly is said before anybody is asked
    try (var session = cluster.open()) {
      var home = namespace.isEmpty() ? session.namespace() : namespace;
      var ref = ref(home);
      look(session.api(), ref);
      var explanation = new Explainer(new Reading(session.api(), home)).explain(ref, Instant.now());
      if (output.whole()) terminal.line(output.write(ChainText.json(explanation)));
      else
        ChainText.lines(explanation, explanation.at())
            .forEach(line -> terminal.line(session.typed(line)));
      return explanation.verdict().exitCode();
    }
  }

  private static void look(Api api, Ref ref) {
    try {
      api.get(ref.resource(), ref.key());
    } catch (ApiException refused) {
      if (refused.isNotFound()) throw new Problem(refused.getMessage(), NO_SUCH_OBJECT);
      if (refused.code() != 403) throw refused;
      var gap = new Gap(ref.resource(), Gap.Extent.WANTED, refused.getMessage());
      throw new Problem(
          refused.getMessage() + "; to be given the right: " + Gap.remedy(List.of(gap)),
          UNREADABLE);
    }
  }

  /// XPL-04: 2 is kept for an object that does not exist.
  private Ref ref(String home) {
    try {
      if (subject.size() > (subject.getFirst().contains("/") ? 1 : 2))
        throw new Problem("one object at a time, not " + String.join(" ", subject));
      var ref = Names.ref(String.join("/", subject), home);
      if (Voices.SUBJECTS.contains(ref.resource())) return ref;
      throw new Problem(
          "nothing is decided over a %s that it could wait for; berth explain takes %s"
              .formatted(
                  ref.resource().kind(),
                  Voices.SUBJECTS.stream()
                      .map(Resource::plural)
                      .collect(Collectors.joining(", "))));
    } catch (Problem wrong) {
      throw new Problem(String.valueOf(wrong.getMessage()), 1);
    }
  }
}
