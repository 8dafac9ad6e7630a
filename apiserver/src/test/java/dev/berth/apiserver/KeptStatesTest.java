package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.state.State;
import dev.berth.kube.object.Resources;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// How many pages of the past somebody may make the server keep (API-52).
class KeptStatesTest {
  private final KeptStates states = new KeptStates(InstantSource.system());

  @Test
  void fewAreKeptThatWereMadeAgain() {
    for (int revision = 1; revision <= 60; revision++) again(revision, 1_000);
    assertThat(kept()).containsExactly(57L, 58L, 59L, 60L);
  }

  @Test
  void ofLargeOnesTheLastIsKept() {
    for (int revision = 1; revision <= 3; revision++) again(revision, 1L << 30);
    assertThat(kept()).containsExactly(3L);
  }

  /// Those of what just was share nearly all.
  @Test
  void theOthersAreMany() {
    for (int revision = 1; revision <= 60; revision++) states.keep(at(revision));
    for (int revision = 61; revision <= 70; revision++) again(revision, 1_000);
    assertThat(kept()).hasSize(64).contains(60L, 67L, 70L);
  }

  private void again(long revision, long bytes) {
    states.keep(Resources.CONFIG_MAPS, at(revision), bytes);
  }

  private static State at(long revision) {
    return State.empty().before(Resources.CONFIG_MAPS, Map.of(), revision);
  }

  private long[] kept() {
    return LongStream.rangeClosed(1, 70)
        .filter(revision -> states.at(Resources.CONFIG_MAPS, revision).isPresent())
        .toArray();
  }
}
