package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.vary;
import static dev.berth.kube.object.Resources.EVENTS;
import static dev.berth.kube.object.StoredResources.NEW_EVENTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// API-01: events of events.k8s.io and of the core group are the same objects.
class NewEventsTest {
  private static final String OLD =
      """
      metadata: {name: old, namespace: default}
      involvedObject: {kind: Pod, namespace: default, name: p}
      reason: Tested
      message: it is tested
      type: Normal
      count: 3
      source: {component: tester}
      """;
  private static final String NEW =
      """
      metadata: {name: new, namespace: default}
      eventTime: '2026-01-01T00:00:00.000000Z'
      regarding: {kind: Pod, namespace: default, name: p}
      reportingController: example.com/tester
      reportingInstance: tester-1
      action: Testing
      reason: Tested
      note: it is tested
      type: Normal
      """;

  static final List<CoreRule> rules =
      List.of(
          rule("API-01", "an old one is shown under newer names")
              .given(world -> world.with(EVENTS, OLD))
              .when(world -> world.merge(NEW_EVENTS, "default/old", "{}"))
              .shows(
                  "{apiVersion: events.k8s.io/v1, regarding: {name: p}, note: it is tested,"
                      + " deprecatedCount: 3, deprecatedSource: {component: tester},"
                      + " reportingController: '', involvedObject: null, message: null, count:"
                      + " null}"),
          rule("API-01", "a new one is shown under older names")
              .given(world -> world.with(NEW_EVENTS, NEW))
              .when(world -> world.merge(EVENTS, "default/new", "{}"))
              .shows(
                  "{apiVersion: v1, involvedObject: {name: p}, message: it is tested,"
                      + " reportingComponent: example.com/tester, action: Testing, regarding: null,"
                      + " note: null}"),
          rule("API-01", "who creates a new one is shown a new one")
              .when(world -> world.create(NEW_EVENTS, NEW))
              .shows("{apiVersion: events.k8s.io/v1, note: it is tested, message: null}"),
          rule("API-01", "a change of the new one is a change of the old one")
              .given(world -> {
                var later = "{series: {count: 2, lastObservedTime: '2026-01-01T00:01:00.000000Z'}}";
                world.with(NEW_EVENTS, NEW).merge(NEW_EVENTS, "default/new", later);
                return world;
              })
              .when(world -> world.merge(EVENTS, "default/new", "{}"))
              .shows("{series: {count: 2}, message: it is tested}"),
          rule("API-01", "they have one name")
              .given(world -> world.with(EVENTS, OLD))
              .when(world -> world.create(NEW_EVENTS, vary(NEW, "name: new", "name: old")))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().reason())
                      .isEqualTo("AlreadyExists")),
          rule("API-01", "a new one is complete")
              .when(world -> world.create(NEW_EVENTS, vary(NEW, "action: Testing\n", "")))
              .invalid("action: Required value"),
          rule("API-93", "they are selected by their own names")
              .given(world -> world.with(EVENTS, OLD))
              .when(world -> world.ask(listed("regarding.name=p,type=Normal")))
              .then(answer -> assertThat(((Answer.Page) answer).items()).hasSize(1)),
          rule("API-93", "and by no older ones")
              .when(world -> world.ask(listed("involvedObject.name=p")))
              .refused(400, "BadRequest", "field label not supported: involvedObject.name"));

  @ParameterizedTest
  @FieldSource
  void rules(CoreRule rule) {
    rule.check();
  }

  private static Request listed(String fields) {
    return new Request.List(NEW_EVENTS, "default", ListOptions.ALL.selecting("", fields));
  }
}
