package dev.berth.driver.disk.fsck;

import dev.berth.driver.disk.pool.NodeVolume;
import dev.berth.driver.disk.pool.NodeVolume.Target;
import dev.berth.driver.disk.pool.PoolRecords.Attached;
import dev.berth.driver.disk.pool.PoolRecords.OneNode;
import dev.berth.linux.loop.LoopDevice;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.MountEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Every loop device on a file of the pool, and every mount of one, is written down by a node that
/// the volume is published on.
final class KernelRules {
  static Stream<Finding> findings(Scene scene) {
    return scene.loops().entrySet().stream()
        .filter(it -> !scene.locks().worksOn(Scene.idOf(it.getKey())))
        .flatMap(it -> image(scene, it));
  }

  static Stream<LoopDevice> loopsOf(Scene scene, String volumeId) {
    return scene.loops().entrySet().stream()
        .filter(it -> Scene.idOf(it.getKey()).equals(volumeId))
        .flatMap(it -> it.getValue().stream());
  }

  static Stream<MountEntry> mountsOf(Scene scene, String volumeId) {
    return loopsOf(scene, volumeId).flatMap(loop -> mounts(scene, loop).stream());
  }

  private static List<MountEntry> mounts(Scene scene, LoopDevice loop) {
    return scene.mounts().getOrDefault(loop.device(), List.of());
  }

  private static Stream<Finding> image(Scene scene, Map.Entry<String, List<LoopDevice>> devices) {
    var image = devices.getKey();
    var loops = devices.getValue();
    var id = Scene.idOf(image);
    if (loops.size() > 1)
      return Stream.of(
          Finding.wrong(
              image,
              "is behind several devices at once: "
                  + loops.stream().map(LoopDevice::device).toList(),
              "stop who uses it at once: each device has a cache of its own and they overwrite each"
                  + " other"));
    var loop = loops.getFirst();
    if (goesByItself(scene, loop) && users(scene, id).findAny().isEmpty())
      return Stream.of(
          Finding.leftOver(
              loop.device().toString(),
              "shows %s and is unmounted here, but still in use".formatted(image),
              "it goes with its last user: a mount in another name space, or a process that has it"
                  + " open. If there is none it is frozen: mount it on an empty folder, `fsfreeze"
                  + " -u` and unmount that"));
    if (image.endsWith(Scene.DELETED))
      return Stream.of(
          Finding.wrong(
              loop.device().toString(),
              "shows %s, which was removed".formatted(image),
              takeDown(scene, loop)));
    if (users(scene, id).findAny().isEmpty())
      return Stream.of(
          Finding.wrong(
              loop.device().toString(),
              "shows %s, which no node has staged".formatted(image),
              takeDown(scene, loop)));
    return Stream.concat(
        strayMounts(scene, id, loop),
        Scene.isEphemeral(image) ? Stream.empty() : unpublished(scene, id));
  }

  private static boolean goesByItself(Scene scene, LoopDevice loop) {
    return loop.flags().contains(LoopOptions.Flag.AUTO_CLEAR) && mounts(scene, loop).isEmpty();
  }

  private static String takeDown(Scene scene, LoopDevice loop) {
    var steps =
        Stream.concat(
            mounts(scene, loop).stream().map(it -> "umount " + it.target()),
            Stream.of("losetup -d " + loop.device()));
    return String.join(" && ", steps.toList());
  }

  private static Stream<Finding> strayMounts(Scene scene, String id, LoopDevice loop) {
    var known = users(scene, id).flatMap(KernelRules::places).toList();
    var published =
        users(scene, id).flatMap(it -> it.targets().stream()).map(Target::path).toList();
    return mounts(scene, loop).stream()
        .map(MountEntry::target)
        .filter(place -> !known.contains(place))
        .filter(place -> published.stream().noneMatch(it -> KubeletPaths.belongs(place, it)))
        .map(target ->
            Finding.wrong(
                target.toString(),
                "shows volume %s, and no node has written that down".formatted(id),
                KubeletPaths.isOfPod(target)
                    ? "its pod has no such volume any more; where the kubelet does not unmount it"
                        + " within some minutes: umount "
                        + target
                    : "umount " + target));
  }

  private static Stream<Finding> unpublished(Scene scene, String id) {
    return scene.records().nodes().values().stream()
        .filter(node -> uses(node, id).findAny().isPresent())
        .flatMap(node -> node.node().stream())
        .filter(node -> !scene.records().attachments().contains(new Attached(id, node.id())))
        .map(node ->
            Finding.wrong(
                "volume " + id,
                "is staged on node %s without being published there".formatted(node.id()),
                "NodeUnpublishVolume and NodeUnstageVolume take it down"));
  }

  private static Stream<NodeVolume> users(Scene scene, String id) {
    return scene.records().nodes().values().stream().flatMap(node -> uses(node, id));
  }

  private static Stream<NodeVolume> uses(OneNode node, String id) {
    return node.volumes().stream().filter(it -> it.volumeId().equals(id) && !it.empty());
  }

  private static Stream<Path> places(NodeVolume volume) {
    return Stream.concat(
        volume.staged().stream().map(NodeVolume.Staged::directory),
        volume.targets().stream().map(NodeVolume.Target::path));
  }

  private KernelRules() {}
}
