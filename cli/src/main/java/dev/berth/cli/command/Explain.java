package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.drives.Rack;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.session.AskedCluster;
import dev.berth.cli.session.Names;
import dev.berth.cli.session.Vigil;
import dev.berth.cli.terminal.Terminal;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.explain.DriverReport;
import dev.berth.explain.Explainer;
import dev.berth.explain.Reading;
import dev.berth.explain.Survey;
import dev.berth.explain.Timeline;
import dev.berth.explain.answer.ChainJson;
import dev.berth.explain.answer.ChainText;
import dev.berth.explain.answer.Explanation;
import dev.berth.explain.answer.Gap;
import dev.berth.explain.voice.Voices;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
      "  berth explain pod/web-0 -n shop --kubeconfig ~/.kube/config",
      "  berth explain --all -n shop",
      "  berth explain driver/disk.berth.dev",
      "  berth explain drive/HDD0001",
      "  berth explain pod/web-0 --watch"
    })
final class Explain implements Callable<Integer> {
  private static final int NO_SUCH_OBJECT = 2;
  private static final int UNREADABLE = 3;
  private static final int FORBIDDEN = 403;

  /// Also as `kubectl get -o name` prints it.
  private static final Pattern DRIVER =
      Pattern.compile("(driver|csidrivers?(\\.(v1\\.)?storage\\.k8s\\.io)?)/");

  /// What [Rack] reads: whoever may not list one of them would be sent back for the next.
  private static final List<Resource> RACK =
      List.of(BareMetalKinds.DRIVES, BareMetalKinds.VOLUMES, BareMetalKinds.NODE.resource());

  /// Whose controllers make and delete pods, and do not wait for one before the next.
  private static final Set<Resource> KEEP_PODS =
      Set.of(Resources.DEPLOYMENTS, Resources.REPLICA_SETS, Resources.DAEMON_SETS, Resources.JOBS);

  @Mixin private AskedCluster cluster = new AskedCluster();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(
      paramLabel = "KIND/NAME",
      arity = "0..2",
      description =
          "Such as pod/web-0, pvc/data, pv/pvc-1, va/csi-1, node/node-1, drive/HDD0001; or in two"
              + " words.")
  private List<String> subject = List.of();

  @Option(
      names = {"-n", "--namespace"},
      description = "Default: that of the kubeconfig's context, or default.")
  private String namespace = "";

  @Option(
      names = "--all",
      description = "Everything that is stuck in the namespace; equal causes are told once.")
  private boolean all;

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Everything that is stuck anywhere.")
  private boolean everywhere;

  @Option(
      names = {"-w", "--watch"},
      description = "Go on, and tell each change, until nothing waits.")
  private boolean watch;

  @Option(
      names = "--timeline",
      description = "What a pod or claim has gone through, too, and how long each step took.")
  private boolean timeline;

  @Override
  public Integer call() throws InterruptedException {
    boolean many = all || everywhere;
    if (many == !subject.isEmpty())
      throw new Problem("name an object, or ask for --all: berth explain pod/web-0");
    if (many && watch) throw new Problem("--watch is for one object");
    if (many && timeline) throw new Problem("--timeline is for one object");
    if (watch && driver().isPresent())
      throw new Problem("--watch is for what waits, not for a driver as a whole");
    if (!many && driver().isEmpty())
      ref(namespace); // what is typed wrongly is said before anybody is asked
    try (var session = cluster.open()) {
      return asked(session, many);
    }
  }

  private int asked(AskedCluster.Asked session, boolean many) throws InterruptedException {
    var home = namespace.isEmpty() ? session.namespace() : namespace;
    try {
      if (many) return survey(session, home);
      if (driver().isPresent()) return driver(session, home, driver().get());
      return watch ? watched(session, home) : once(session, home);
    } catch (ApiException.Unreachable away) {
      if (session.home().isPresent()) throw away; // then it is told how a stack is started
      throw new Problem("the API server cannot be reached: " + away.getMessage());
    }
  }

  private int once(AskedCluster.Asked session, String home) {
    var ref = meant(session, ref(home));
    look(session, ref);
    var objects = new Reading(session.api(), home);
    var explanation = new Explainer(objects).explain(ref, session.client().now());
    tell(session, explanation, objects);
    return explanation.verdict().exitCode();
  }

  /// XPL-04: what has not changed is not told again.
  private int watched(AskedCluster.Asked session, String home) throws InterruptedException {
    var ref = meant(session, ref(home));
    var told = "";
    try (var vigil = new Vigil(session.api())) {
      while (true) {
        look(session, ref);
        var objects = new Reading(session.api(), home);
        var explanation = new Explainer(objects).explain(ref, session.client().now());
        var now = ChainJson.of(explanation).toString(); // without ages
        if (!now.equals(told)) tell(session, explanation, objects);
        told = now;
        if (explanation.verdict() == Explanation.Verdict.CLEAR) return 0;
        if (!vigil.follow(explanation)) vigil.await();
      }
    }
  }

  private int survey(AskedCluster.Asked session, String home) {
    var objects = new Reading(session.api(), home).ofMany();
    var now = session.client().now();
    var survey = Survey.of(new Explainer(objects), objects, objects, everywhere ? "" : home, now);
    var terminal = Terminal.standard();
    if (output.whole()) terminal.line(output.write(session.typed(survey.json(objects.sight()))));
    else survey.lines(now).forEach(line -> terminal.line(session.typed(line)));
    return survey.verdict().exitCode();
  }

  /// Named by `driver/NAME`, whether it is there or not; empty: something else is asked about.
  private Optional<String> driver() {
    var words = String.join("/", subject);
    return Optional.of(words)
        .filter(it -> DRIVER.matcher(it).lookingAt())
        .map(it -> it.substring(it.indexOf('/') + 1));
  }

  private int driver(AskedCluster.Asked session, String home, String name) {
    var objects = new Reading(session.api(), home);
    var report = DriverReport.of(name, objects, objects, session.client().now());
    if (!report.named()) throw unnamed(session, name, report.gaps());
    var terminal = Terminal.standard();
    if (output.whole()) terminal.line(output.write(session.typed(report.json())));
    else report.lines().forEach(line -> terminal.line(session.typed(line)));
    return report.verdict().exitCode();
  }

  private static Problem unnamed(AskedCluster.Asked session, String driver, List<Gap> missed) {
    var hidden = missed.stream().filter(Gap::matters).toList();
    var what =
        "there is no driver %s: no CSIDriver, CSINode, storage class or volume names it"
            .formatted(driver);
    if (hidden.isEmpty()) return new Problem(what, NO_SUCH_OBJECT);
    return new Problem(
        what
            + " of those that may be read; to be given the right: "
            + session.typed(Gap.remedy(hidden)),
        UNREADABLE);
  }

  private void tell(AskedCluster.Asked session, Explanation explanation, Reading objects) {
    var terminal = Terminal.standard();
    if (output.whole()) {
      var json = ChainJson.of(explanation, objects.sight());
      if (timeline) json.set("timeline", Timeline.of(explanation.subject(), objects).json());
      terminal.line(output.write(session.typed(json)));
      return;
    }
    ChainText.lines(explanation, explanation.at())
        .forEach(line -> terminal.line(session.typed(line)));
    if (timeline) Timeline.of(explanation.subject(), objects).lines().forEach(terminal::line);
  }

  /// People call a drive by its serial number, its object has another name.
  private static Ref meant(AskedCluster.Asked session, Ref ref) {
    if (!ref.resource().equals(BareMetalKinds.DRIVES)) return ref;
    try {
      return Rack.read(session.api()).named(ref.key().name()).ref();
    } catch (ApiException refused) {
      if (refused.code() != FORBIDDEN) throw refused;
      throw unreadable(session, refused, RACK);
    }
  }

  private static void look(AskedCluster.Asked session, Ref ref) {
    try {
      session.api().get(ref.resource(), ref.key());
    } catch (ApiException refused) {
      if (refused.isNotFound())
        throw new Problem(
            refused.saysGone(ref.resource(), ref.key())
                ? refused.getMessage()
                : "there is no %s: this cluster does not have %s"
                    .formatted(ref, ref.resource().groupResource()),
            NO_SUCH_OBJECT);
      if (refused.code() != FORBIDDEN) throw refused;
      throw unreadable(session, refused, List.of(ref.resource()));
    }
  }

  private static Problem unreadable(
      AskedCluster.Asked session, ApiException refused, List<Resource> wanted) {
    var gaps =
        wanted.stream()
            .map(resource -> new Gap(resource, Gap.Extent.WANTED, refused.getMessage()))
            .toList();
    return new Problem(
        refused.getMessage() + "; to be given the right: " + session.typed(Gap.remedy(gaps)),
        UNREADABLE);
  }

  /// XPL-04: 2 is kept for an object that does not exist.
  private Ref ref(String home) {
    try {
      if (subject.size() > (subject.getFirst().contains("/") ? 1 : 2))
        throw new Problem("one object at a time, not " + String.join(" ", subject));
      var words = String.join("/", subject);
      var kind = words.substring(0, Math.max(0, words.indexOf('/')));
      var ofDrives = BareMetalKinds.named(kind);
      if (ofDrives.isPresent())
        return Ref.of(
            ofDrives.get(), Names.key(ofDrives.get(), home, words.substring(kind.length() + 1)));
      if (!kind.isEmpty() && Names.find(kind).isEmpty())
        throw new Problem("no kind \"%s\"; %s".formatted(kind, taken()));
      var ref = Names.ref(words, home);
      if (Voices.SUBJECTS.contains(ref.resource())) return ref;
      if (KEEP_PODS.contains(ref.resource()))
        throw new Problem(
            "what keeps a %s waits for nobody, its pods do: berth explain --all finds those that are stuck; %s"
                .formatted(ref.resource().kind(), taken()));
      throw new Problem(
          "nothing is decided over a %s that it could wait for; %s"
              .formatted(ref.resource().kind(), taken()));
    } catch (Problem wrong) {
      throw new Problem(String.valueOf(wrong.getMessage()), 1);
    }
  }

  private static String taken() {
    return Stream.concat(Voices.SUBJECTS.stream().map(Resource::plural), Stream.of("driver"))
        .collect(Collectors.joining(", ", "berth explain takes ", ""));
  }
}
