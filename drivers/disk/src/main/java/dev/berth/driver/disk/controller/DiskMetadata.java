package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Snapshot;
import dev.berth.driver.spi.SnapshotMetadata;
import dev.berth.linux.file.Extents;
import dev.berth.linux.file.Extents.Run;
import dev.berth.linux.sys.LinuxException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Which blocks of a snapshot hold data, by the extents of its file; what lies in a hole is not
/// read.
public final class DiskMetadata implements SnapshotMetadata {
  private final Pools pools;

  public DiskMetadata(Pools pools) {
    this.pools = pools;
  }

  @Override
  public Stream<Extent> allocated(Snapshot snapshot, long from, Secrets secrets) {
    var image = image(snapshot);
    return whileThere(List.of(snapshot), () -> dataFrom(image, from)).stream()
        .map(run -> new Extent(run.offset(), run.length()));
  }

  @Override
  public Stream<Extent> changed(Snapshot base, Snapshot target, long from, Secrets secrets) {
    var older = image(base);
    var newer = image(target);
    return whileThere(
        List.of(base, target),
        () -> {
          var runs = Runs.union(dataFrom(older, from), dataFrom(newer, from));
          return new Difference(older, newer, runs, target.sizeBytes()).stream();
        });
  }

  /// Looks at files that go with their snapshots, whenever those are deleted. What is open by then
  /// stays readable.
  private <T> T whileThere(List<Snapshot> snapshots, Supplier<T> look) {
    try {
      return look.get();
    } catch (LinuxException | UncheckedIOException e) {
      snapshots.forEach(this::image); // NOT_FOUND if one has been deleted meanwhile
      throw e;
    }
  }

  private static List<Run> dataFrom(Path image, long from) {
    return Extents.of(image, from, Integer.MAX_VALUE);
  }

  private Path image(Snapshot snapshot) {
    return pools.all().stream()
        .map(Pool::snapshots)
        .filter(snapshots -> snapshots.find(snapshot.id()).isPresent())
        .findFirst()
        .orElseThrow(() -> Refusal.noSuchSnapshot(snapshot.id()))
        .image(snapshot.id());
  }
}
