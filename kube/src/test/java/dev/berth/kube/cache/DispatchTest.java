package dev.berth.kube.cache;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.color;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.Patch;
import dev.berth.kube.testing.Thing;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Where many follow a kind, and each wants few of its objects.
class DispatchTest extends Watching {
  private int asked;

  /// By color: one of any color is everybody's, one that is broken cannot be told.
  private final Dispatch<Thing> byColor =
      new Dispatch<>(KIND, "color", (change, _) -> to(change), (_, _) -> Stream.of());

  private List<String> to(Change<Thing> change) {
    asked++;
    if (change.latest().color().equals("broken")) throw new IllegalStateException("broken");
    if (change.latest().color().equals("endless")) throw new StackOverflowError();
    return Stream.concat(change.before().stream(), change.after().stream())
        .map(thing -> thing.color().equals("any") ? Dispatch.EVERYBODY : thing.color())
        .toList();
  }

  private void follow(String... colors) {
    caches.follow(new Interest(Set.of(KIND), Set.of(), List.of(byColor.share(colors))), new Seen());
  }

  @Test
  void aChangeIsToldToThoseWhomItConcernsBeforeOrAfterAndAskedForOnce() {
    for (int i = 0; i < 20; i++) follow("color-" + i);
    follow("red");
    follow("green", "blue");
    caches.start();
    time.settle();
    told.clear();
    server.create(KIND.resource(), thing("a", "red"));
    assertThat(seen()).containsExactly("a red");
    server.patch(KIND.resource(), key("a"), Patch.merge(color("green")));
    assertThat(seen()).containsExactly("a red", "a green", "a green");
    server.patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    assertThat(seen()).as("once, for both names").hasSize(4).endsWith("a blue");
    assertThat(asked).as("questions for three changes and 22 followers").isEqualTo(3);
  }

  @Test
  void whatConcernsAllOrCannotBeToldIsToldToAllWhoFollowThisWay() {
    for (int i = 0; i < 20; i++) follow("color-" + i);
    caches.start();
    time.settle();
    told.clear();
    server.create(KIND.resource(), thing("a", "any"));
    assertThat(seen()).hasSize(20);
    server.create(KIND.resource(), thing("b", "broken"));
    assertThat(seen()).hasSize(40);
    server.create(KIND.resource(), thing("c", "endless"));
    assertThat(seen()).hasSize(60);
  }

  @Test
  void whoOnlyReadsAKindWaitsForItAndHearsNothingOfIt() {
    caches.follow(new Interest(Set.of(KIND), Set.of(), List.of()), new Seen());
    caches.start();
    server.create(KIND.resource(), thing("a", "red"));
    assertThat(seen()).hasSize(1).first().asString().startsWith("filled");
    server.create(KIND.resource(), thing("b", "red"));
    assertThat(seen()).hasSize(1);
  }

  @Test
  void whoHasLeftHearsNothingMore() {
    var follower = new Seen();
    caches.follow(new Interest(Set.of(KIND), Set.of(), List.of(byColor.share("red"))), follower);
    caches.start();
    time.settle();
    caches.unfollow(follower);
    told.clear();
    server.create(KIND.resource(), thing("a", "red"));
    assertThat(seen()).isEmpty();
    assertThat(asked).isZero();
  }
}
