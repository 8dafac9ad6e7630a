package dev.berth.sidecar.nodeplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.apiserver.store.StoreException;
import dev.berth.kube.api.ApiException;
import dev.berth.sidecar.nodeplugin.StartupTaint.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// PRA-03, against the real API server.
class StartupTaintTest {
  private static final String DRIVER = "disk.example";
  private static final String TAINT = DRIVER + "/agent-not-ready";
  private static final Duration LONG = Duration.ofMinutes(10);

  private Cluster cluster;

  @BeforeEach
  void start() throws StoreException {
    cluster = new Cluster();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private Outcome remove(Duration longest) {
    try {
      return new StartupTaint(cluster.door, DRIVER, "n1", longest).remove();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private CompletableFuture<Outcome> beside() {
    return CompletableFuture.supplyAsync(() -> remove(LONG), Thread::startVirtualThread);
  }

  @Test
  void itGoesWhenTheDriverIsCountedAndOthersStay() throws Exception {
    cluster.node("zone.example/full", TAINT, "other.example/agent-not-ready");
    var watched = new AtomicInteger();
    cluster.trouble =
        (method, _) -> {
          if (method.equals("watch")) watched.incrementAndGet();
        };
    var outcome = beside();
    await().atMost(Duration.ofSeconds(30)).until(() -> watched.get() > 0);
    assertThat(cluster.taints()).contains(TAINT);
    cluster.register(DRIVER, "{\"count\": 5}");
    assertThat(outcome.get(30, TimeUnit.SECONDS)).isEqualTo(Outcome.REMOVED);
    assertThat(cluster.taints())
        .containsExactly("zone.example/full", "other.example/agent-not-ready");
  }

  @Test
  void anotherDriverDoesNotCount() {
    cluster.node(TAINT);
    cluster.register("other.example", "{\"count\": 5}");
    assertThat(remove(Duration.ofMillis(50))).isEqualTo(Outcome.GAVE_UP);
    assertThat(cluster.taints()).containsExactly(TAINT);
  }

  @Test
  void theLastTryTakesADriverWithoutALimit() {
    cluster.node(TAINT);
    cluster.register(DRIVER, "");
    assertThat(remove(Duration.ofMillis(50))).isEqualTo(Outcome.REMOVED);
    assertThat(cluster.taints()).isEmpty();
  }

  @Test
  void aNodeWithoutItIsLeftAloneAtOnce() {
    cluster.node("zone.example/full");
    assertThat(remove(LONG)).isEqualTo(Outcome.ABSENT);
  }

  @Test
  void whoMayNotIsSilent() {
    cluster.node(TAINT);
    cluster.register(DRIVER, "{\"count\": 5}");
    cluster.trouble =
        (method, _) -> {
          if (method.equals("patch")) throw Cluster.forbidden();
        };
    assertThat(remove(LONG)).isEqualTo(Outcome.FORBIDDEN);
    cluster.trouble =
        (_, _) -> {
          throw Cluster.forbidden();
        };
    assertThat(remove(LONG)).isEqualTo(Outcome.FORBIDDEN);
  }

  @Test
  void aTaintThatCameMeanwhileStays() {
    cluster.node(TAINT);
    cluster.register(DRIVER, "{\"count\": 5}");
    var patches = new AtomicInteger();
    cluster.trouble =
        (method, _) -> {
          if (!method.equals("patch") || patches.incrementAndGet() > 1) return;
          cluster.merge( // somebody puts one before ours between our look and our write
              """
              {"spec": {"taints": [{"key": "new.example/x", "effect": "NoSchedule"},
                {"key": "%s", "effect": "NoExecute"}]}}
              """
                  .formatted(TAINT));
        };
    assertThat(remove(LONG)).isEqualTo(Outcome.REMOVED);
    assertThat(patches).hasValue(2);
    assertThat(cluster.taints()).containsExactly("new.example/x");
  }

  @Test
  void aServerThatIsAwayForAWhileIsAskedAgain() {
    cluster.node(TAINT);
    cluster.register(DRIVER, "{\"count\": 5}");
    var requests = new AtomicInteger();
    cluster.trouble =
        (_, _) -> {
          if (requests.incrementAndGet() <= 5)
            throw new ApiException.Unreachable("nobody there", new IOException());
        };
    assertThat(remove(LONG)).isEqualTo(Outcome.REMOVED);
  }
}
