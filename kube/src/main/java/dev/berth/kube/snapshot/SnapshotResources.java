package dev.berth.kube.snapshot;

import dev.berth.kube.object.Resource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How an API server serves snapshots, once their definitions are installed (SNAP-01, SNAP-02).
public final class SnapshotResources {
  private static final String GROUP = "snapshot.storage.k8s.io";
  private static final String GROUPS_GROUP = "groupsnapshot.storage.k8s.io";

  public static final Resource SNAPSHOTS =
      new Resource(GROUP, "v1", "volumesnapshots", "VolumeSnapshot", true);
  public static final Resource CONTENTS =
      new Resource(GROUP, "v1", "volumesnapshotcontents", "VolumeSnapshotContent", false);
  public static final Resource CLASSES =
      new Resource(GROUP, "v1", "volumesnapshotclasses", "VolumeSnapshotClass", false);
  public static final Resource GROUP_SNAPSHOTS =
      new Resource(GROUPS_GROUP, "v1", "volumegroupsnapshots", "VolumeGroupSnapshot", true);
  public static final Resource GROUP_CONTENTS =
      new Resource(
          GROUPS_GROUP, "v1", "volumegroupsnapshotcontents", "VolumeGroupSnapshotContent", false);
  public static final Resource GROUP_CLASSES =
      new Resource(
          GROUPS_GROUP, "v1", "volumegroupsnapshotclasses", "VolumeGroupSnapshotClass", false);

  /// All of them.
  public static final List<Resource> ALL =
      List.of(SNAPSHOTS, CONTENTS, CLASSES, GROUP_SNAPSHOTS, GROUP_CONTENTS, GROUP_CLASSES);

  private SnapshotResources() {}

  /// The resource that people mean by a word: its plural, its singular or a short name.
  public static Optional<Resource> named(String word) {
    var wanted = word.toLowerCase(Locale.ROOT);
    return ALL.stream()
        .filter(each ->
            each.plural().equals(wanted)
                || each.kind().toLowerCase(Locale.ROOT).equals(wanted)
                || shortNames(each).contains(wanted))
        .findFirst();
  }

  private static List<String> shortNames(Resource resource) {
    return switch (resource.plural()) {
      case "volumesnapshots" -> List.of("vs");
      case "volumesnapshotcontents" -> List.of("vsc", "vscs");
      case "volumesnapshotclasses" -> List.of("vsclass", "vsclasses");
      case "volumegroupsnapshots" -> List.of("vgs");
      case "volumegroupsnapshotcontents" -> List.of("vgsc", "vgscs");
      case "volumegroupsnapshotclasses" -> List.of("vgsclass", "vgsclasses");
      case String _ -> List.of();
    };
  }
}
