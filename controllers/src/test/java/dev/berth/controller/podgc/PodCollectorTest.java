package dev.berth.controller.podgc;

import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Rule.NOW;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.podgc.GarbageEffect.Collect;
import dev.berth.controller.podgc.GarbageEffect.Meet;
import dev.berth.controller.podgc.GarbageEffect.Miss;
import dev.berth.controller.podgc.GarbageEffect.Why;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Which pods are removed by force.
class PodCollectorTest {
  private static final Draft WEB = pod("web").runningOn("node-a");
  private static final Draft LOST =
      node("node-a")
          .set("status.conditions", "[{type: Ready, status: Unknown}]")
          .set("spec.taints", "[{key: node.kubernetes.io/out-of-service, effect: NoExecute}]");
  private static final World LIVES = World.of(WEB, node("node-a"));
  private static final World GONE = World.of(WEB);

  static final List<Rule> rules =
      List.of(
          rule("PGC-01", "a pod on a node that is there is left alone")
              .given(LIVES)
              .then(settled()),
          rule("PGC-01", "a pod that ends on a node that lives is its agent's")
              .given(LIVES.with(WEB.deleting()))
              .then(settled()),
          rule("PGC-01", "a pod that is to go and never had a node goes at once")
              .given(World.of(pod("web").deleting()))
              .then(collect(pod("web").deleting(), Why.UNSCHEDULED)),
          rule("PGC-01", "one that waits for a node waits on")
              .given(World.of(pod("web")))
              .then(settled()),
          rule("AD-55", "a pod that is to go from a node out of service goes at once")
              .given(World.of(WEB.deleting(), LOST))
              .then(collect(WEB.deleting(), Why.OUT_OF_SERVICE)),
          rule("AD-55", "one that nobody has deleted is not removed for the taint")
              .given(World.of(WEB, LOST))
              .then(settled()),
          rule("AD-55", "the taint alone does not do, as long as the node is ready")
              .given(
                  World.of(
                      WEB.deleting(),
                      node("node-a")
                          .set(
                              "spec.taints",
                              "[{key: node.kubernetes.io/out-of-service, effect: NoExecute}]")))
              .then(settled()),
          rule("AD-55", "a node that is not ready is not out of service for that")
              .given(
                  World.of(
                      WEB.deleting(),
                      node("node-a").set("status.conditions", "[{type: Ready, status: Unknown}]")))
              .then(settled()),
          rule("PGC-01", "one that only its finalizers keep has been removed")
              .given(
                  World.of(
                      WEB.deleting()
                          .set("metadata.deletionGracePeriodSeconds", "0")
                          .finalizer("example.com/mine"),
                      LOST))
              .then(settled()),
          rule("PGC-01", "a missing node is noted first")
              .given(GONE)
              .then(act(new Miss("node-a", NOW))));

  /// Of nodes that have been missing for a while.
  static final List<Rule> missing =
      List.of(
          rule("PGC-01", "it may be not known yet for 40 s")
              .given(GONE)
              .thenWaits(
                  "node/node-a",
                  "",
                  "node node-a is there again, or has been missing for 40 s: then the pod is"
                      + " removed"),
          rule("PGC-01", "a node that is there again is noted")
              .given(LIVES)
              .then(act(new Meet("node-a"))));

  private static Step collect(Draft pod, Why why) {
    return act(Collect.of(pod.as(Kinds.POD), why, NOW));
  }

  private static Step decide(World world, Absences absences) {
    return new PodCollector()
        .decide(
            new PodCollector.View(world.snapshot(), absences, NOW), ObjectKey.of("shop", "web"));
  }

  private static Absences since(Instant when) {
    return Absences.TOPIC.none().with("node-a", when);
  }

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check().accept(decide(rule.world(), Absences.TOPIC.none()));
  }

  @ParameterizedTest
  @FieldSource
  void missing(Rule rule) {
    rule.check().accept(decide(rule.world(), since(NOW.minusSeconds(30))));
  }

  @Test
  void whenThatIsOverItIsLookedAtAgain() { // PGC-01
    assertThat(decide(GONE, since(NOW.minusSeconds(30))))
        .isInstanceOfSatisfying(
            Wait.class, wait -> assertThat(wait.again()).contains(NOW.plusSeconds(10)));
  }

  static final List<Rule> overdue =
      List.of(
          rule("PGC-01", "after 40 s its pods are given up")
              .given(GONE)
              .then(collect(WEB, Why.ORPHANED)));

  @ParameterizedTest
  @FieldSource
  void overdue(Rule rule) {
    rule.check().accept(decide(rule.world(), since(NOW.minus(Duration.ofSeconds(40)))));
  }
}
