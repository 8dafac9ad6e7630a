package dev.berth.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.cli.Problem;
import dev.berth.cli.manifest.Manifest;
import dev.berth.cli.option.FileOption;
import dev.berth.cli.option.HomeOption;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.session.Gone;
import dev.berth.cli.session.Names;
import dev.berth.cli.session.Session;
import dev.berth.cli.terminal.Terminal;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description =
        "Deletes the objects of manifests, or by name, and waits until they are gone, with the"
            + " volumes of deleted claims.",
    footer = {
      "",
      "Examples:",
      "  berth delete -f examples/first-volume.yaml",
      "  berth delete pod/web-0 pvc/data",
      "  berth delete pod web-0 web-1"
    })
final class Delete implements Callable<Integer> {
  @Mixin private HomeOption home = new HomeOption();

  @ArgGroup(multiplicity = "1")
  private What what = new What();

  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "For objects that name none; default: ${DEFAULT-VALUE}.")
  private String namespace = "default";

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long to wait; default: ${DEFAULT-VALUE}.")
  private long timeout = 120;

  @Option(
      names = "--wait",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Wait until all is gone; default: ${DEFAULT-VALUE}.")
  private boolean wait;

  @Option(
      names = "--ignore-not-found",
      description = "What is not there is as good as deleted, and no failure.")
  private boolean ignoreMissing;

  @Override
  public Integer call() {
    var manifests = new ArrayList<>(what.manifests(namespace));
    var terminal = Terminal.standard();
    try (var api = Session.open(home.home())) {
      var volumes = volumesOf(api, manifests);
      var deleted = JsonNodeFactory.instance.arrayNode();
      var missing = new ArrayList<Manifest>();
      for (var manifest : manifests.reversed()) {
        boolean was = delete(api, manifest);
        deleted.addObject().put("object", manifest.title()).put("wasThere", was);
        if (!was) missing.add(manifest);
        if (!output.whole() && (was || ignoreMissing))
          terminal.line(manifest.title() + (was ? " deleted" : " is not there"));
      }
      if (wait) await(api, manifests, volumes);
      if (output.whole()) terminal.line(output.write(deleted));
      if (!ignoreMissing && !missing.isEmpty()) throw notThere(missing);
      return 0;
    }
  }

  /// Files or names.
  private static final class What {
    @Option(
        names = {"-f", "--filename"},
        paramLabel = "FILE",
        required = true,
        description = "File of YAML or JSON with one or more objects; - is standard input.")
    private List<String> files = List.of();

    @Parameters(
        paramLabel = "KIND/NAME",
        arity = "1..*",
        description = "Such as pod/web-0; or a kind and names of it: pod web-0 web-1.")
    private List<String> names = List.of();

    List<Manifest> manifests(String namespace) {
      if (names.isEmpty()) return FileOption.manifests(files, namespace);
      return Names.refs(names, namespace).stream()
          .map(ref -> Manifest.named(ref.resource(), ref.key()))
          .toList();
    }
  }

  /// Volumes that go with the claims: those that their class deletes.
  private static Set<String> volumesOf(Api api, Iterable<Manifest> manifests) {
    var volumes = new LinkedHashSet<String>();
    for (var manifest : manifests) {
      if (!manifest.resource().equals(Resources.CLAIMS)) continue;
      try {
        var claim = api.get(Resources.CLAIMS, manifest.key());
        var name = Json.text(claim.path("spec"), "volumeName");
        if (name.isEmpty()) continue;
        var volume = api.get(Resources.VOLUMES, ObjectKey.cluster(name));
        if (Json.text(volume.path("spec"), "persistentVolumeReclaimPolicy").equals("Delete"))
          volumes.add(name);
      } catch (ApiException gone) {
        if (!gone.isNotFound()) throw gone;
      }
    }
    return volumes;
  }

  /// What was there is deleted nevertheless.
  private static Problem notThere(List<Manifest> missing) {
    return new Problem(
        "there is no "
            + missing.stream()
                .map(manifest ->
                    manifest.key().namespace().isEmpty()
                        ? manifest.title()
                        : manifest.title() + " in namespace " + manifest.key().namespace())
                .collect(Collectors.joining(", no ")));
  }

  private static boolean delete(Api api, Manifest manifest) {
    try {
      api.delete(manifest.resource(), manifest.key(), DeleteOptions.DEFAULT);
      return true;
    } catch (ApiException refused) {
      if (refused.isNotFound()) return false;
      if (refused instanceof ApiException.Unreachable) throw refused;
      throw new Problem(manifest.title() + ": " + refused.getMessage());
    }
  }

  private void await(Api api, Iterable<Manifest> manifests, Set<String> volumes) {
    var deadline = Duration.ofSeconds(timeout);
    for (var manifest : manifests)
      if (!Gone.await(api, manifest.resource(), manifest.key(), deadline))
        throw new Problem(
            "%s is still there after %s; see why: %s"
                .formatted(
                    manifest.title(),
                    Terminal.text(deadline),
                    Session.explain(home.home(), Ref.of(manifest.resource(), manifest.key()))));
    for (var volume : volumes)
      if (!Gone.await(api, Resources.VOLUMES, ObjectKey.cluster(volume), deadline))
        throw new Problem(
            "persistentvolume/%s is still there after %s; see why: %s"
                .formatted(
                    volume,
                    Terminal.text(deadline),
                    Session.explain(
                        home.home(), Ref.of(Resources.VOLUMES, ObjectKey.cluster(volume)))));
  }
}
