package dev.berth.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.cli.journey.Edge;
import dev.berth.cli.journey.Journey;
import dev.berth.cli.journey.Watching;
import dev.berth.cli.manifest.Manifest;
import dev.berth.cli.option.FileOption;
import dev.berth.cli.option.HomeOption;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.option.StackOption;
import dev.berth.cli.session.Applying;
import dev.berth.cli.session.Gone;
import dev.berth.cli.session.PodLog;
import dev.berth.cli.session.Session;
import dev.berth.cli.session.Stuck;
import dev.berth.cli.stack.Stack;
import dev.berth.cli.terminal.Terminal;
import dev.berth.explain.answer.ChainJson;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "run",
    description =
        "Applies manifests, shows the life of their claims and pods until all pods have ended, and"
            + " prints what they logged. Starts a stack for it if none is up, and stops that one"
            + " again; claims and data stay.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all pods succeeded", "N:the first failed container's", "1:it could not run"},
    footer = {"", "Example:", "  berth run examples/first-volume.yaml"})
final class Run implements Callable<Integer> {
  private static final Duration REPLACED = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Mixin private HomeOption home = new HomeOption();
  @Mixin private StackOption stackOption = new StackOption();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Files of manifests; - is standard input.")
  private List<String> files = List.of();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "For objects that name none; default: ${DEFAULT-VALUE}.")
  private String namespace = "default";

  private final Terminal terminal = Terminal.standard();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if ((output.whole() && !output.json()) || output.wide())
      throw new Problem("berth run prints text or json", 2);
    var manifests = FileOption.manifests(files, namespace);
    if (home.home().running().isPresent()) {
      if (stackOption.given())
        throw new Problem(
            "a stack is up in %s, and keeps its nodes, port and drivers; leave those options out, or"
                    .formatted(home.home().folder())
                + " stop it first: berth down"
                + Session.also(home.home()),
            2);
      try (var api = Session.open(home.home())) {
        say("using the stack that is up in " + home.home().folder());
        return run(api, PodLog.of(api, false, OptionalLong.empty()), manifests, false);
      }
    }
    long begun = System.nanoTime();
    try (var stack = Stack.start(stackOption.options(home.home()))) {
      stack.troubles().forEach(trouble -> System.err.println("berth: " + trouble));
      say(
          "started a stack in "
              + home.home().folder()
              + " in "
              + Terminal.text(Duration.ofNanos(System.nanoTime() - begun)));
      return run(stack.api(), PodLog.of(stack.logs()), manifests, true);
    }
  }

  private int run(Api api, PodLog.Source logs, List<Manifest> manifests, boolean own)
      throws InterruptedException {
    var pods = keys(manifests, Resources.PODS);
    var journey = new Journey(pods, keys(manifests, Resources.CLAIMS));
    try (var watching = new Watching(api, journey, this::tell)) {
      replaceCompleted(api, pods);
      watching.start();
      for (var manifest : manifests) {
        var applied = Applying.one(api, manifest);
        say(manifest.title() + " " + applied.outcome().text());
        watching.show(manifest.resource(), applied.object());
      }
      if (!pods.isEmpty()) await(api, watching, pods);
    }
    for (var pod : pods) printLog(api, logs, pod, pods.size() > 1 ? "[" + pod.name() + "] " : "");
    lookOn(manifests, own);
    return journey.exitCode();
  }

  /// Until all pods have ended. Where nothing happens for a while, says what they wait for.
  private void await(Api api, Watching watching, List<ObjectKey> pods) throws InterruptedException {
    var state = watching.await(PATIENCE);
    if (state == Watching.State.QUIET)
      try (var stuck = new Stuck(api)) {
        for (; state == Watching.State.QUIET; state = watching.await(PATIENCE))
          for (var pod : pods) stuck.about(pod).ifPresent(this::tell);
      }
    if (state == Watching.State.LOST)
      throw new Problem("the stack went away before the pods had ended");
  }

  private void tell(Stuck.Word word) {
    if (output.json()) print(Session.typed(home.home(), ChainJson.of(word.explanation())));
    else
      word.lines().forEach(line -> terminal.line("           " + Session.typed(home.home(), line)));
  }

  /// A pod that has ended makes room for the new one; one that runs is left alone.
  private void replaceCompleted(Api api, List<ObjectKey> pods) {
    for (var key : pods) {
      try {
        var pod = api.get(Resources.PODS, key);
        var phase = Json.text(pod.path("status"), "phase");
        if (!phase.equals("Succeeded") && !phase.equals("Failed")) continue;
        api.delete(Resources.PODS, key, DeleteOptions.DEFAULT);
        if (!Gone.await(api, Resources.PODS, key, REPLACED))
          throw new Problem(
              "pod/%s of an earlier run does not go; see why: %s"
                  .formatted(
                      key.name(), Session.explain(home.home(), Ref.of(Resources.PODS, key))));
        say("pod/" + key.name() + " of an earlier run replaced");
      } catch (ApiException none) {
        if (!none.isNotFound()) throw none;
      }
    }
  }

  private static List<ObjectKey> keys(List<Manifest> manifests, Resource resource) {
    return manifests.stream()
        .filter(manifest -> manifest.resource().equals(resource))
        .map(Manifest::key)
        .toList();
  }

  private void printLog(Api api, PodLog.Source logs, ObjectKey pod, String prefix) {
    ObjectNode object;
    try {
      object = api.get(Resources.PODS, pod);
    } catch (ApiException gone) {
      if (gone.isNotFound()) return;
      throw gone;
    }
    PodLog.print(logs, pod, PodLog.started(object), line -> log(pod, prefix, line));
  }

  private void log(ObjectKey pod, String prefix, String line) {
    if (!output.json()) {
      terminal.line(prefix + line);
      return;
    }
    print(
        JsonNodeFactory.instance.objectNode().put("log", line).put("object", "pod/" + pod.name()));
  }

  private void say(String text) {
    if (output.json()) print(JsonNodeFactory.instance.objectNode().put("message", text));
    else terminal.line(text);
  }

  private void tell(Edge edge) {
    if (output.json()) {
      var line =
          JsonNodeFactory.instance
              .objectNode()
              .put("atMillis", edge.at().toMillis())
              .put("object", edge.object())
              .put("edge", edge.text());
      edge.took().ifPresent(took -> line.put("tookMillis", took.toMillis()));
      print(line);
      return;
    }
    var tone =
        switch (edge.end().orElse(null)) {
          case GOOD -> Terminal.Tone.GOOD;
          case BAD -> Terminal.Tone.BAD;
          case null -> Terminal.Tone.PLAIN;
        };
    var took = edge.took().map(time -> "   (" + Terminal.text(time) + ")").orElse("");
    terminal.line(
        String.format(Locale.ROOT, "%7.3f s  %-24s ", edge.at().toMillis() / 1000.0, edge.object())
            + terminal.in(tone, edge.text())
            + terminal.in(Terminal.Tone.FAINT, took));
  }

  private void print(ObjectNode line) {
    // One object a line, so that a script can read while it runs.
    terminal.line(line.toString());
  }

  private void lookOn(List<Manifest> manifests, boolean own) {
    if (output.json()) return;
    Home where = home.home();
    say("");
    say(
        own
            ? "The stack stops now; claims and data stay in "
                + where.folder()
                + ". Look on with: berth up --detach"
                + Session.also(where)
            : "Look on with: berth get pod,pvc,pv" + Session.also(where));
    manifests.stream()
        .filter(manifest -> manifest.resource().equals(Resources.CLAIMS))
        .findFirst()
        .ifPresent(claim ->
            say(
                "Remove it all, with its data: berth delete -f "
                    + String.join(" -f ", files)
                    + Session.also(where)));
  }
}
