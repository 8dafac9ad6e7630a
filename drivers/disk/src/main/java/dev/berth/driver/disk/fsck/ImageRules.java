package dev.berth.driver.disk.fsck;

import java.util.List;
import java.util.stream.Stream;

/// Every backing file belongs to a volume or snapshot that says so, and is large enough for it.
final class ImageRules {
  private static final String IMAGE = ".img";
  private static final String FORMATTING = ".img.new";

  static Stream<Finding> findings(Scene scene) {
    return Stream.of(files(scene, Scene.VOLUMES), files(scene, Scene.SNAPSHOTS), missing(scene))
        .flatMap(it -> it);
  }

  private static Stream<Finding> files(Scene scene, String part) {
    return scene.files().getOrDefault(part, List.of()).stream()
        .flatMap(name -> file(scene, part + "/" + name));
  }

  private static Stream<Finding> file(Scene scene, String file) {
    var id = Scene.idOf(file);
    if (scene.locks().worksOn(id)) return Stream.empty();
    var size = size(scene, id);
    if (size == NOBODY) return Stream.of(ownerless(scene, file));
    if (file.endsWith(FORMATTING))
      return Stream.of(
          Finding.leftOver(
              file,
              "is of a format that was cut off",
              "it goes when the volume is staged next, or deleted"));
    if (!file.endsWith(id + IMAGE))
      return Stream.of(
          Finding.wrong(file, "is not of Berth", "move it elsewhere; the volume has its own file"));
    return content(scene, file, size);
  }

  private static Stream<Finding> content(Scene scene, String file, long size) {
    var status = scene.images().get(file);
    if (status == null) return Stream.empty(); // removed while we looked
    if (!status.isRegularFile())
      return Stream.of(
          Finding.wrong(file, "is not a regular file", "bring the backing file back from a copy"));
    if (status.size() < size)
      return Stream.of(
          Finding.wrong(
              file,
              "has %d bytes, not %d: its end is lost".formatted(status.size(), size),
              "bring it back from a copy, or delete what it belongs to"));
    if (status.size() > size)
      return Stream.of(
          Finding.leftOver(
              file,
              "has %d bytes, not %d: an expansion was cut off".formatted(status.size(), size),
              "nothing: the volume is as large from the next start of its controller on"));
    return Stream.empty();
  }

  private static final long NOBODY = -1;

  private static long size(Scene scene, String id) {
    var volume = scene.records().volumes().get(id);
    if (volume != null) return volume.capacityBytes();
    var snapshot = scene.records().snapshots().get(id);
    return snapshot == null ? NOBODY : snapshot.sizeBytes();
  }

  /// Only who comes to control a pool sweeps it; a process that controls it has done so.
  static Finding ownerless(Scene scene, String where) {
    if (scene.ledgerBroken())
      return Finding.wrong(
          where,
          "has no entry in the ledger, which is damaged",
          "mend the ledger first; until then it stays");
    var controller = scene.locks().controller();
    if (!scene.records().vouched() && controller.isEmpty())
      return Finding.wrong(
          where,
          "has no entry in the ledger, and nobody knows whether the ledger is whole",
          "the next process that controls the pool puts it into the folder lost");
    return controller.isPresent()
        ? Finding.wrong(
            where,
            "belongs to nobody",
            "restart the controller service of this pool, process %d; it goes then"
                .formatted(controller.getAsLong()))
        : Finding.leftOver(
            where,
            "belongs to nobody: the call that made it was cut off",
            "it goes when the next process controls the pool");
  }

  private static Stream<Finding> missing(Scene scene) {
    var records = scene.records();
    return Stream.concat(
            records.volumes().keySet().stream().map(id -> Scene.VOLUMES + "/" + id + IMAGE),
            records.snapshots().keySet().stream().map(id -> Scene.SNAPSHOTS + "/" + id + IMAGE))
        .filter(file -> !scene.images().containsKey(file))
        .filter(file -> !scene.locks().worksOn(Scene.idOf(file)))
        .map(file ->
            Finding.wrong(
                file,
                "is gone, and its data with it",
                "bring it back from a copy, or delete what it belongs to"));
  }

  private ImageRules() {}
}
