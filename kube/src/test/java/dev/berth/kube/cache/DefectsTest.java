package dev.berth.kube.cache;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.color;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Kind;
import dev.berth.kube.testing.Thing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What the caches show after something that should not have happened in this process.
class DefectsTest extends Watching {
  private static final Index<Thing> BY_COLOR =
      new Index<>(
          KIND,
          "color",
          thing -> {
            if (thing.color().equals("none")) throw new IllegalStateException("no color");
            return List.of(thing.color());
          });

  @Test
  void anErrorDoesNotEndAKind() {
    var left = new AtomicInteger(1);
    var kind =
        new Kind<>(
            KIND.resource(),
            tree -> {
              if (left.getAndDecrement() > 0) throw new InternalError("a test's");
              return KIND.read().apply(tree);
            });
    server.create(KIND.resource(), thing("a", "red"));
    try (var all = Caches.of(server, time, List.of(kind))) {
      all.start();
      time.advance(Duration.ofSeconds(1));
      assertThat(all.snapshot().all(kind)).extracting(Thing::color).containsExactly("red");
    }
  }

  @Test
  void anObjectThatCannotBeFiledIsDoubtedAndHoldsUpNoOther() {
    assertThat(caches.snapshot().by(BY_COLOR, "red"))
        .isEmpty(); // asked for once, kept up from now on
    server.create(KIND.resource(), thing("a", "none"));
    server.create(KIND.resource(), thing("b", "red"));
    start();
    assertThat(caches.snapshot().by(BY_COLOR, "red")).hasSize(1);
    assertThat(caches.snapshot().unknown(KIND, key("a")).orElse("")).contains("no color");
    assertThat(caches.snapshot().unknown(KIND, key("b"))).isEmpty();
    server.patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    assertThat(shown("a")).isEqualTo("blue");
    assertThat(caches.snapshot().unknown(KIND, key("a"))).isEmpty();
    assertThat(seen()).containsExactly("filled with 1", "a blue");
  }

  @Test
  void anObjectThatCannotBeFiledAnyMoreStaysAsItWasUntilItCan() {
    assertThat(caches.snapshot().by(BY_COLOR, "red")).isEmpty();
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.patch(KIND.resource(), key("a"), Patch.merge(color("none")));
    server.lag();
    server.create(KIND.resource(), thing("b", "red"));
    server.forget();
    server.cut(); // all is listed again
    server.catchUp();
    time.advance(Duration.ofSeconds(1));
    assertThat(server.lists).isEqualTo(2);
    assertThat(shown("b")).isEqualTo("red");
    assertThat(shown("a")).isEqualTo("red");
    assertThat(caches.snapshot().unknown(KIND, key("a")).orElse("")).contains("no color");
    server.patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    assertThat(shown("a")).isEqualTo("blue");
    assertThat(caches.snapshot().by(BY_COLOR, "red")).hasSize(1);
  }
}
