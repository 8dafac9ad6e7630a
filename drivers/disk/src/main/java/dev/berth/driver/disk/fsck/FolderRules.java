package dev.berth.driver.disk.fsck;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// What may lie in the pool's own folder, and what was damaged there.
final class FolderRules {
  private static final Set<String> OURS =
      Set.of(
          "pool",
          "lock",
          "ledger",
          "ledger.end",
          "volumes",
          "snapshots",
          "nodes",
          "frozen",
          "lost",
          "lost+found");

  static Stream<Finding> findings(Scene scene) {
    return Stream.of(strangers(scene), damages(scene), identity(scene), ledger(scene), lost(scene))
        .flatMap(it -> it);
  }

  private static Stream<Finding> strangers(Scene scene) {
    return names(scene, "").stream()
        .filter(name -> !OURS.contains(name))
        .map(name ->
            name.endsWith(".tmp") || name.startsWith("reflink-probe")
                ? Finding.leftOver(
                    name,
                    "is of a call that was cut off",
                    "it goes when the next process controls the pool")
                : Finding.wrong(
                    name, "is not of Berth", "move it elsewhere; Berth does not touch it"));
  }

  private static Stream<Finding> damages(Scene scene) {
    return scene.records().damages().stream()
        .map(it ->
            switch (it.where()) {
              case "ledger" ->
                  Finding.wrong(
                      "ledger",
                      "is damaged: " + it.why(),
                      "bring it back from a copy, with the drivers ended. Without one: keep what is"
                          + " there, take out lines that are named here, remove ledger.end; a"
                          + " driver then puts files that no entry tells of into the folder lost");
              case "pool" ->
                  Finding.wrong(
                      "pool",
                      "is damaged: " + it.why(),
                      "end the drivers and remove it: the pool gets a new id; start nodes that"
                          + " have no --zone with the zone of their volumes");
              case String where when where.contains("/volumes/") ->
                  Finding.leftOver(
                      where,
                      "is damaged: " + it.why(),
                      "it goes when the node starts next; its mounts ended with the machine, or are"
                          + " named here");
              case String where ->
                  Finding.wrong(
                      where, "is damaged: " + it.why(), "remove it and start the node again");
            });
  }

  private static Stream<Finding> identity(Scene scene) {
    return names(scene, "").contains("pool")
        ? Stream.empty()
        : Stream.of(
            Finding.leftOver(
                "pool", "is missing: the pool was never whole", "the next driver here makes it"));
  }

  /// Without its ledger a pool knows nothing, and what lies in it looks like nobody's.
  private static Stream<Finding> ledger(Scene scene) {
    return scene.withoutLedger()
        ? Stream.of(
            Finding.wrong(
                "ledger",
                "%s though there are %d backing files"
                    .formatted(
                        names(scene, "").contains("ledger") ? "is empty" : "is missing",
                        scene.ownImages()),
                "bring it back from a copy; until then no driver controls this pool"))
        : Stream.empty();
  }

  private static Stream<Finding> lost(Scene scene) {
    return names(scene, Scene.LOST).stream()
        .map(name ->
            Finding.wrong(
                Scene.LOST + "/" + name,
                "was put there when no entry of the ledger told of it",
                "look what it holds, then move it elsewhere or remove it"));
  }

  private static List<String> names(Scene scene, String part) {
    return scene.files().getOrDefault(part, List.of());
  }

  private FolderRules() {}
}
