package dev.berth.kube.cache;

import static dev.berth.kube.object.Resources.DEFINITIONS;
import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.OTHER;
import static dev.berth.kube.testing.Thing.color;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.ApiException.Details;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.testing.MemoryServer;
import dev.berth.kube.testing.Silence;
import dev.berth.kube.testing.Thing;
import dev.berth.kube.testing.VirtualTime;
import dev.berth.kube.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

@ExtendWith(Silence.class)
class CachesTest {
  private static final Index<Thing> BY_COLOR =
      new Index<>(KIND, "color", thing -> List.of(thing.color()));

  private final VirtualTime time = new VirtualTime(1);
  private final MemoryServer server = new MemoryServer();
  private final Caches caches = Caches.of(server, time, List.of(KIND));
  private final List<String> told = new ArrayList<>();

  private void start() {
    caches.follow(List.of(KIND), new Seen());
    caches.start();
    time.settle();
  }

  /// What the follower has been told, now that it has been.
  private List<String> seen() {
    time.settle();
    return told;
  }

  private final class Seen implements Follower {
    @Override
    public void filled(Snapshot first) {
      told.add("filled with " + first.all(KIND).size());
    }

    @Override
    public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
      var latest = change.latest();
      boolean there = with.get(kind, latest.meta().key()).found().equals(change.after());
      assertThat(there).as("the snapshot has the change").isTrue();
      told.add(
          latest.meta().name()
              + " "
              + change.after().map(it -> ((Thing) it).color()).orElse("gone"));
    }
  }

  private String shown(String name) {
    return caches.snapshot().get(KIND, key(name)).found().map(Thing::color).orElse("none");
  }

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
  void anOwnWriteIsShownBeforeItsAnswerReturnsAndOnlyOnce() {
    start();
    server.lag();
    caches.api().create(KIND.resource(), thing("a", "red"));
    assertThat(shown("a")).isEqualTo("red");
    caches.api().patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    assertThat(shown("a")).isEqualTo("blue");
    server.catchUp();
    assertThat(shown("a")).isEqualTo("blue");
    assertThat(seen()).containsExactly("filled with 0", "a red", "a blue");
  }

  @Test
  void aDeletedObjectDoesNotComeBackByLateNews() {
    start();
    server.lag();
    caches.api().create(KIND.resource(), thing("a", "red"));
    caches.api().delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT);
    server.catchUp();
    assertThat(shown("a")).isEqualTo("none");
    assertThat(seen()).containsExactly("filled with 0", "a red", "a gone");
  }

  @Test
  void aSuccessorOfTheSameNameIsNotTakenForTheDeceased() {
    start();
    caches.api().create(KIND.resource(), thing("a", "red"));
    server.lag();
    caches.api().delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT);
    caches.api().create(KIND.resource(), thing("a", "blue"));
    server.catchUp();
    assertThat(shown("a")).isEqualTo("blue");
    assertThat(seen()).containsExactly("filled with 0", "a red", "a gone", "a blue");
  }

  @Test
  void whoeverMayNotWriteAnyMoreStillReads() { // ONE-19
    server.create(KIND.resource(), thing("a", "red"));
    start();
    Runnable fence =
        () -> {
          throw new IllegalStateException("deposed");
        };
    var fenced = caches.api().by(new Caller(Caller.Urgency.INTERACTIVE, Optional.empty(), fence));
    var red = thing("a", "red");
    var blue = Patch.merge(color("blue"));
    for (var write :
        List.<Runnable>of(
            () -> fenced.create(KIND.resource(), thing("b", "red")),
            () -> fenced.update(KIND.resource(), red),
            () -> fenced.updateStatus(KIND.resource(), red),
            () -> fenced.patch(KIND.resource(), key("a"), blue),
            () -> fenced.patchStatus(KIND.resource(), key("a"), blue),
            () -> fenced.post(KIND.resource(), key("a"), "binding", red),
            () -> fenced.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT)))
      assertThatThrownBy(write::run).hasMessage("deposed");
    assertThat(fenced.get(KIND.resource(), key("a")).path("color").asText()).isEqualTo("red");
    assertThat(seen()).containsExactly("filled with 1");
  }

  @Test
  void aKindThatMayNotBeListedKeepsThoseWaitingWhoFollowItAndTellsThem() { // ONE-23
    server.refuseLists(OTHER.resource());
    var both = Caches.of(server, time, List.of(KIND, OTHER));
    both.follow(List.of(KIND), new Seen());
    var waiting = new ArrayList<String>();
    var follower = new Hindered(waiting);
    both.follow(List.of(KIND, OTHER), follower);
    both.start();
    time.advance(Duration.ofMinutes(5));
    assertThat(seen()).containsExactly("filled with 0");
    assertThat(waiting).containsExactly("may not list Other: others are forbidden");
    assertThat(both.refused()).containsExactly(Map.entry(OTHER, "others are forbidden"));
    var late = new ArrayList<String>();
    both.follow(List.of(OTHER), new Hindered(late));
    time.settle();
    assertThat(late).containsExactly("may not list Other: others are forbidden");
    server.allowLists();
    time.advance(Duration.ofSeconds(30));
    assertThat(waiting).last().isEqualTo("filled");
    assertThat(late).last().isEqualTo("filled");
    assertThat(both.refused()).isEmpty();
  }

  private record Hindered(List<String> told) implements Follower {
    @Override
    public void refused(Kind<?> kind, String why) {
      told.add("may not list " + kind + ": " + why);
    }

    @Override
    public void filled(Snapshot first) {
      told.add("filled");
    }

    @Override
    public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {}
  }

  /// As upstream's ClusterRoles have it of snapshots.
  @Test
  void aKindThatMayBeListedButNotWatchedIsListedAgain() { // PROV-189
    server.refuseWatches(KIND.resource());
    start();
    server.create(KIND.resource(), thing("a", "red"));
    time.advance(Duration.ofSeconds(31));
    assertThat(seen()).containsExactly("filled with 0", "a red");
    server.allowWatches();
    time.advance(Duration.ofSeconds(31));
    server.create(KIND.resource(), thing("b", "red"));
    assertThat(seen()).last().isEqualTo("b red");
  }

  @Test
  void notFoundIsLearnt() {
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.lag();
    server.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT);
    assertThatThrownBy(
            () -> caches.api().patch(KIND.resource(), key("a"), Patch.merge(color("blue"))))
        .isInstanceOf(ApiException.class);
    assertThat(shown("a")).isEqualTo("none");
    server.catchUp();
    assertThat(seen()).containsExactly("filled with 1", "a gone");
  }

  @Test
  void anObjectGoesWithItsLastFinalizer() {
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.lag();
    caches.api().patch(KIND.resource(), key("a"), Patch.merge(freed()));
    assertThat(shown("a")).isEqualTo("none");
  }

  /// What makes the server answer as it does to who takes the last finalizer away.
  private static ObjectNode freed() {
    var patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .put("deletionTimestamp", "2026-01-01T00:00:00Z")
        .put("deletionGracePeriodSeconds", 0)
        .putArray("finalizers");
    return patch;
  }

  private static final Details A = new Details("test", "things", "a");

  /// A write that comes second, made by who has seen a red thing named a, which is blue by now.
  private record LateWrite(String what, BiConsumer<Caches, MemoryServer> write) {
    @Override
    public String toString() {
      return what;
    }
  }

  static final List<LateWrite> lateWrites =
      List.of(
          new LateWrite(
              "an update of an old version",
              (caches, _) ->
                  caches.api().update(KIND.resource(), versioned(thing("a", "green"), "1"))),
          new LateWrite(
              "a patch whose test is refused",
              (caches, _) -> {
                var patch = new JsonPatch().test("red", "color").add("green", "color").patch();
                caches.api().patch(KIND.resource(), key("a"), patch);
              }),
          new LateWrite(
              "a deletion of what had the name before",
              (caches, _) ->
                  caches.api().delete(KIND.resource(), key("a"), DeleteOptions.uid("before"))),
          new LateWrite(
              "a creation under a name that is taken",
              (caches, _) -> caches.api().create(KIND.resource(), thing("a", "green"))),
          new LateWrite(
              "a creation under a made-up name that is taken",
              (caches, server) -> {
                server.refuse(ApiException.of(409, "AlreadyExists", "no unique name", A));
                var unnamed = thing("", "green");
                unnamed.withObject("metadata").put("generateName", "a");
                caches.api().create(KIND.resource(), unnamed);
              }),
          new LateWrite(
              "a binding of what is bound",
              (caches, server) -> {
                server.refuse(ApiException.of(409, "Conflict", "already assigned", A));
                caches.api().post(KIND.resource(), key("a"), "binding", thing("a", "x"));
              }),
          new LateWrite(
              "a creation that loses against the change of another object",
              (caches, server) -> {
                server.refuse(ApiException.of(409, "Conflict", "quota modified", A));
                caches.api().create(KIND.resource(), thing("b", "green"));
              }));

  private static ObjectNode versioned(ObjectNode object, String version) {
    object.withObject("metadata").put("resourceVersion", version);
    return object;
  }

  @ParameterizedTest
  @FieldSource("lateWrites")
  void whoLosesARaceLearnsWhatTheWinnerWrote(LateWrite late) {
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.lag();
    server.patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    assertThatThrownBy(() -> late.write.accept(caches, server))
        .isInstanceOf(ApiException.LostRace.class);
    assertThat(shown("a")).isEqualTo("blue");
  }

  @Test
  void whatIsInvalidIsNoLostRace() {
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.refuse(ApiException.of(422, "Invalid", "Thing \"a\" is invalid: no such color", A));
    var patch = new JsonPatch().test("red", "color").add("?", "color").patch();
    assertThatThrownBy(() -> caches.api().patch(KIND.resource(), key("a"), patch))
        .isNotInstanceOf(ApiException.LostRace.class);
  }

  static final List<Details> missing =
      List.of(
          new Details("", "namespaces", "ns"),
          new Details("", "namespaces", "a"),
          new Details("test", "things", "b"),
          Details.NONE); // a kind or a subresource that is not served

  @ParameterizedTest
  @FieldSource("missing")
  void whatIsMissingBesideAnObjectDoesNotBuryIt(Details details) {
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.refuse(ApiException.of(404, "NotFound", "not found", details));
    assertThatThrownBy(
            () -> caches.api().patch(KIND.resource(), key("a"), Patch.merge(color("blue"))))
        .isInstanceOf(ApiException.class);
    assertThat(shown("a")).isEqualTo("red");
  }

  @Test
  void theAnswerToAPostIsLookedUp() {
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.lag();
    caches.api().post(KIND.resource(), key("a"), "binding", thing("a", "x"));
    assertThat(seen()).containsExactly("filled with 1", "a red");
  }

  @Test
  void aPostWhoseAnswerCannotBeLookedUpIsDoneAllTheSame() {
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.refuseGets(new ApiException(500, "InternalError", "out of breath"));
    caches.api().post(KIND.resource(), key("a"), "binding", thing("a", "x"));
    time.settle();
    assertThat(seen()).as("by the watch").containsExactly("filled with 1", "a red");
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
  void anAnswerThatTheWatchHasOvertakenIsOldHat() {
    start();
    var created = server.create(KIND.resource(), thing("a", "red"));
    server.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT);
    caches.answered(KIND.resource(), created);
    assertThat(shown("a")).isEqualTo("none");
  }

  @Test
  void aKindThatNobodyWantsIsNotAskedFor() { // ONE-13
    try (var both = Caches.of(server, time, List.of(KIND, OTHER))) {
      both.want(List.of(OTHER));
      time.settle();
      assertThat(server.lists).isEqualTo(1);
      assertThat(both.unfilled()).isEmpty();
      both.want(List.of(OTHER, KIND));
      time.settle();
      assertThat(server.lists).isEqualTo(2);
    }
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

  /// A kind whose records cannot be made of some objects.
  private static final Kind<Thing> CHOOSY =
      new Kind<>(
          KIND.resource(),
          tree -> {
            var thing = KIND.read().apply(tree);
            if (thing.color().equals("?")) throw new IllegalArgumentException("no color");
            return thing;
          });

  private Caches choosy() {
    var some = Caches.of(server, time, List.of(CHOOSY));
    some.follow(List.of(CHOOSY), new Seen());
    some.start();
    time.settle();
    return some;
  }

  @Test
  void anObjectThatCannotBeReadHoldsUpNoWatch() {
    var some = choosy();
    server.create(KIND.resource(), thing("a", "?"));
    server.cut();
    time.advance(Duration.ofSeconds(1));
    assertThat(server.watchedFrom).as("the next watch begins after it").containsExactly(9L, 10L);
    server.create(KIND.resource(), thing("b", "red"));
    assertThat(seen()).containsExactly("filled with 0", "b red");
    assertThat(some.snapshot().unknown(KIND, key("a"))).isPresent();
    server.patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    assertThat(some.snapshot().unknown(KIND, key("a"))).isEmpty();
    some.close();
  }

  @Test
  void anObjectThatCanNoLongerBeReadIsNotGone() {
    server.create(KIND.resource(), thing("a", "red"));
    var some = choosy();
    server.patch(KIND.resource(), key("a"), Patch.merge(color("?")));
    server.forget();
    server.lag();
    server.create(KIND.resource(), thing("b", "red"));
    server.forget();
    server.cut();
    server.catchUp();
    time.advance(Duration.ofSeconds(1));
    assertThat(server.lists).isEqualTo(2);
    assertThat(seen())
        .as("it is shown again as it was when it could not be read")
        .containsExactly("filled with 1", "a red", "b red", "a red");
    assertThat(some.snapshot().unknown(KIND, key("a")).orElseThrow())
        .startsWith("cannot be read at version 11: ")
        .endsWith("no color");
    server.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT);
    assertThat(seen()).as("that it went needs no reading").endsWith("a gone");
    assertThat(some.snapshot().unknown(KIND)).isEmpty();
    some.close();
  }

  @Test
  void aFollowerThatFailsKeepsNothingFromTheOthers() {
    caches.follow(
        List.of(KIND),
        new Follower() {
          @Override
          public void filled(Snapshot first) {
            throw new IllegalStateException("broken");
          }

          @Override
          public <T extends KubeObject> void changed(
              Kind<T> kind, Change<T> change, Snapshot with) {
            throw new AssertionError("broken");
          }
        });
    start();
    server.create(KIND.resource(), thing("a", "red"));
    assertThat(seen()).containsExactly("filled with 0", "a red");
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
  void anOwnWriteThatLeavesTheScopeLeavesTheCache() {
    var red =
        Scope.<Thing>selected(KIND, Selector.fields("color=red"), it -> it.color().equals("red"));
    var some = new Caches(server, time, List.of(red));
    some.start();
    time.settle();
    server.lag(); // it does not know the selector
    some.api().create(KIND.resource(), thing("a", "red"));
    assertThat(some.snapshot().all(KIND)).hasSize(1);
    some.api().patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    assertThat(some.snapshot().all(KIND)).isEmpty();
    some.api().patch(KIND.resource(), key("a"), Patch.merge(color("red")));
    assertThat(some.snapshot().all(KIND)).hasSize(1);
  }

  @Test
  void lookingForAKindThatIsNotCachedIsAMistake() {
    assertThatThrownBy(() -> caches.snapshot().all(OTHER)).hasMessageContaining("Other");
    assertThat(Snapshots.empty().all(OTHER)).isEmpty();
  }

  @Test
  void aFollowerThatBlocksHoldsUpNeitherAWriteNorASnapshotNorAnotherFollower() throws Exception {
    try (var threads = new SystemTime("test")) {
      var real = Caches.of(server, threads, List.of(KIND));
      var entered = new CountDownLatch(1);
      var free = new CountDownLatch(1);
      var others = new LinkedBlockingQueue<String>();
      real.follow(
          List.of(KIND),
          follower(_ -> {
            entered.countDown();
            free.await();
          }));
      real.follow(List.of(KIND), follower(others::put));
      real.start();
      try {
        assertThat(others.poll(20, TimeUnit.SECONDS)).isEqualTo("filled");
        assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
        real.api().create(KIND.resource(), thing("a", "red"));
        real.api().create(KIND.resource(), thing("b", "red"));
        assertThat(real.snapshot().all(KIND)).hasSize(2);
        assertThat(others.poll(20, TimeUnit.SECONDS)).isEqualTo("a");
        assertThat(others.poll(20, TimeUnit.SECONDS)).isEqualTo("b");
      } finally {
        free.countDown();
        real.close();
      }
    }
  }

  /// Takes a piece of news, and its time.
  private interface Reader {
    void read(String news) throws InterruptedException;
  }

  private static Follower follower(Reader reader) {
    return new Follower() {
      @Override
      public void filled(Snapshot first) {
        read("filled");
      }

      @Override
      public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
        read(change.latest().meta().name());
      }

      private void read(String news) {
        try {
          reader.read(news);
        } catch (InterruptedException stop) {
          throw new IllegalStateException(stop);
        }
      }
    };
  }

  @Test
  void whoCatchesUpHasHeardOfEverythingThatItsSnapshotShows() {
    var following = caches.follow(List.of(KIND), new Seen());
    caches.start();
    time.settle();
    caches.api().create(KIND.resource(), thing("a", "red"));
    assertThat(told).containsExactly("filled with 0");
    assertThat(following.idle()).isFalse();
    following.catchUp();
    assertThat(told).containsExactly("filled with 0", "a red");
    assertThat(following.idle()).isTrue();
    assertThat(seen()).as("and is not told again").hasSize(2);
  }

  @Test
  void afterUnfollowNothingIsToldNotEvenWhatIsOnItsWay() {
    var follower = new Seen();
    caches.follow(List.of(KIND), follower);
    caches.start();
    time.settle();
    caches.api().create(KIND.resource(), thing("a", "red"));
    caches.unfollow(follower);
    assertThat(seen()).containsExactly("filled with 0");
  }

  @Test
  void aKindThatIsNotInstalledIsEmptyAndComesAliveWithItsDefinition() {
    server.install(DEFINITIONS);
    server.uninstall(KIND.resource());
    start();
    assertThat(seen()).containsExactly("filled with 0");
    assertThat(caches.unfilled()).isEmpty();
    time.advance(Duration.ofHours(1));
    assertThat(server.lists).as("of the kind and of its definition, once each").isEqualTo(2);
    server.install(KIND.resource());
    server.create(KIND.resource(), thing("a", "red"));
    server.create(DEFINITIONS, definition("False"));
    time.advance(Duration.ofHours(1));
    assertThat(seen()).as("its definition is not in force yet").hasSize(1);
    server.patch(DEFINITIONS, ObjectKey.cluster("things.test"), Patch.merge(definition("True")));
    time.advance(Duration.ofSeconds(1));
    assertThat(seen()).containsExactly("filled with 0", "a red");
    server.create(KIND.resource(), thing("b", "red"));
    assertThat(seen()).endsWith("b red");
    assertThat(time.pending()).isZero();
  }

  private static ObjectNode definition(String established) {
    var definition = JsonNodeFactory.instance.objectNode();
    definition.putObject("metadata").put("name", "things.test");
    definition
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Established")
        .put("status", established);
    return definition;
  }

  @Test
  void whereDefinitionsAreNotShownAMissingKindIsAskedForOnceAMinute() {
    server.uninstall(KIND.resource());
    server.uninstall(DEFINITIONS);
    start();
    time.advance(Duration.ofHours(1));
    assertThat(server.lists).isBetween(2 * 55, 2 * 62);
    server.install(KIND.resource());
    server.create(KIND.resource(), thing("a", "red"));
    time.advance(Duration.ofMinutes(1));
    assertThat(seen()).containsExactly("filled with 0", "a red");
  }

  @Test
  void aKindThatWasThereIsGoneOnlyWhenItsAbsenceLasts() {
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.uninstall(KIND.resource());
    server.cut();
    time.advance(Duration.ofSeconds(10));
    assertThat(shown("a")).as("a server that starts may not know it yet").isEqualTo("red");
    time.advance(Duration.ofMinutes(2));
    assertThat(seen()).containsExactly("filled with 1", "a gone");
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
