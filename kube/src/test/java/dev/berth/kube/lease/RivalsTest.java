package dev.berth.kube.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.testing.MemoryServer;
import dev.berth.kube.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Two who renew one Lease that only one should, on virtual time.
class RivalsTest {
  private static final ObjectKey KEY = ObjectKey.of("kube-node-lease", "n");

  private final VirtualTime time = new VirtualTime(7);
  private final MemoryServer server = new MemoryServer();
  private final List<String> toA = new ArrayList<>();
  private final List<String> toB = new ArrayList<>();

  private Heartbeat beat(String self, List<String> told) {
    var heartbeat =
        new Heartbeat(
            server,
            KEY,
            "n",
            Duration.ofSeconds(40),
            time,
            Optional::empty,
            Optional.of(new Rivals(self, told::add)));
    heartbeat.start();
    time.settle();
    return heartbeat;
  }

  @Test
  void eachIsToldOfTheOtherOnceAndBothGoOn() {
    beat("A", toA);
    time.advance(Duration.ofMinutes(2));
    assertThat(toA).as("alone").isEmpty();
    time.advance(Duration.ofSeconds(4));
    beat("B", toB);
    assertThat(toB)
        .singleElement()
        .asString()
        .startsWith("its Lease was renewed 4 s ago by another agent, A:");
    time.advance(Duration.ofMinutes(5));
    assertThat(toA).singleElement().asString().contains("renews its Lease: B.");
    assertThat(toB).hasSize(2).last().asString().contains("renews its Lease: A.");
    var renewed = server.get(Resources.LEASES, KEY).at("/spec/renewTime").asText();
    time.advance(Duration.ofSeconds(20));
    assertThat(server.get(Resources.LEASES, KEY).at("/spec/renewTime").asText())
        .isNotEqualTo(renewed);
  }

  @Test
  void itselfAfterARestartAndOneThatHasEndedAreNone() {
    beat("A", toA).close();
    beat("A", toA).close();
    assertThat(toA).as("the same again").isEmpty();
    time.advance(Duration.ofSeconds(41));
    beat("B", toB).release();
    assertThat(toB).as("A has ended").isEmpty();
    beat("A", toA);
    assertThat(toA).as("B has given it up").isEmpty();
  }

  @Test
  void whoeverWritesSomethingElseIsNone() {
    beat("A", toA);
    var patch = JsonNodeFactory.instance.objectNode();
    patch.withObject("/metadata/labels").put("colour", "blue");
    server.patch(Resources.LEASES, KEY, Patch.merge(patch));
    time.advance(Duration.ofMinutes(1));
    assertThat(toA).isEmpty();
    assertThat(server.get(Resources.LEASES, KEY).at("/metadata/labels/colour").asText())
        .isEqualTo("blue");
  }
}
