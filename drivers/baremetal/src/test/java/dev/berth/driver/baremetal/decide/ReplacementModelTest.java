package dev.berth.driver.baremetal.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.baremetal.object.DriveUsage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// A model check of a drive's way out of service (BM-130, BM-283): random sequences of what drives,
/// people, volumes and other writers do, against the deciders that act. What must hold after each
/// step is named in [ReplacementInvariants].
///
/// A build checks 5,000 sequences; `-Dberth.model.sequences=100000` as many as the specification
/// asks for.
class ReplacementModelTest {
  private static final int STEPS = 40;

  /// BM-08, BM-20, BM-24, BM-74, BM-80, BM-81, BM-130, BM-131 to BM-145, BM-137, BM-283.
  @Test
  void noSequenceBreaksAnInvariant() {
    long sequences = Long.getLong("berth.model.sequences", 5_000);
    var first =
        LongStream.range(0, sequences)
            .parallel()
            .mapToObj(seed -> new ReplacementSequence(seed).run(STEPS))
            .filter(violation -> !violation.isEmpty())
            .findAny();
    assertThat(first).as("the first sequence that breaks an invariant").isEmpty();
  }

  /// The check would see little if its sequences led nowhere: each state is reached, and drives are
  /// taken away at the end.
  @Test
  void theSequencesReachEveryState() {
    var reached = new ReplacementModel.Reached();
    for (long seed = 0; seed < 1_000; seed++) new ReplacementSequence(seed, reached).run(STEPS);
    assertThat(reached.usages).containsOnlyKeys(DriveUsage.values());
    assertThat(reached.forgotten).isPositive();
    assertThat(reached.refusedWrites).isPositive();
    assertThat(reached.claims).isPositive();
    assertThat(reached.wipedLater).isPositive();
  }
}
