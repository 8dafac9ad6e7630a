package dev.berth.linux.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When a check that may fail by accident counts, and when it is left out.
class HealthRulesTest {
  /// BM-198: ill after two of the last three, well after two good ones in a row.
  @ParameterizedTest
  @CsvSource({
    "'', false",
    ".x, false",
    "xx, true",
    "x.x, true",
    "x..x, false",
    "xx., true",
    "xx.x, true",
    "xx.., false",
    "xx.x.., false",
    "xx..x, false",
    "........, false"
  })
  void isIllAfterTwoOfThree(String checks, boolean ill) {
    var damped = Damped.NONE;
    for (char check : checks.toCharArray()) damped = damped.after(check == 'x');
    assertThat(damped.ill()).isEqualTo(ill);
  }

  /// A doubt is cleared soon: the next check does not wait for its turn.
  @Test
  void looksAgainSoonAfterADoubt() {
    assertThat(Damped.NONE.unsure()).isFalse();
    var once = Damped.NONE.after(true);
    assertThat(once.unsure()).isTrue();
    assertThat(once.after(false).unsure()).isFalse();
    var twice = once.after(true);
    assertThat(twice.unsure()).isFalse();
    assertThat(twice.after(false).unsure()).isTrue();
  }

  /// BM-195: a disk that nobody uses may sleep, but not for ever.
  @Test
  void leavesADiskInPeaceThatNobodyUses() {
    var unused = new Rest.Situation(true, false, 20);
    var rest = Rest.NONE;
    int checks = 0;
    for (int round = 0; round < 110; round++) {
      if (!rest.leavesOut(unused)) checks++;
      rest = rest.after(unused);
    }
    assertThat(checks).isEqualTo(20); // ten at first, and then one of ten
    assertThat(rest.leavesOut(new Rest.Situation(true, false, 1000))).isFalse();
    assertThat(rest.after(new Rest.Situation(true, false, 1000)).leavesOut(unused)).isFalse();
  }

  @Test
  void wakesNoDiskThatTheKernelLetsSleepAndSparesNoneThatDoesNotTurn() {
    assertThat(Rest.NONE.leavesOut(new Rest.Situation(true, true, 1000))).isTrue();
    var solid = new Rest.Situation(false, false, 0);
    var rest = Rest.NONE;
    for (int round = 0; round < 50; round++) {
      assertThat(rest.leavesOut(solid)).isFalse();
      rest = rest.after(solid);
    }
  }

  @Test
  void readsWhatADeviceHasDone() {
    assertThat(
            Activity.parse(
                "     103        0     4192        1       71        0     2248       12        2"
                    + " ..."))
        .isEqualTo(new Activity(174, 2));
  }
}
