package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.CLAIM;
import static dev.berth.apiserver.core.Samples.POD;
import static dev.berth.apiserver.core.Samples.VOLUME;
import static dev.berth.apiserver.core.Samples.vary;
import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.CONFIG_MAPS;
import static dev.berth.kube.object.Resources.EVENTS;
import static dev.berth.kube.object.Resources.NAMESPACES;
import static dev.berth.kube.object.Resources.PODS;
import static dev.berth.kube.object.Resources.STORAGE_CLASSES;
import static dev.berth.kube.object.Resources.VOLUMES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.api.DeleteOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class DeletionTest {
  private static final String MAP = "{metadata: {namespace: default, name: map}}";
  private static final String BOUND_POD = POD + "  nodeName: node-a\n";
  private static final DeleteOptions NOW = DeleteOptions.DEFAULT.gracePeriodSeconds(0);

  static final List<CoreRule> rules =
      List.of(
          rule("API-85", "a held object waits")
              .given(world -> world.with(VOLUMES, VOLUME))
              .when(world -> world.delete(VOLUMES, "pv-1"))
              .shows(
                  """
                  metadata:
                    deletionTimestamp: "2026-03-01T12:00:00Z"
                    deletionGracePeriodSeconds: 0
                  """),
          rule("API-85", "asking again changes nothing")
              .given(world -> {
                world.with(VOLUMES, VOLUME).delete(VOLUMES, "pv-1");
                return world.later(Duration.ofMinutes(1));
              })
              .when(world -> {
                var before = world.state();
                var answer = world.delete(VOLUMES, "pv-1");
                assertThat(world.state()).isSameAs(before);
                return answer;
              })
              .shows("metadata: {deletionTimestamp: '2026-03-01T12:00:00Z'}"),
          rule("API-86", "a class that is gone is shown as it was")
              .given(world -> world.with(STORAGE_CLASSES, Samples.CLASS))
              .when(world -> world.delete(STORAGE_CLASSES, "fast"))
              .then(answer -> assertThat(answer).isInstanceOf(Answer.Gone.class)),
          rule("API-86", "of a config map that is gone there is only word")
              .given(world -> world.with(CONFIG_MAPS, MAP))
              .when(world -> world.delete(CONFIG_MAPS, "default/map"))
              .shows("{kind: Status, status: Success, details: {name: map, kind: configmaps}}"),
          rule("API-28", "what is missing is not deleted")
              .when(world -> world.delete(VOLUMES, "pv-1"))
              .refused(404, "NotFound", "persistentvolumes \"pv-1\" not found"),
          rule("API-84", "another object of the name is left alone")
              .given(world -> world.with(VOLUMES, VOLUME))
              .when(world -> world.delete(VOLUMES, "pv-1", DeleteOptions.uid("other")))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().message())
                      .startsWith(
                          "Operation cannot be fulfilled on PersistentVolume \"pv-1\": the UID"
                              + " in the precondition (other) does not match the UID in record"
                              + " (")),
          rule("API-84", "an object that has changed is left alone")
              .given(world -> world.with(VOLUMES, VOLUME))
              .when(world ->
                  world.delete(VOLUMES, "pv-1", DeleteOptions.DEFAULT.resourceVersion("1")))
              .refused(
                  409,
                  "Conflict",
                  "Operation cannot be fulfilled on PersistentVolume \"pv-1\": the ResourceVersion"
                      + " in the precondition (1) does not match the ResourceVersion in record"
                      + " (11). The object might have been modified"),
          rule("API-87", "a pod on a node has its time to end")
              .given(world -> world.with(PODS, BOUND_POD))
              .when(world -> world.delete(PODS, "default/web"))
              .shows(
                  """
                  metadata:
                    deletionTimestamp: "2026-03-01T12:00:30Z"
                    deletionGracePeriodSeconds: 30
                    generation: 2
                  """),
          rule("API-87", "the time may be cut short, counted from the first request")
              .given(world -> {
                world.with(PODS, BOUND_POD).delete(PODS, "default/web");
                return world.later(Duration.ofSeconds(5));
              })
              .when(world ->
                  world.delete(PODS, "default/web", DeleteOptions.DEFAULT.gracePeriodSeconds(10)))
              .shows("metadata: {deletionTimestamp: '2026-03-01T12:00:10Z'}"),
          rule("API-87", "the time is never extended")
              .given(world -> {
                world.with(PODS, BOUND_POD).delete(PODS, "default/web");
                return world;
              })
              .when(world ->
                  world.delete(PODS, "default/web", DeleteOptions.DEFAULT.gracePeriodSeconds(60)))
              .shows("metadata: {deletionGracePeriodSeconds: 30}"),
          rule("API-87", "no time at all ends it")
              .given(world -> {
                world.with(PODS, BOUND_POD).delete(PODS, "default/web");
                return world;
              })
              .when(world -> world.delete(PODS, "default/web", NOW))
              .then(answer -> assertThat(answer).isInstanceOf(Answer.Gone.class)),
          rule("API-87", "less than nothing is a second")
              .given(world -> world.with(PODS, BOUND_POD))
              .when(world ->
                  world.delete(PODS, "default/web", DeleteOptions.DEFAULT.gracePeriodSeconds(-1)))
              .shows("metadata: {deletionGracePeriodSeconds: 1}"),
          rule("API-87", "a pod that no node has goes at once")
              .given(world -> world.with(PODS, POD))
              .when(world -> world.delete(PODS, "default/web"))
              .then(answer -> assertThat(answer).isInstanceOf(Answer.Gone.class)),
          rule("API-87", "a pod that has ended goes at once")
              .given(world -> {
                world.with(PODS, BOUND_POD);
                world.mergeStatus(PODS, "default/web", "{status: {phase: Succeeded}}");
                return world;
              })
              .when(world -> world.delete(PODS, "default/web"))
              .then(answer -> assertThat(answer).isInstanceOf(Answer.Gone.class)),
          rule("API-87", "a pod that something holds stays")
              .given(world ->
                  world.with(PODS, vary(POD, "name: web}", "name: web, finalizers: [a.b/c]}")))
              .when(world -> world.delete(PODS, "default/web", NOW))
              .shows("metadata: {deletionGracePeriodSeconds: 0}"),
          rule("API-89", "the first namespaces stay")
              .when(world -> world.delete(NAMESPACES, "kube-system"))
              .refused(
                  403,
                  "Forbidden",
                  "namespaces \"kube-system\" is forbidden: this namespace may not be deleted"));

  @ParameterizedTest(name = "{0}")
  @FieldSource
  void rules(CoreRule rule) {
    rule.check();
  }

  @Test
  void aDeletionHasARevisionOfItsOwn() {
    var world = new World().with(CONFIG_MAPS, MAP);
    world.delete(CONFIG_MAPS, "default/map");
    var last = world.written().getLast();
    assertThat(last).isInstanceOf(Written.Removed.class);
    assertThat(((Written.Removed) last).last().object().path("metadata").path("resourceVersion"))
        .hasToString("\"12\"");
    assertThat(world.state().revision()).isEqualTo(12);
  }

  @Test
  void aCollectionIsDeletedBySelector() {
    var world =
        new World()
            .with(CONFIG_MAPS, "{metadata: {namespace: default, name: a, labels: {app: x}}}")
            .with(CONFIG_MAPS, "{metadata: {namespace: default, name: b, labels: {app: y}}}")
            .with(CONFIG_MAPS, "{metadata: {namespace: kube-system, name: c, labels: {app: x}}}");
    var answer =
        world.ask(
            new Request.DeleteAll(
                CONFIG_MAPS,
                "default",
                ListOptions.ALL.selecting("app=x", ""),
                DeleteOptions.DEFAULT));
    assertThat(((Answer.Page) answer).items())
        .extracting(each -> each.key().name())
        .containsExactly("a");
    assertThat(world.state().list(CONFIG_MAPS))
        .extracting(each -> each.key().name())
        .containsExactly("b", "c");
  }

  @Test
  void noEventStaysBecauseItSaysThatItWasSeenInTimesToCome() { // API-137
    var world = new World();
    world.create(
        EVENTS,
        "{metadata: {name: e, namespace: default}, involvedObject: {namespace: default},"
            + " lastTimestamp: '9999-12-31T23:59:59Z'}");
    assertThat(world.later(Duration.ofMinutes(59)).expireEvents().written()).isEmpty();
    world.later(Duration.ofMinutes(2)).expireEvents();
    assertThat(world.find(EVENTS, "default/e")).isEmpty();
  }

  /// API-137: an hour after they were last seen, not after they were made.
  @Test
  void eventsAreKeptForAnHour() {
    var world =
        new World()
            .with(EVENTS, "{metadata: {namespace: default, name: old}}")
            .with(
                EVENTS,
                "{metadata: {namespace: default, name: again},"
                    + " lastTimestamp: '2026-03-01T12:30:00Z'}");
    assertThat(world.later(Duration.ofMinutes(59)).expireEvents().written()).isEmpty();
    world.later(Duration.ofMinutes(2)).expireEvents();
    assertThat(world.state().list(EVENTS))
        .extracting(each -> each.key().name())
        .containsExactly("again");
  }

  /// API-137: who writes meanwhile waits for a few hundred at most.
  @Test
  void oldEventsGoInPieces() {
    var world = new World();
    for (int i = 0; i < 600; i++)
      world.create(EVENTS, "{metadata: {namespace: default, name: e%d}}".formatted(i));
    world.later(Duration.ofMinutes(61));
    assertThat(world.expireEvents().written()).hasSize(500);
    assertThat(world.expireEvents().written()).hasSize(100);
  }

  /// API-137: an old event is not forgotten because its end could not be stored.
  @Test
  void oldEventsAreTriedAgain() {
    var world = new World();
    for (int i = 0; i < 600; i++)
      world.create(EVENTS, "{metadata: {namespace: default, name: e%d}}".formatted(i));
    world.later(Duration.ofMinutes(61));
    for (int i = 0; i < 3; i++) assertThat(world.expireEventsInVain().written()).hasSize(500);
    assertThat(world.expireEvents().written()).hasSize(500);
    assertThat(world.expireEvents().written()).hasSize(100);
  }

  /// API-137: also those that were written before the server came up, whose age nobody has noted.
  @Test
  void oldEventsAreKnownAfterARestart() {
    var world = new World().with(EVENTS, "{metadata: {namespace: default, name: old}}");
    world.later(Duration.ofMinutes(59)).with(EVENTS, "{metadata: {namespace: default, name: e}}");
    assertThat(world.restarted().expireEvents().written()).isEmpty();
    world.later(Duration.ofMinutes(2)).expireEvents();
    assertThat(world.state().list(EVENTS))
        .extracting(each -> each.key().name())
        .containsExactly("e");
  }

  @Test
  void bothPreconditionsMustHold() {
    var world = new World().with(CLAIMS, CLAIM);
    var uid = world.find(CLAIMS, "default/data").orElseThrow().uid();
    var options =
        new DeleteOptions(
            Optional.of(uid), Optional.of("1"), OptionalLong.empty(), Optional.empty());
    assertThat(world.delete(CLAIMS, "default/data", options)).isInstanceOf(Answer.Refused.class);
  }
}
