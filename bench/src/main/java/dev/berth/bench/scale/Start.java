package dev.berth.bench.scale;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import java.util.List;

/// A cluster whose objects have just been read and filed.
///
/// @param millis of the processor that this took
/// @param bytes by which the heap grew, for each object
record Start(Snapshots objects, double millis, double bytes) {
  private static final List<Kind<?>> KINDS =
      List.of(
          Kinds.POD,
          Kinds.CLAIM,
          Kinds.VOLUME,
          Kinds.ATTACHMENT,
          Kinds.NODE,
          Kinds.CSI_NODE,
          Kinds.STORAGE_CAPACITY);

  static Start of(World world) {
    long before = used();
    long begun = Turns.now();
    var objects = world.snapshot();
    double millis = (Turns.now() - begun) / 1e6;
    return new Start(objects, millis, (double) (used() - before) / count(objects));
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static int count(Snapshot objects) {
    int count = 0;
    for (var kind : KINDS) count += objects.all(kind).size();
    return count;
  }
}
