package dev.berth.node.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SightTest {
  @Test
  void looksBecomeRarerAndAreSpread() {
    var sight = new Sight(new SplittableRandom(1));
    assertThat(sight.next()).isBetween(Duration.ofMillis(375), Duration.ofMillis(500));
    for (int i = 0; i < 20; i++) sight.next();
    var one = sight.next();
    var other = sight.next();
    for (var pause : new Duration[] {one, other})
      assertThat(pause).isBetween(Duration.ofSeconds(45), Duration.ofMinutes(1));
    assertThat(one).isNotEqualTo(other);
    sight.changed();
    assertThat(sight.next()).isLessThanOrEqualTo(Duration.ofMillis(500));
  }
}
