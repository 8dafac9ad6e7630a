package dev.berth.controller.nodelife;

import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Rule.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.World;
import dev.berth.controller.nodelife.NodeEffect.Doubt;
import dev.berth.controller.nodelife.NodeEffect.Forget;
import dev.berth.controller.nodelife.NodeEffect.Hear;
import dev.berth.controller.nodelife.NodeEffect.SetTaints;
import dev.berth.controller.nodelife.NodeEffect.Unready;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node.Taint;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is said of nodes, and when (PGC-02, AD-56).
class NodeKeeperTest {
  private static final Draft LEASE =
      Draft.of(
          """
          apiVersion: coordination.k8s.io/v1
          kind: Lease
          metadata: {namespace: kube-node-lease, name: node-a}
          spec: {holderIdentity: node-a, leaseDurationSeconds: 40, renewTime: "2026-11-21T11:00:00Z"}
          """);
  private static final Draft SILENT =
      node("node-a")
          .set(
              "status.conditions",
              "[{type: Ready, status: Unknown}, {type: MemoryPressure, status: Unknown}, {type:"
                  + " DiskPressure, status: Unknown}, {type: PIDPressure, status: Unknown}]");
  private static final World WORLD = World.of(node("node-a"), node("node-b"), LEASE);
  private static final World LOST = WORLD.with(SILENT);

  private static final Taint UNREACHABLE =
      new Taint("node.kubernetes.io/unreachable", "", "NoSchedule", Optional.of(NOW));
  private static final Taint EMPTIED =
      new Taint("node.kubernetes.io/unreachable", "", "NoExecute", Optional.of(NOW));

  private static Step decide(World world, Heard heard) {
    return new NodeKeeper(NodeLife.Options.DEFAULT)
        .decide(new NodeKeeper.View(world.snapshot(), heard, NOW), "node-a");
  }

  /// A look at a world that has looked like this for so long.
  private static Step after(int seconds, World world) {
    return decide(world, Heard.TOPIC.none().with("node-a", beat(world, NOW.minusSeconds(seconds))));
  }

  private static Heard.Beat beat(World world, Instant at) {
    var objects = world.snapshot();
    var node = objects.get(Kinds.NODE, ObjectKey.cluster("node-a")).found().orElseThrow();
    var lease = objects.get(Kinds.LEASE, ObjectKey.of("kube-node-lease", "node-a")).found();
    return new Heard.Beat(Heard.sign(node, lease), at);
  }

  private static List<Taint> taints(Step step) {
    return step instanceof Act(SetTaints(var _, var taints), var _) ? taints : List.of();
  }

  @Test
  void whoeverBeginsToListenHearsEachNodeFirst() { // AD-56
    var ref = node("node-a").as(Kinds.NODE).ref();
    assertThat(decide(WORLD, Heard.TOPIC.none()))
        .as("however old its Lease")
        .isEqualTo(new Act(new Hear(ref, beat(WORLD, NOW), true)));
  }

  @Test
  void aRenewedLeaseIsASign() { // AD-56
    var heard = Heard.TOPIC.none().with("node-a", beat(WORLD, NOW.minusSeconds(60)));
    var renewed = WORLD.with(LEASE.set("spec.renewTime", "'2020-01-01T00:00:00Z'"));
    assertThat(decide(renewed, heard))
        .as("whatever the node's clock says")
        .isEqualTo(
            new Act(new Hear(node("node-a").as(Kinds.NODE).ref(), beat(renewed, NOW), false)));
  }

  @Test
  void aNodeMayBeSilentForItsGrace() { // AD-56
    assertThat(after(49, WORLD)).isEqualTo(new Settled().lookAgainAt(NOW.plusSeconds(1)));
  }

  @Test
  void thenNobodyKnowsHowItIs() { // AD-56
    var step = after(50, WORLD);
    assertThat(step).isInstanceOf(Act.class);
    assertThat(((Act) step).effect())
        .isInstanceOfSatisfying(
            Doubt.class,
            doubt -> {
              assertThat(doubt.wasReady()).isTrue();
              assertThat(doubt.conditions().object().findValuesAsText("type"))
                  .containsExactly("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");
              assertThat(doubt.conditions().object().findValuesAsText("status"))
                  .containsOnly("Unknown");
              assertThat(doubt.conditions().object().findValuesAsText("reason"))
                  .containsExactly(
                      "NodeStatusUnknown",
                      "NodeStatusNeverUpdated",
                      "NodeStatusNeverUpdated",
                      "NodeStatusNeverUpdated");
            });
  }

  @Test
  void oneThatHasNeverSaidHowItIsHasAMinute() { // AD-56
    var made = node("node-a").without("status.conditions");
    var world = World.of(made, node("node-b"));
    assertThat(decide(world, Heard.TOPIC.none()))
        .as("since it was made")
        .isEqualTo(new Act(new Hear(made.as(Kinds.NODE).ref(), beat(world, Draft.CREATED), true)));
    assertThat(after(59, world)).isEqualTo(new Settled().lookAgainAt(NOW.plusSeconds(1)));
    assertThat(((Act) after(60, world)).effect()).isInstanceOf(Doubt.class);
  }

  @Test
  void nobodyCountsOnItsPods() { // AD-56
    var web =
        pod("web").runningOn("node-a").set("status.conditions", "[{type: Ready, status: 'True'}]");
    assertThat(after(60, LOST.with(web)))
        .isEqualTo(new Act(new Unready(web.as(Kinds.POD).ref(), NOW)));
  }

  @Test
  void noPodComesAndAllHaveToLeave() { // PGC-02
    assertThat(taints(after(60, LOST))).containsExactly(UNREACHABLE, EMPTIED);
  }

  @Test
  void oneThatSaysThatItIsNotReadyIsNotUnreachable() { // PGC-02
    var unwell =
        WORLD.with(node("node-a").set("status.conditions", "[{type: Ready, status: 'False'}]"));
    assertThat(taints(after(1, unwell)))
        .extracting(Taint::key, Taint::effect)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("node.kubernetes.io/not-ready", "NoSchedule"),
            org.assertj.core.groups.Tuple.tuple("node.kubernetes.io/not-ready", "NoExecute"));
  }

  @Test
  void oneThatComesBackIsClearedOfOursAlone() { // PGC-02, AD-55
    var back =
        node("node-a")
            .set(
                "spec.taints",
                "[{key: node.kubernetes.io/unreachable, effect: NoExecute},"
                    + " {key: node.kubernetes.io/out-of-service, effect: NoExecute},"
                    + " {key: node.kubernetes.io/unreachable, effect: NoSchedule}]");
    assertThat(taints(after(1, WORLD.with(back))))
        .containsExactly(new Taint("node.kubernetes.io/out-of-service", "", "NoExecute"));
  }

  @Test
  void theOthersSayWhatItLacks() { // PGC-02
    var pressed =
        node("node-a")
            .set("spec.unschedulable", "true")
            .set(
                "status.conditions",
                "[{type: Ready, status: 'True'}, {type: DiskPressure, status: 'True'},"
                    + " {type: NetworkUnavailable, status: 'True'}]");
    assertThat(taints(after(1, WORLD.with(pressed))))
        .extracting(Taint::key)
        .containsExactly(
            "node.kubernetes.io/disk-pressure",
            "node.kubernetes.io/network-unavailable",
            "node.kubernetes.io/unschedulable");
  }

  @Test
  void ifNoNodeIsLeftNoneIsEmptied() { // PGC-02
    var all =
        LOST.with(node("node-b").set("status.conditions", "[{type: Ready, status: Unknown}]"));
    assertThat(taints(after(60, all))).containsExactly(UNREACHABLE);
  }

  @Test
  void oneNodeIsEmptiedAfterTheOther() { // PGC-02
    var other =
        node("node-c")
            .set("status.conditions", "[{type: Ready, status: Unknown}]")
            .set(
                "spec.taints",
                "[{key: node.kubernetes.io/unreachable, effect: NoExecute, timeAdded: '%s'}]"
                    .formatted(NOW.minusSeconds(4)));
    var kept =
        SILENT.set("spec.taints", "[{key: node.kubernetes.io/unreachable, effect: NoSchedule}]");
    assertThat(after(60, LOST.with(other, kept)))
        .isEqualTo(new Settled().lookAgainAt(NOW.plusSeconds(6)));
  }

  @Test
  void ofASmallZoneThatIsMostlyLostNoneIsEmptied() { // PGC-02
    var zone = LOST;
    for (var name : IntStream.range(0, 3).mapToObj(it -> "node-x" + it).toList())
      zone = zone.with(node(name).set("status.conditions", "[{type: Ready, status: Unknown}]"));
    assertThat(taints(after(60, zone))).containsExactly(UNREACHABLE);
  }

  @Test
  void aNodeThatIsGoneIsForgotten() { // PGC-02
    var heard = Heard.TOPIC.none().with("node-a", beat(WORLD, NOW));
    assertThat(decide(World.of(node("node-b")), heard))
        .isEqualTo(new Act(new Forget(Kinds.NODE.ref(ObjectKey.cluster("node-a")))));
  }
}
