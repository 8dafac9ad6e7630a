package dev.berth.kube.cache;

import static dev.berth.kube.testing.Thing.KIND;
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
import dev.berth.kube.testing.MemoryServer;
import dev.berth.kube.testing.Thing;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What the caches learn from the writes of their own process, those that came second included.
class OwnWritesTest extends Watching {
  @Test
  void anOwnWriteIsShownBeforeItsAnswerReturnsAndOnlyOnce() { // BIND-02, RSZ-24
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

  /// Most of what a watch shows is such.
  @Test
  void whatTheWatchShowsOfAnOwnWriteIsNotReadAgain() {
    var reads = new AtomicInteger();
    var counted =
        new Kind<>(
            KIND.resource(),
            json -> {
              reads.incrementAndGet();
              return KIND.read().apply(json);
            });
    var own = Caches.of(server, time, List.of(counted));
    own.start();
    time.settle();
    server.lag();
    own.api().create(KIND.resource(), thing("a", "red"));
    server.catchUp();
    time.settle();
    assertThat(reads).hasValue(1);
    server.create(KIND.resource(), thing("b", "red"));
    time.settle();
    assertThat(reads).as("what others write is").hasValue(2);
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
  void anAnswerThatTheWatchHasOvertakenIsOldHat() {
    start();
    var created = server.create(KIND.resource(), thing("a", "red"));
    server.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT);
    caches.answered(KIND.resource(), created);
    assertThat(shown("a")).isEqualTo("none");
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
}
