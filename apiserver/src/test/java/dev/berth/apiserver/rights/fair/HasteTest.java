package dev.berth.apiserver.rights.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// API-135: who keeps others waiting is given up, and only for what it is waited for; on a clock
/// that only waiting and the test move.
class HasteTest {
  private static final Duration LONGER_THAN_THE_GRACE = Duration.ofSeconds(3);

  private final Passing time = new Passing();
  private final Haste owed = new Haste(() -> true, time);

  private static final class Passing implements Haste.Clock {
    private Duration now = Duration.ofDays(-1);
    private Duration each = Duration.ofDays(1); // in which what is waited for comes

    @Override
    public long nanos() {
      return now.toNanos();
    }

    @Override
    public void await(Future<?> done, Duration most) {
      boolean comes = each.compareTo(most) <= 0;
      now = now.plus(comes ? each : most);
      if (comes && done instanceof CompletableFuture<?> it) it.complete(null);
    }
  }

  @Test
  void theTimeThatTheServerTakesIsNotTheClients() throws Exception {
    time.now = time.now.plus(LONGER_THAN_THE_GRACE); // the request is worked on
    time.each = Duration.ofMillis(100);
    for (int i = 0; i < 20; i++) {
      assertThat(owed.await(new CompletableFuture<Void>())).isTrue();
      time.now = time.now.plus(LONGER_THAN_THE_GRACE);
    }
  }

  @Test
  void whoTakesNothingIsGivenUp() throws Exception {
    var begun = time.now;
    assertThat(owed.await(new CompletableFuture<Void>())).isFalse();
    assertThat(time.now.minus(begun)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3));
  }

  @Test
  void whoKeepsNobodyWaitingIsNotGivenUp() throws Exception {
    var free = new Haste(() -> time.now.compareTo(Duration.ZERO) > 0, time);
    assertThat(free.await(new CompletableFuture<Void>())).isFalse();
    assertThat(time.now).isGreaterThan(Duration.ZERO);
  }

  /// Who sends a little each second would have a seat for ever.
  @Test
  void allThatIsWaitedCounts() throws Exception {
    time.each = Duration.ofMillis(500);
    int pieces = 0;
    while (owed.await(new CompletableFuture<Void>())) pieces++;
    assertThat(pieces).isEqualTo(5);
  }
}
