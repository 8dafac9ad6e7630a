package dev.berth.controller.eviction;

import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Rule.NOW;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.eviction.EvictionEffect.Await;
import dev.berth.controller.eviction.EvictionEffect.Cancel;
import dev.berth.controller.eviction.EvictionEffect.Evict;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Which pods leave a node that has a taint, and when.
class EvictionDecisionTest {
  private static final Instant ADDED = NOW.minusSeconds(100);
  private static final Draft TAINTED =
      node("node-a")
          .set(
              "spec.taints",
              "[{key: node.kubernetes.io/unreachable, effect: NoSchedule},"
                  + " {key: node.kubernetes.io/unreachable, effect: NoExecute, timeAdded: '%s'}]"
                      .formatted(ADDED));
  private static final Draft WEB = tolerating("tolerationSeconds: 300");
  private static final Ref REF = WEB.as(Kinds.POD).ref();
  private static final World WANTED = World.of(WEB, TAINTED);

  private static Draft tolerating(String seconds) {
    return pod("web")
        .runningOn("node-a")
        .set(
            "spec.tolerations",
            "[{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, %s}]"
                .formatted(seconds));
  }

  static final List<Rule> rules =
      List.of(
          rule("PGC-02", "the time of a pod that tolerates the taint begins with the taint")
              .given(WANTED)
              .then(act(new Await(REF, ADDED))),
          rule("PGC-02", "a pod that came after the taint has its time from then on")
              .given(
                  WANTED.with(
                      WEB.set("metadata.creationTimestamp", NOW.minusSeconds(20).toString())))
              .then(act(new Await(REF, NOW.minusSeconds(20)))),
          rule("PGC-02", "where nobody says when the taint came, it came now")
              .given(
                  WANTED.with(
                      node("node-a")
                          .set(
                              "spec.taints",
                              "[{key: node.kubernetes.io/unreachable, effect: NoExecute}]")))
              .then(act(new Await(REF, NOW))),
          rule("PGC-02", "a pod that does not tolerate the taint goes at once")
              .given(WANTED.with(WEB.without("spec.tolerations")))
              .then(act(new Evict(REF, NOW))),
          rule("PGC-02", "one that tolerates it for ever stays")
              .given(WANTED.with(WEB.set("spec.tolerations", "[{operator: Exists}]")))
              .then(settled()),
          rule("PGC-02", "one of two taints is enough")
              .given(
                  WANTED.with(
                      TAINTED.add(
                          "spec.taints",
                          "{key: node.kubernetes.io/out-of-service, effect: NoExecute}")))
              .then(act(new Evict(REF, NOW))),
          rule("PGC-02", "a taint that only keeps pods away takes none off")
              .given(
                  WANTED.with(
                      node("node-a").set("spec.taints", "[{key: mine, effect: NoSchedule}]")))
              .then(settled()),
          rule("PGC-02", "a pod that is going goes")
              .given(WANTED.with(WEB.without("spec.tolerations").deleting()))
              .then(settled()),
          rule("PGC-02", "a pod without a node has no taints")
              .given(World.of(pod("web"), TAINTED))
              .then(settled()));

  /// Of a pod whose time has been running for 100 s.
  static final List<Rule> waiting =
      List.of(
          rule("PGC-02", "it has its time")
              .given(WANTED)
              .then(new Settled().lookAgainAt(ADDED.plusSeconds(300))),
          rule("PGC-02", "and no more")
              .given(WANTED.with(tolerating("tolerationSeconds: 100")))
              .then(act(new Evict(REF, NOW))),
          rule("PGC-02", "less than none is none")
              .given(WANTED.with(tolerating("tolerationSeconds: -5")))
              .then(act(new Evict(REF, NOW))),
          rule("PGC-02", "it stays when the taint goes")
              .given(WANTED.with(node("node-a")))
              .then(act(new Cancel(REF))),
          rule("PGC-02", "and when it comes to tolerate it")
              .given(WANTED.with(WEB.set("spec.tolerations", "[{operator: Exists}]")))
              .then(act(new Cancel(REF))),
          rule("PGC-02", "another pod of its name has a time of its own")
              .given(WANTED.with(WEB.set("metadata.uid", "another")))
              .then(act(new Await(WEB.set("metadata.uid", "another").as(Kinds.POD).ref(), ADDED))),
          rule("PGC-02", "one that is gone is not waited for")
              .given(World.of(TAINTED))
              .then(act(new Cancel(Kinds.POD.ref(ObjectKey.of("shop", "web"))))));

  private static Step decide(World world, Pending pending) {
    return new PodEvictor()
        .decide(new PodEvictor.View(world.snapshot(), pending, NOW), ObjectKey.of("shop", "web"));
  }

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check().accept(decide(rule.world(), Pending.TOPIC.none()));
  }

  @ParameterizedTest
  @FieldSource
  void waiting(Rule rule) {
    var clock = new Pending.Clock(REF.uid(), ADDED);
    rule.check().accept(decide(rule.world(), Pending.TOPIC.none().with(REF.key(), clock)));
  }
}
