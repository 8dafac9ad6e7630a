package dev.berth.kube.cache;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.OTHER;
import static dev.berth.kube.testing.Thing.color;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.cache.Scope.Reference;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.testing.MemoryServer;
import dev.berth.kube.testing.Silence;
import dev.berth.kube.testing.Thing;
import dev.berth.kube.testing.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Things refer by their color to others, and these to lasts.
@ExtendWith(Silence.class)
class ReferredTest {
  private static final Kind<Thing> LAST =
      new Kind<>(new Resource("test", "v1", "lasts", "Last", true), KIND.read());
  private static final List<Scope<?>> SCOPES =
      List.of(
          Scope.all(KIND),
          Scope.referred(OTHER, Reference.of(KIND, ReferredTest::refersTo)),
          Scope.referred(LAST, Reference.of(OTHER, ReferredTest::refersTo)));

  private final VirtualTime time = new VirtualTime(1);
  private final MemoryServer server = new MemoryServer();
  private final Caches caches = new Caches(server, time, SCOPES);
  private final List<String> told = new ArrayList<>();

  private static List<ObjectKey> refersTo(Thing thing) {
    return thing.color().isEmpty() ? List.of() : List.of(key(thing.color()));
  }

  private void start() {
    caches.follow(
        List.of(KIND, OTHER, LAST),
        new Follower() {
          @Override
          public void filled(Snapshot first) {
            told.add("filled with " + first.all(LAST).size());
          }

          @Override
          public <T extends KubeObject> void changed(
              Kind<T> kind, Change<T> change, Snapshot with) {
            told.add(change.latest().meta().name() + (change.after().isEmpty() ? " gone" : ""));
          }
        });
    caches.start();
    time.settle();
  }

  private List<String> names(Kind<Thing> kind) {
    time.settle();
    return caches.snapshot().all(kind).stream().map(it -> it.meta().name()).toList();
  }

  private Optional<String> unknown(Kind<Thing> kind, String name) {
    return caches.snapshot().unknown(kind, key(name));
  }

  private void create(Kind<Thing> kind, String name, String refersTo) {
    server.create(kind.resource(), thing(name, refersTo));
  }

  @Test
  void onlyWhatIsReferredToIsAskedForByItsName() {
    create(LAST, "l", "");
    create(LAST, "foreign", "");
    create(OTHER, "o", "l");
    create(OTHER, "foreign", "foreign");
    create(KIND, "t", "o");
    start();
    assertThat(told)
        .as("all that is referred to is there from the first")
        .containsExactly("filled with 1");
    assertThat(names(OTHER)).containsExactly("o");
    assertThat(names(LAST)).containsExactly("l");
    assertThat(server.asked)
        .containsExactly(
            "things in : ", "others in ns: metadata.name=o", "lasts in ns: metadata.name=l");
  }

  @Test
  void decisionsWaitUntilEveryNameHasBeenLookedUp() {
    create(KIND, "t", "o");
    server.refuseLists(OTHER.resource());
    start();
    assertThat(told).isEmpty();
    assertThat(caches.unfilled()).containsExactly(OTHER, LAST);
    assertThat(unknown(OTHER, "o")).contains("has not been looked up yet");
    server.allowLists();
    time.advance(Duration.ofSeconds(30));
    assertThat(told).containsExactly("filled with 0");
    assertThat(unknown(OTHER, "o")).as("it is known that there is none").isEmpty();
  }

  @Test
  void theSetGrowsAndShrinksWithWhatRefers() {
    create(LAST, "l", "");
    create(OTHER, "o", "l");
    create(OTHER, "p", "");
    create(KIND, "t", "");
    start();
    create(KIND, "u", "o");
    assertThat(names(OTHER)).containsExactly("o");
    assertThat(names(LAST)).containsExactly("l");
    server.patch(KIND.resource(), key("t"), Patch.merge(color("o")));
    server.delete(KIND.resource(), key("u"), DeleteOptions.DEFAULT);
    assertThat(names(OTHER)).as("another still refers to it").containsExactly("o");
    server.patch(KIND.resource(), key("t"), Patch.merge(color("p")));
    assertThat(names(OTHER)).containsExactly("p");
    assertThat(names(LAST)).isEmpty();
    assertThat(told).contains("o gone", "l gone");
    assertThat(server.openWatches()).as("of things, and of p").isEqualTo(2);
    server.patch(KIND.resource(), key("t"), Patch.merge(color("o")));
    assertThat(names(OTHER)).as("it comes back").containsExactly("o");
    assertThat(names(LAST)).containsExactly("l");
  }

  @Test
  void whoRefersToWhatIsNotThereIsShownAgainWhenThatIsKnown() {
    start();
    create(KIND, "t", "o");
    assertThat(unknown(OTHER, "o")).isPresent();
    time.settle();
    assertThat(unknown(OTHER, "o")).isEmpty();
    assertThat(told).containsExactly("filled with 0", "t", "t");
    create(OTHER, "o", "");
    assertThat(names(OTHER)).containsExactly("o");
  }

  @Test
  void ownWritesAreSeenOfWhatIsReferredToAndOfNothingElse() {
    create(KIND, "t", "o");
    start();
    server.lag();
    caches.api().create(OTHER.resource(), thing("o", ""));
    caches.api().create(OTHER.resource(), thing("foreign", ""));
    assertThat(names(OTHER)).containsExactly("o");
    caches.api().delete(OTHER.resource(), key("o"), DeleteOptions.DEFAULT);
    assertThat(names(OTHER)).isEmpty();
  }

  @Test
  void anUnreadableObjectShowsThoseAgainThatReferToIt() {
    var choosy =
        new Kind<>(
            OTHER.resource(),
            tree -> {
              var read = OTHER.read().apply(tree);
              if (read.color().equals("?")) throw new IllegalArgumentException("no color");
              return read;
            });
    var some =
        new Caches(
            server,
            time,
            List.of(
                Scope.all(KIND),
                Scope.referred(choosy, Reference.of(KIND, ReferredTest::refersTo))));
    create(OTHER, "o", "?");
    create(KIND, "t", "o");
    some.start();
    time.settle();
    assertThat(some.unfilled()).as("it holds nobody up").isEmpty();
    assertThat(some.snapshot().unknown(choosy, key("o")).orElseThrow()).endsWith("no color");
    some.close();
  }

  @Test
  void whoRefersMustBeCached() {
    assertThatThrownBy(() -> new Caches(server, time, SCOPES.subList(2, 3)))
        .hasMessage("Other refers to Last, but is not cached");
  }

  @Test
  void afterCloseNothingIsOpen() {
    create(OTHER, "o", "");
    create(KIND, "t", "o");
    start();
    caches.close();
    assertThat(server.openWatches()).isZero();
    assertThat(time.pending()).isZero();
  }

  @Test
  void aNameThatMayNotBeLookedUpIsTriedAgain() {
    create(OTHER, "o", "");
    start();
    server.refuseLists(OTHER.resource());
    create(KIND, "t", "o");
    time.advance(Duration.ofMinutes(1));
    assertThat(unknown(OTHER, "o")).isPresent();
    server.allowLists();
    time.advance(Duration.ofMinutes(1));
    assertThat(names(OTHER)).containsExactly("o");
  }

  /// It is filed; what it refers to stays as it was.
  @Test
  void whatCannotSayToWhatItRefersIsKnownAllTheSame() {
    var some =
        new Caches(
            server,
            time,
            List.of(
                Scope.all(KIND),
                Scope.referred(
                    OTHER,
                    Reference.of(
                        KIND,
                        thing -> {
                          if (thing.color().equals("?"))
                            throw new IllegalStateException("a defect");
                          return refersTo(thing);
                        }))));
    create(OTHER, "o", "");
    create(KIND, "t", "o");
    some.start();
    time.settle();
    server.patch(KIND.resource(), key("t"), Patch.merge(color("?")));
    create(KIND, "u", "?");
    time.settle();
    assertThat(some.snapshot().all(KIND)).extracting(Thing::color).containsExactly("?", "?");
    assertThat(some.snapshot().all(OTHER)).as("it may refer to it still").hasSize(1);
    server.delete(KIND.resource(), key("u"), DeleteOptions.DEFAULT);
    server.patch(KIND.resource(), key("t"), Patch.merge(color("p")));
    time.settle();
    assertThat(some.snapshot().all(KIND)).extracting(Thing::color).containsExactly("p");
    assertThat(some.snapshot().all(OTHER)).as("now it does not").isEmpty();
    assertThat(some.snapshot().unknown(KIND)).isEmpty();
    server.delete(KIND.resource(), key("t"), DeleteOptions.DEFAULT);
    time.settle();
    assertThat(some.snapshot().all(KIND)).isEmpty();
    assertThat(server.openWatches()).as("of things").isEqualTo(1);
    some.close();
  }
}
