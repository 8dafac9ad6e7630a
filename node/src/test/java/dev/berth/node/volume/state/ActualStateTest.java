package dev.berth.node.volume.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.VolumeName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The two pairs of flags: whoever comes second sees the first.
class ActualStateTest {
  private static final VolumeName A = new VolumeName("d", "a");
  private static final VolumeName B = new VolumeName("d", "b");
  private final ActualState state = new ActualState(Actual.NOTHING);

  private void publish(VolumeName name, String pod) {
    state.change(name, volume -> volume.with(pod, new Publication.Present("pv", Instant.EPOCH)));
  }

  @Test
  void aPodThatHoldsIsNotUnpublishedUnder() {
    publish(A, "pod");
    assertThat(state.hold("pod", List.of(A))).isTrue();
    assertThat(state.beginUnpublish(A, "pod")).isFalse();
    state.release("pod");
    assertThat(state.beginUnpublish(A, "pod")).isTrue();
  }

  @Test
  void aPodCannotTakeHoldOfWhatIsBeingUnpublished() {
    publish(A, "pod");
    assertThat(state.beginUnpublish(A, "pod")).isTrue();
    assertThat(state.hold("pod", List.of(A))).isFalse();
    assertThat(state.now().holds("pod")).isFalse();
  }

  @Test
  void aVolumeIsPinnedOnlyWhileItIsReported() {
    assertThat(state.pin(A, true)).isFalse();
    assertThat(state.pin(B, false)).isTrue();
    state.reported(Set.of(A));
    assertThat(state.pin(A, true)).isTrue();
  }

  @Test
  void aReportHasEveryVolumeThatIsPinned() {
    state.reported(Set.of(A));
    assertThat(state.pin(A, true)).isTrue();
    assertThat(state.beginReport(Set.of(B), _ -> true)).containsExactly(A, B);
  }

  @Test
  void aVolumeThatAReportDropsIsNotPinnedAnyMore() {
    state.reported(Set.of(A, B));
    assertThat(state.beginReport(Set.of(B), _ -> true)).containsExactly(B);
    assertThat(state.pin(A, true)).isFalse(); // the report may be on its way, or lost
    state.reported(Set.of(B));
    assertThat(state.pin(A, true)).isFalse();
    assertThat(state.pin(B, true)).isTrue();
  }

  @Test
  void aRefusalProvesNothingOfWhatWasFound() {
    assertThat(new Staging.Uncertain(true, Optional.of("")).refute())
        .isEqualTo(new Staging.Uncertain(true, Optional.of("")));
    assertThat(Staging.ABSENT.announce("").refute()).isEqualTo(Staging.ABSENT);
    assertThat(new Publication.Uncertain("pv", true).refute()).isPresent();
    assertThat(Publication.announce("pv").refute()).isEmpty();
  }

  @Test
  void norOfAnEarlierCallThatMayStillTakeEffect() { // seed 355 of SimulationTest
    assertThat(Staging.ABSENT.announce("").announce("").refute())
        .isEqualTo(new Staging.Uncertain(true, Optional.of("")));
    assertThat(Staging.ABSENT.announce("").undo().refute())
        .isEqualTo(new Staging.Uncertain(true, Optional.of("")));
    assertThat(Publication.announce("pv").again().refute()).isPresent();
  }

  @Test
  void aMountThatWasBegunToBeUndoneIsNoLongerOnlyOurCalls() {
    publish(A, "pod");
    state.change(A, volume -> volume.with("pod", Publication.announce("pv")));
    assertThat(state.beginUnpublish(A, "pod")).isTrue();
    assertThat(state.now().volume(A).publications().get("pod"))
        .isEqualTo(new Publication.Uncertain("pv", true));
  }
}
