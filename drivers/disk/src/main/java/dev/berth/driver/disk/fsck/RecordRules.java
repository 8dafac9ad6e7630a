package dev.berth.driver.disk.fsck;

import dev.berth.driver.disk.pool.PoolNode;
import dev.berth.driver.disk.pool.SnapshotRecord;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Every entry of the ledger refers to what is there.
final class RecordRules {
  static Stream<Finding> findings(Scene scene) {
    return Stream.of(members(scene), groups(scene), attachments(scene)).flatMap(it -> it);
  }

  /// A member exists with its group only.
  private static Stream<Finding> members(Scene scene) {
    var groups = scene.records().groups();
    return scene.records().snapshots().values().stream()
        .filter(it -> it.groupId().map(id -> !groups.containsKey(id)).orElse(false))
        .filter(it -> !scene.locks().worksOn(it.id()))
        .map(SnapshotRecord::id)
        .map(id -> ImageRules.ownerless(scene, "snapshot " + id));
  }

  private static Stream<Finding> groups(Scene scene) {
    var snapshots = scene.records().snapshots();
    return scene.records().groups().values().stream()
        .flatMap(group ->
            group.memberIds().stream()
                .filter(member -> !snapshots.containsKey(member))
                .map(member ->
                    Finding.wrong(
                        "group " + group.id(),
                        "has lost its member " + member,
                        "delete the group; its other members can be restored before that")));
  }

  private static Stream<Finding> attachments(Scene scene) {
    return scene.records().attachments().stream()
        .flatMap(it -> {
          var where = "attachment of %s to %s".formatted(it.volumeId(), it.nodeId());
          if (!scene.records().volumes().containsKey(it.volumeId()))
            return Stream.of(
                Finding.wrong(
                    where,
                    "is of a volume that does not exist",
                    "ControllerUnpublishVolume takes it away"));
          if (!nodes(scene).contains(it.nodeId()))
            return Stream.of(
                Finding.wrong(
                    where,
                    "is to a node that does not exist",
                    "start the node, or call ControllerUnpublishVolume"));
          return Stream.empty();
        });
  }

  private static Set<String> nodes(Scene scene) {
    return scene.records().nodes().values().stream()
        .map(it -> it.node())
        .flatMap(Optional::stream)
        .map(PoolNode::id)
        .collect(Collectors.toSet());
  }

  private RecordRules() {}
}
