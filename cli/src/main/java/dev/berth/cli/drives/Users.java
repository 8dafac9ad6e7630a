package dev.berth.cli.drives;

import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whose volumes they are: claims, and the pods that have them.
public record Users(Api api) {
  /// What has to be deleted so that a volume goes.
  ///
  /// @param objects as `KIND/NAME`, in the order in which they are to be deleted
  public record Owned(String namespace, List<String> objects) {
    public Owned {
      objects = List.copyOf(objects);
    }

    /// @param tool `kubectl`; or `berth`, which begins with the last
    public String command(String tool) {
      var order = tool.equals("berth") ? objects.reversed() : objects;
      return "%s delete %s -n %s".formatted(tool, String.join(" ", order), namespace);
    }
  }

  /// Empty: no claim has it.
  public Optional<Owned> of(LocalVolume volume) {
    try {
      var claim =
          api.get(Resources.VOLUMES, ObjectKey.cluster(volume.id())).path("spec").path("claimRef");
      if (claim.isMissingNode()) return Optional.empty();
      var namespace = Json.text(claim, "namespace");
      var name = Json.text(claim, "name");
      var objects = new ArrayList<String>();
      for (var pod : api.list(Resources.PODS, namespace, Selector.ALL).items())
        for (var each : pod.path("spec").path("volumes"))
          if (Json.text(each.path("persistentVolumeClaim"), "claimName").equals(name))
            objects.add("pod/" + Json.text(pod.path("metadata"), "name"));
      // first: who makes pods for a claim makes no other pod for one that is going
      objects.addFirst("pvc/" + name);
      return Optional.of(new Owned(namespace, objects));
    } catch (ApiException refused) {
      if (refused.isNotFound()) return Optional.empty();
      throw refused;
    }
  }
}
