package dev.berth.driver.disk.fsck;

import dev.berth.driver.disk.pool.NodeVolume;
import dev.berth.driver.disk.pool.PoolRecords.OneNode;
import dev.berth.linux.mount.MountEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What nodes have written down holds against the kernel. A node writes first and mounts then, so a
/// note without a mount is only the trace of a call that was cut off, or of a restart.
final class NodeRules {
  private static final String GOES =
      "it goes when the call is made again, or when the node starts next";

  static Stream<Finding> findings(Scene scene) {
    return Stream.concat(
        scene.records().nodes().entrySet().stream().flatMap(node -> node(scene, node)),
        frozen(scene));
  }

  private static Stream<Finding> node(Scene scene, Map.Entry<String, OneNode> node) {
    var folder = Scene.NODES + "/" + node.getKey();
    var unfinished =
        Stream.of(folder, folder + "/volumes")
            .flatMap(part ->
                scene.files().getOrDefault(part, List.of()).stream().map(it -> part + "/" + it))
            .filter(file -> file.endsWith(".tmp"))
            .map(file ->
                Finding.leftOver(
                    file, "is of a write that was cut off", "it goes when the node starts next"));
    var begun =
        node.getValue().node().isPresent() || isDamaged(scene, folder)
            ? Stream.<Finding>empty()
            : Stream.of(
                Finding.leftOver(
                    folder,
                    "is of a node that was cut off when it started first",
                    "it is completed when the node starts next"));
    var volumes =
        node.getValue().volumes().stream().flatMap(volume -> volume(scene, folder, volume));
    return Stream.of(unfinished, begun, volumes, ephemeral(scene, folder, node.getValue()))
        .flatMap(it -> it);
  }

  private static Stream<Finding> ephemeral(Scene scene, String folder, OneNode node) {
    var known = node.volumes().stream().map(NodeVolume::volumeId).toList();
    return scene.files().getOrDefault(folder + Scene.EPHEMERAL, List.of()).stream()
        .map(name -> folder + Scene.EPHEMERAL + "/" + name)
        .filter(file -> !known.contains(Scene.idOf(file)))
        .filter(file -> !scene.locks().worksOn(Scene.idOf(file)))
        .map(file ->
            Finding.leftOver(
                file,
                "is of a pod's own volume that is not there",
                "it goes when the node starts next"));
  }

  private static boolean isDamaged(Scene scene, String folder) {
    return scene.records().damages().stream().anyMatch(it -> it.where().equals(folder + "/node"));
  }

  private static Stream<Finding> volume(Scene scene, String folder, NodeVolume volume) {
    if (scene.locks().worksOn(volume.volumeId())) return Stream.empty();
    var where = folder + "/volumes/" + volume.volumeId();
    var mounts = KernelRules.mountsOf(scene, volume.volumeId()).map(MountEntry::target).toList();
    var staged =
        volume.staged().stream()
            .filter(it -> !it.usage().block() && !mounts.contains(it.directory()))
            .map(it -> notThere(where, "staged", it.directory()));
    var device =
        volume.staged().stream()
            .filter(it -> it.usage().block())
            .filter(_ -> KernelRules.loopsOf(scene, volume.volumeId()).findAny().isEmpty())
            .map(_ ->
                Finding.leftOver(where, "tells of a device that the kernel does not have", GOES));
    var published =
        volume.targets().stream()
            .filter(it -> !mounts.contains(it.path()))
            .map(it -> notThere(where, "published", it.path()));
    return Stream.of(staged, device, published).flatMap(it -> it);
  }

  private static Finding notThere(String where, String verb, Path path) {
    return Finding.leftOver(
        where, "tells that the volume is %s at %s; it is not".formatted(verb, path), GOES);
  }

  private static Stream<Finding> frozen(Scene scene) {
    return scene.files().getOrDefault(Scene.FROZEN, List.of()).stream()
        .filter(name -> !scene.locks().freezes(name))
        .map(name ->
            Finding.leftOver(
                Scene.FROZEN + "/" + name,
                "tells of a file system that stands still for a snapshot that was cut off",
                "it is thawed when any process of this pool starts"));
  }

  private NodeRules() {}
}
