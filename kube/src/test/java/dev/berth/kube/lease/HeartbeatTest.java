package dev.berth.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.Caller;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.testing.MemoryServer;
import dev.berth.kube.testing.Silence;
import dev.berth.kube.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// NRUN-13, XPL-08: a Lease that is renewed whatever goes wrong, on virtual time.
@ExtendWith(Silence.class)
class HeartbeatTest {
  private static final ObjectKey KEY = ObjectKey.of("kube-node-lease", "n");

  private final VirtualTime time = new VirtualTime(7);
  private final MemoryServer server = new MemoryServer();
  private final Line line = new Line(server);
  private final List<String> told = new ArrayList<>();
  private final Heartbeat heartbeat =
      new Heartbeat(
          line.api,
          KEY,
          "n",
          Duration.ofSeconds(40),
          time,
          Optional::empty,
          Optional.of(new Rivals("A", told::add)));

  private void start() {
    heartbeat.start();
    time.settle();
  }

  private String lease(String field) {
    return server.get(Resources.LEASES, KEY).at("/spec/" + field).asText("?");
  }

  @Test
  void aDefectDoesNotEndTheRenewals() {
    start();
    line.beforeWrite =
        () -> {
          throw new IllegalStateException("a defect");
        };
    time.advance(Duration.ofSeconds(20));
    assertThat(lease("renewTime")).isEqualTo("2026-01-01T00:00:20.000000Z");
  }

  @Test
  void anErrorDoesNotEndTheRenewals() {
    line.beforeWrite =
        () -> {
          throw new InternalError("a test's");
        };
    start();
    time.advance(Duration.ofSeconds(10));
    assertThat(lease("renewTime")).isEqualTo("2026-01-01T00:00:10.000000Z");
  }

  /// As the kubelet: 10 s, so that a renewal that hangs leaves time for another.
  @Test
  void anAnswerIsNotAwaitedForLong() {
    assertThat(line.caller.flatMap(Caller::limit)).contains(Duration.ofSeconds(10));
  }

  @Test
  void nobodyWaitsForAServer() {
    line.beforeWrite = () -> assertThat(Thread.holdsLock(heartbeat)).isFalse();
    start();
    assertThat(lease("holderIdentity")).isEqualTo("n");
    line.beforeWrite = () -> assertThat(Thread.holdsLock(heartbeat)).isFalse();
    heartbeat.release();
    assertThat(lease("holderIdentity")).isEmpty();
  }

  @Test
  void aLeaseThatIsRenewedWhileItIsReleasedIsGivenUp() {
    start();
    line.beforeWrite = heartbeat::release;
    time.advance(Duration.ofMinutes(1));
    assertThat(lease("holderIdentity")).isEmpty();
    assertThat(told).as("nobody else was there").isEmpty();
  }

  @Test
  void aLeaseThatIsMadeWhileItIsReleasedIsGivenUp() {
    line.beforeWrite = heartbeat::release;
    start();
    assertThat(lease("holderIdentity")).isEmpty();
    assertThat(time.pending()).isZero();
  }

  @Test
  void oneThatIsClosedRunsOut() {
    start();
    heartbeat.close();
    time.advance(Duration.ofMinutes(1));
    assertThat(lease("holderIdentity")).isEqualTo("n");
    assertThat(lease("renewTime")).isEqualTo("2026-01-01T00:00:00.000000Z");
  }
}
