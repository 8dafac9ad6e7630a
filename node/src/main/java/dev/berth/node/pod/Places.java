package dev.berth.node.pod;

import dev.berth.kube.api.Api;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.pod.PodEffect.Start;
import dev.berth.node.pod.local.LocalState;
import dev.berth.node.pod.start.MountedVolume;
import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.pod.start.UnusableException;
import dev.berth.node.volume.FsGroup;
import dev.berth.node.volume.VolumeFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/// Volumes of a pod's claims that are places of this machine (`local`, `hostPath`): nobody mounts
/// them, and no driver is asked.
record Places(Api api, PodFiles files, VolumeFiles volumes, LocalState local) {
  /// @throws UnusableException if one is not on this machine, or not what it should be
  Map<String, MountedVolume> of(Start effect) throws IOException, UnusableException {
    var places = new HashMap<String, MountedVolume>();
    for (var placed : effect.places().values()) {
      var path = find(effect.pod(), placed.place());
      if (!placed.readOnly()) own(effect.pod(), placed.place(), path);
      places.put(
          placed.volume(),
          new MountedVolume(
              placed.place().meta().name(), path, placed.readOnly(), OptionalInt.empty()));
    }
    return places;
  }

  /// NOPX-05: the same path of another machine is another volume.
  private Path find(Pod pod, Volume volume) throws IOException, UnusableException {
    if (volume.nodeAffinity().isPresent()) {
      var node =
          Kinds.NODE.read().apply(api.get(Resources.NODES, ObjectKey.cluster(pod.nodeName())));
      if (!volume.nodeAffinity().get().matches(node))
        throw new UnusableException(
            "MountVolume.NodeAffinity check failed for volume \"%s\" : volume is not on node %s"
                .formatted(volume.meta().name(), pod.nodeName()));
    }
    var place = volume.place().orElseThrow();
    return files.hostPath(place.path(), place.type());
  }

  /// NCSI-12, before the first of the pod's containers.
  private void own(Pod pod, Volume volume, Path path) throws IOException {
    var context = pod.spec().path("securityContext");
    if (!volume.place().orElseThrow().owned() || !context.hasNonNull("fsGroup")) return;
    if (!local.now().runs(pod.meta().uid()).isEmpty()) return;
    boolean onMismatch = context.path("fsGroupChangePolicy").asText("").equals("OnRootMismatch");
    volumes.own(path, new FsGroup(context.path("fsGroup").asLong(), true, onMismatch));
  }
}
