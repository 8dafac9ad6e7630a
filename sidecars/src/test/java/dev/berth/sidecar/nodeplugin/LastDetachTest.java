package dev.berth.sidecar.nodeplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.apiserver.store.StoreException;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.nodeplugin.LastDetach.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// PRA-04, against the real API server.
class LastDetachTest {
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

  private Outcome wait(Duration patience) {
    try {
      return new LastDetach(cluster.door, "n1").await(patience);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void onANodeThatStaysNobodyWaits() {
    cluster.node("zone.example/full");
    cluster.attach("va-1", "n1");
    assertThat(wait(LONG)).isEqualTo(Outcome.NODE_STAYS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node.kubernetes.io/unschedulable",
        "ToBeDeletedByClusterAutoscaler",
        "karpenter.sh/disrupted",
        "karpenter.sh/disruption"
      })
  void anEmptiedNodeKeepsItUntilTheLastVolumeIsDetached(String taint) throws Exception {
    cluster.node(taint);
    cluster.attach("va-1", "n1");
    cluster.attach("va-2", "n1");
    cluster.attach("va-3", "n2");
    var watched = new AtomicInteger();
    cluster.trouble =
        (method, arguments) -> {
          if (method.equals("watch") && arguments[0].equals(Resources.ATTACHMENTS))
            watched.incrementAndGet();
        };
    var outcome = CompletableFuture.supplyAsync(() -> wait(LONG), Thread::startVirtualThread);
    await().atMost(Duration.ofSeconds(30)).until(() -> watched.get() > 0);
    cluster.delete(Resources.ATTACHMENTS, "va-1");
    assertThat(outcome).isNotDone();
    cluster.delete(Resources.ATTACHMENTS, "va-2");
    assertThat(outcome.get(30, TimeUnit.SECONDS)).isEqualTo(Outcome.DETACHED);
  }

  @Test
  void aCordonedNodeIsBeingEmptied() {
    cluster.node();
    cluster.merge("{\"spec\": {\"unschedulable\": true}}");
    cluster.attach("va-1", "n1");
    assertThat(wait(Duration.ofMillis(50))).isEqualTo(Outcome.TIMED_OUT);
  }

  @Test
  void aNodeThatIsGoneIsToo() {
    cluster.attach("va-1", "n1");
    assertThat(wait(Duration.ofMillis(50))).isEqualTo(Outcome.TIMED_OUT);
    cluster.delete(Resources.ATTACHMENTS, "va-1");
    assertThat(wait(LONG)).isEqualTo(Outcome.DETACHED);
  }

  @Test
  void aServerThatIsAwayForAWhileIsAskedAgain() {
    cluster.node();
    cluster.attach("va-1", "n1");
    var requests = new AtomicInteger();
    cluster.trouble =
        (_, _) -> {
          if (requests.incrementAndGet() <= 5)
            throw new ApiException.Unreachable("nobody there", new IOException());
        };
    assertThat(wait(LONG)).isEqualTo(Outcome.NODE_STAYS);
  }

  @Test
  void whoMayNotLookIsTold() {
    cluster.trouble =
        (_, _) -> {
          throw Cluster.forbidden();
        };
    assertThatThrownBy(() -> wait(LONG))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("n1");
  }
}
