package dev.berth.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.testing.MemoryServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// One watch at a time, whatever comes while it is asked for.
class LeaseWatchTest {
  private static final ObjectKey KEY = ObjectKey.of("storage", "disk-berth-dev");

  private final MemoryServer server = new MemoryServer();
  private final Line line = new Line(server);
  private final List<String> told = new ArrayList<>();
  private final LeaseWatch watch =
      new LeaseWatch(
          line.api, KEY, lease -> told.add(Hold.of(lease).holder()), () -> told.add("gone"));
  private final ObjectNode lease =
      server.create(
          Resources.LEASES,
          Hold.NOBODY.takenBy("a", Duration.ofSeconds(15), Instant.EPOCH).newLease(KEY));

  private void takenBy(String name) {
    var taken = server.get(Resources.LEASES, KEY).deepCopy();
    taken.withObject("spec").put("holderIdentity", name);
    server.update(Resources.LEASES, taken);
  }

  @Test
  void oneThatEndsBeforeItIsKnownIsFollowedByAnother() {
    line.afterWatch = server::cut;
    watch.listen(lease);
    watch.listen(lease);
    takenBy("b");
    assertThat(told).containsExactly("b");
  }

  @Test
  void twoWhoAskForOneAtOnceHaveOne() {
    line.afterWatch = () -> watch.listen(lease);
    watch.listen(lease);
    takenBy("b");
    assertThat(told).containsExactly("b");
    watch.close();
    assertThat(server.openWatches()).isZero();
  }

  @Test
  void oneThatIsClosedWhileItIsAskedForIsNone() {
    line.afterWatch = watch::close;
    watch.listen(lease);
    assertThat(server.openWatches()).isZero();
    watch.listen(lease);
    assertThat(server.openWatches()).isZero();
  }

  @Test
  void whatComesLateIsNotTold() {
    watch.listen(lease);
    server.cut();
    watch.listen(lease);
    watch.close();
    takenBy("b");
    assertThat(told).isEmpty();
  }
}
