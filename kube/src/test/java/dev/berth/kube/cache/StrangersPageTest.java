package dev.berth.kube.cache;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.testing.Thing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A load balancer before the server. One that has lost its servers answers everything with a page
/// of its own: that says nothing of what there is.
class StrangersPageTest extends Watching {
  private final ApiException page = new ApiException(404, "", "default backend - 404");

  @Test
  void whatWasThereIsNotGone() {
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.fail(Optional.of(page));
    server.cut();
    time.advance(Duration.ofMinutes(3));
    assertThat(seen()).containsExactly("filled with 1");
    server.fail(Optional.empty());
    server.create(KIND.resource(), thing("b", "red"));
    time.advance(Duration.ofSeconds(30));
    assertThat(seen()).containsExactly("filled with 1", "b red");
  }

  @Test
  void whoStartsWaits() {
    server.fail(Optional.of(page));
    start();
    time.advance(Duration.ofMinutes(3));
    assertThat(seen()).isEmpty();
    assertThat(caches.unfilled()).isNotEmpty();
    server.fail(Optional.empty());
    time.advance(Duration.ofSeconds(30));
    assertThat(seen()).containsExactly("filled with 0");
  }

  /// As one that allows each connection ten seconds: what changes meanwhile is seen soon.
  @Test
  void watchesThatAreEndedAgainAndAgainAreResumedSoon() {
    start();
    for (int i = 0; i < 20; i++) {
      time.advance(Duration.ofSeconds(10));
      server.cut();
      time.advance(Duration.ofMillis(1_100)); // a tenth of what it lasted, at the most
      assertThat(server.openWatches()).as("after %d of them", i).isOne();
    }
  }

  /// Whatever says so is no API server, or none that is ready.
  @Test
  void thereIsNoServerWithoutPods() {
    assertThat(unfilledWithout(Resources.PODS)).isTrue();
    assertThat(unfilledWithout(Resources.ATTACHMENTS)).isTrue();
    assertThat(unfilledWithout(Resources.ATTRIBUTES_CLASSES)).as("younger than some").isFalse();
  }

  private boolean unfilledWithout(Resource resource) {
    server.uninstall(resource);
    Kind<Thing> kind = new Kind<>(resource, KIND.read());
    try (var some = Caches.of(server, time, List.of(kind))) {
      some.start();
      time.advance(Duration.ofMinutes(3));
      return !some.unfilled().isEmpty();
    }
  }
}
