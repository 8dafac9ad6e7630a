package dev.berth.driver.disk.pool;

import dev.berth.driver.disk.lock.PoolLocks.Hold;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The pools of a driver.
///
/// @param all at least one
public record Pools(List<Pool> all) implements AutoCloseable {
  /// A volume and where it is.
  public record Found(Pool pool, VolumeRecord record) {
    public Disk disk() {
      return new Disk(pool.volumes().image(record.id()), record.sectorBytes(), record.allocation());
    }
  }

  public Pools {
    all = List.copyOf(all);
    if (all.isEmpty()) throw new IllegalArgumentException("a disk driver needs a pool");
  }

  /// @throws IOException if a folder can be no pool, or not beside the others, with the reason
  public static Pools open(List<Path> folders) throws IOException {
    var why = PoolPlace.whyNot(folders);
    if (why.isPresent()) throw new IOException(why.get());
    var opened = new ArrayList<Pool>();
    try {
      for (var folder : folders) opened.add(Pool.open(folder));
      return new Pools(opened);
    } catch (IOException | RuntimeException e) {
      opened.forEach(Pool::close);
      throw e;
    }
  }

  public Optional<Found> find(String volumeId) {
    return all.stream()
        .flatMap(pool -> pool.volumes().find(volumeId).map(it -> new Found(pool, it)).stream())
        .findFirst();
  }

  public Optional<Found> named(String name) {
    return all.stream()
        .flatMap(pool -> pool.volumes().named(name).map(it -> new Found(pool, it)).stream())
        .findFirst();
  }

  /// In the order of the ids.
  ///
  /// @param after only volumes with a greater id
  public Stream<Found> after(String after) {
    if (all.size() == 1)
      return all.getFirst().volumes().after(after).map(it -> new Found(all.getFirst(), it));
    return all.stream()
        .flatMap(pool -> pool.volumes().after(after).map(it -> new Found(pool, it)))
        .sorted(Comparator.comparing(found -> found.record().id()));
  }

  /// Has a name for itself in all of them, whichever service asks.
  ///
  /// @param kind what has the name, such as `volume`
  /// @throws dev.berth.driver.model.Refusal BUSY
  public Hold holdName(String kind, String name) {
    var holds = new ArrayDeque<Hold>();
    try {
      for (var pool : all) holds.push(pool.holds().name(kind, name));
    } catch (RuntimeException e) {
      Hold.closeAll(holds);
      throw e;
    }
    return () -> Hold.closeAll(holds);
  }

  @Override
  public void close() {
    all.forEach(Pool::close);
  }
}
