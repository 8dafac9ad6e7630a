package dev.berth.kube.cache;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.OTHER;
import static dev.berth.kube.testing.Thing.color;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.testing.Thing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What the caches show, and that it is the truth again after whatever the server did.
class CachesTest extends Watching {
  private static final Index<Thing> BY_COLOR =
      new Index<>(KIND, "color", thing -> List.of(thing.color()));

  @Test
  void whatIsThereAndWhatComesIsShownOnceAndInOrder() {
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.create(KIND.resource(), thing("b", "blue"));
    server.patch(KIND.resource(), key("a"), Patch.merge(color("green")));
    server.delete(KIND.resource(), key("b"), DeleteOptions.DEFAULT);
    assertThat(seen()).containsExactly("filled with 1", "b blue", "a green", "b gone");
  }

  @Test
  void aCutWatchIsResumedWithoutAList() {
    start();
    server.lag();
    server.create(KIND.resource(), thing("a", "red"));
    server.cut();
    server.catchUp();
    time.advance(Duration.ofSeconds(1));
    assertThat(shown("a")).isEqualTo("red");
    assertThat(server.lists).isEqualTo(1);
  }

  @Test
  void aQuietKindIsWatchedAgainAtOnceHoweverOftenItsWatchHasEnded() {
    start();
    for (int i = 0; i < 12; i++) {
      time.advance(Duration.ofMinutes(5));
      server.cut();
    }
    server.create(KIND.resource(), thing("a", "red"));
    time.advance(Duration.ofSeconds(1));
    assertThat(shown("a")).isEqualTo("red");
  }

  @Test
  void aWatchThatAlwaysBreaksSoonIsAskedForWithGrowingPauses() {
    start();
    for (int i = 0; i < 300; i++) {
      server.cut();
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(server.watchedFrom).hasSizeLessThan(40);
  }

  @Test
  void whatTheServerForgotIsFoundOutByAList() {
    server.create(KIND.resource(), thing("a", "red"));
    server.create(KIND.resource(), thing("b", "red"));
    start();
    server.lag();
    server.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT);
    server.patch(KIND.resource(), key("b"), Patch.merge(color("blue")));
    server.create(KIND.resource(), thing("c", "red"));
    server.forget();
    server.cut();
    server.catchUp();
    time.advance(Duration.ofSeconds(1));
    assertThat(seen()).containsExactly("filled with 2", "b blue", "c red", "a gone");
  }

  @Test
  void anUnreachableServerIsAskedAgainWithGrowingPauses() {
    server.fail(
        Optional.of(new ApiException.Unreachable("no route", new RuntimeException("test"))));
    start();
    time.advance(Duration.ofMinutes(10));
    assertThat(server.lists).isBetween(15, 70);
    assertThat(caches.unfilled()).containsExactly(KIND);
    server.fail(Optional.empty());
    time.advance(Duration.ofSeconds(30));
    assertThat(seen()).containsExactly("filled with 0");
  }

  @Test
  void afterCloseNothingIsAskedOrShown() {
    start();
    caches.close();
    server.create(KIND.resource(), thing("a", "red"));
    time.advance(Duration.ofMinutes(1));
    assertThat(server.openWatches()).isZero();
    assertThat(time.pending()).isZero();
    assertThat(shown("a")).isEqualTo("none");
  }

  @Test
  void indexesFollowTheObjects() {
    server.create(KIND.resource(), thing("b", "red"));
    server.create(KIND.resource(), thing("a", "red"));
    start();
    var before = caches.snapshot();
    assertThat(before.by(BY_COLOR, "red"))
        .extracting(it -> it.meta().name())
        .containsExactly("a", "b");
    server.patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    server.delete(KIND.resource(), key("b"), DeleteOptions.DEFAULT);
    assertThat(caches.snapshot().by(BY_COLOR, "red")).isEmpty();
    assertThat(caches.snapshot().by(BY_COLOR, "blue")).hasSize(1);
    assertThat(before.by(BY_COLOR, "red")).as("an old snapshot stays as it was").hasSize(2);
  }

  @Test
  void lookingForAKindThatIsNotCachedIsAMistake() {
    assertThatThrownBy(() -> caches.snapshot().all(OTHER)).hasMessageContaining("Other");
    assertThat(Snapshots.empty().all(OTHER)).isEmpty();
  }

  @Test
  void aListThatGoesBackIsTheTruth() {
    server.create(KIND.resource(), thing("a", "red"));
    server.create(KIND.resource(), thing("b", "red"));
    var backup = server.backup();
    server.patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    server.delete(KIND.resource(), key("b"), DeleteOptions.DEFAULT);
    server.create(KIND.resource(), thing("c", "red"));
    start();
    server.restore(backup);
    server.cut();
    time.advance(Duration.ofSeconds(10));
    assertThat(seen()).containsExactly("filled with 2", "a red", "b red", "c gone");
    server.patch(KIND.resource(), key("a"), Patch.merge(color("green")));
    caches.api().patch(KIND.resource(), key("b"), Patch.merge(color("green")));
    assertThat(seen()).as("and goes on from there").endsWith("a green", "b green");
  }

  @Test
  void aListIsTheTruthAlsoWhereTheServerHasCountedOnSinceItWentBack() {
    server.create(KIND.resource(), thing("a", "red"));
    var backup = server.backup();
    server.patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    start();
    server.restore(backup);
    for (int i = 0; i < 9; i++) server.create(OTHER.resource(), thing("o" + i, "red"));
    server.forget();
    server.cut();
    time.advance(Duration.ofSeconds(10));
    assertThat(seen()).containsExactly("filled with 1", "a red");
  }

  @Test
  void aScopeCanBeOneNamespaceOrOneObject() {
    var some = new Caches(server, time, List.of(Scope.of(KIND, "ns"), Scope.one(OTHER, key("a"))));
    server.create(OTHER.resource(), thing("a", "red"));
    server.create(OTHER.resource(), thing("b", "red"));
    some.start();
    time.settle();
    some.api().create(OTHER.resource(), thing("c", "red"));
    assertThat(some.snapshot().all(OTHER)).extracting(it -> it.meta().name()).containsExactly("a");
    assertThat(server.asked)
        .containsExactlyInAnyOrder("things in ns: ", "others in ns: metadata.name=a");
  }
}
