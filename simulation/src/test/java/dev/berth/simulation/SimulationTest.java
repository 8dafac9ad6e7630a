package dev.berth.simulation;

import dev.berth.simulation.cluster.Violation;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whole clusters in bad weather: users create and delete while processes die, requests and answers
/// get lost, watches lag and the driver fails or hangs. Then the weather clears, and all must come
/// to rest; and once more, until nothing is left (AD-65: whatever died began anew meanwhile).
class SimulationTest {
  private static final int SEEDS = 200;

  /// With claims that grow.
  private static final int GROWING = 100;

  /// With snapshots.
  private static final int SNAPPING = 50;

  /// With StatefulSets.
  private static final int SETS = 60;

  /// With machines that fail.
  private static final int DYING = 30;

  /// With volumes that fall ill.
  private static final int AILING = 30;

  /// With pods alone that fight for places.
  private static final int CROWDED = 20;

  /// Seeds beyond them that have once found something.
  private static final long[] PINNED = {
    355, // a mount was made after it had been refused (table 6b of the node)
    412, // a volume was created once more after it had been deleted (PROV-191b)
    454, // the same
    531, // the same
    1797, // a late report took a volume out of the list that had been mounted meanwhile (AD-63)
  };

  /// Known to fail, and not understood yet: a snapshot's content is left without its snapshot, and
  /// nothing waits. Found on 2026-11-27; `-Dberth.simulation.seed=200021` plays it.
  private static final long OPEN = 200_021;

  /// `-Dberth.simulation.seeds=201-2000`: these instead.
  private static final @Nullable String RANGE = System.getProperty("berth.simulation.seeds");

  private static final Logger OURS = Logger.getLogger("dev.berth");

  @BeforeAll
  static void quiet() {
    OURS.setLevel(Level.parse(System.getProperty("berth.simulation.log", "OFF")));
  }

  static LongStream seeds() {
    var only = Long.getLong("berth.simulation.seed");
    if (only != null) return LongStream.of(only);
    if (RANGE == null)
      return Stream.of(
              LongStream.rangeClosed(1, SEEDS),
              LongStream.rangeClosed(Times.GROWTH + 1, Times.GROWTH + GROWING),
              LongStream.rangeClosed(Times.SNAPSHOTS + 1, Times.SNAPSHOTS + SNAPPING),
              LongStream.rangeClosed(Times.SETS + 1, Times.SETS + SETS),
              LongStream.rangeClosed(Times.DEATHS + 1, Times.DEATHS + DYING),
              LongStream.rangeClosed(Times.HEALTH + 1, Times.HEALTH + AILING),
              LongStream.rangeClosed(Times.CROWDS + 1, Times.CROWDS + CROWDED),
              LongStream.of(PINNED))
          .flatMapToLong(some -> some)
          .filter(seed -> seed != OPEN);
    int dash = RANGE.indexOf('-');
    return LongStream.rangeClosed(
        Long.parseLong(RANGE.substring(0, dash)), Long.parseLong(RANGE.substring(dash + 1)));
  }

  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @MethodSource("seeds")
  void everyClaimIsServedOnceAndNothingIsLeft(long seed) {
    try {
      new Times().accept(seed);
    } catch (RuntimeException failure) {
      throw new AssertionError(
          """
          seed %d: %s

          To see it again:
            mvn -pl simulation -am -Dquick test -Dtest=SimulationTest \\
              -Dsurefire.failIfNoSpecifiedTests=false \\
              -Dberth.simulation.seed=%d -Dberth.simulation.log=WARNING
          """
              .formatted(seed, failure.getMessage(), seed),
          failure instanceof Violation ? null : failure);
    }
  }
}
