package dev.berth.volume.request;

import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.VolumeMode;
import java.util.List;
import java.util.Set;

/// CSI's VolumeCapability of a volume. Creating, attaching and mounting make it by rules of their
/// own: a claim may ask for modes of which no two can be had at once, an attachment stands for all
/// of a volume's pods, and a node looks at the first mode only. Drivers know these rules; they are
/// upstream's.
public final class Capabilities {
  private Capabilities() {}

  /// For attaching.
  public sealed interface OfAll {
    record Agreed(VolumeCapability capability) implements OfAll {}

    /// @param why no one capability stands for the volume's access modes
    record Contradiction(String why) implements OfAll {}
  }

  /// For creating and for asking about room: one for each access mode of the claim, in its order
  /// (PROV-32). No group: no pod is known yet.
  ///
  /// @param fsType empty: the driver chooses
  /// @param mountOptions of the class
  public static List<VolumeCapability> ofEach(
      Claim claim, String fsType, List<String> mountOptions, Writers writers) {
    return claim.accessModes().stream()
        .map(mode -> capability(writers.mode(mode), claim.volumeMode(), fsType, mountOptions, ""))
        .toList();
  }

  /// For attaching: one for all access modes together (ATT-33). No group: the attachment is for all
  /// pods.
  ///
  /// @param defaultFsType where the volume names none; empty: the driver chooses
  public static OfAll ofAll(
      Volume volume, CsiSource source, String defaultFsType, Writers writers) {
    return switch (together(volume.accessModes())) {
      case Together.One(var mode) ->
          new OfAll.Agreed(
              capability(
                  writers.mode(mode),
                  volume.volumeMode(),
                  source.fsType().isEmpty() ? defaultFsType : source.fsType(),
                  volume.mountOptions(),
                  ""));
      case Together.None(var why) -> new OfAll.Contradiction(why);
    };
  }

  /// For staging, publishing and growing on a node: the first of the access modes counts, none is
  /// ReadWriteOnce (NCSI-06), and no file system is put in for one that is not named.
  ///
  /// @param group that the driver gives the files to; an empty text: none
  public static VolumeCapability ofFirst(
      Volume volume, CsiSource source, String group, Writers writers) {
    var first = volume.accessModes().stream().findFirst().orElse(AccessMode.READ_WRITE_ONCE);
    return capability(
        writers.mode(first), volume.volumeMode(), source.fsType(), volume.mountOptions(), group);
  }

  /// Of a volume that the driver makes for one pod (NCSI-06, NCSI-11).
  ///
  /// @param group that the driver gives the files to; an empty text: none
  public static VolumeCapability ofInline(CsiSource source, String group, Writers writers) {
    var mode = writers.mode(AccessMode.READ_WRITE_ONCE);
    return capability(mode, VolumeMode.FILESYSTEM, source.fsType(), List.of(), group);
  }

  private sealed interface Together {
    record One(AccessMode mode) implements Together {}

    record None(String why) implements Together {}
  }

  private static Together together(Set<AccessMode> modes) {
    if (modes.contains(AccessMode.READ_WRITE_ONCE_POD))
      return modes.size() == 1
          ? new Together.One(AccessMode.READ_WRITE_ONCE_POD)
          : new Together.None(
              "Kubernetes does not support use of ReadWriteOncePod with other access modes on the"
                  + " same PersistentVolume");
    if (modes.contains(AccessMode.READ_WRITE_MANY))
      return new Together.One(AccessMode.READ_WRITE_MANY);
    if (modes.containsAll(Set.of(AccessMode.READ_ONLY_MANY, AccessMode.READ_WRITE_ONCE)))
      return new Together.None(
          "CSI does not support ReadOnlyMany and ReadWriteOnce on the same PersistentVolume");
    return modes.stream()
        .findFirst()
        .<Together>map(Together.One::new)
        .orElseGet(() -> new Together.None("unsupported AccessMode combination: []"));
  }

  private static VolumeCapability capability(
      Mode mode, VolumeMode volumeMode, String fsType, List<String> mountFlags, String group) {
    var capability = VolumeCapability.newBuilder();
    capability.getAccessModeBuilder().setMode(mode);
    switch (volumeMode) {
      case BLOCK -> capability.getBlockBuilder();
      case FILESYSTEM ->
          capability
              .getMountBuilder()
              .setFsType(fsType)
              .addAllMountFlags(mountFlags)
              .setVolumeMountGroup(group);
    }
    return capability.build();
  }
}
