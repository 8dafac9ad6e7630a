package dev.berth.apiserver.rights.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// API-135: who keeps others waiting is given up, and only for what it is waited for.
@Timeout(60)
class HasteTest {
  private static final Duration LONGER_THAN_THE_GRACE = Duration.ofSeconds(3);

  private final Haste owed = new Haste(() -> true);

  @Test
  void theTimeThatTheServerTakesIsNotTheClients() throws Exception {
    var unsent = new CompletableFuture<Void>();
    Thread.sleep(LONGER_THAN_THE_GRACE); // the request is worked on
    unsent.completeOnTimeout(null, 100, TimeUnit.MILLISECONDS);
    assertThat(owed.await(unsent)).isTrue();
  }

  @Test
  void whoTakesNothingIsGivenUp() throws Exception {
    assertThat(owed.await(new CompletableFuture<>())).isFalse();
  }

  /// Who sends a little each second would have a seat for ever.
  @Test
  void allThatIsWaitedCounts() throws Exception {
    int pieces = 0;
    while (owed.await(piece())) pieces++;
    assertThat(pieces).isBetween(1, 10);
  }

  private static CompletableFuture<Void> piece() {
    return new CompletableFuture<Void>().completeOnTimeout(null, 500, TimeUnit.MILLISECONDS);
  }
}
