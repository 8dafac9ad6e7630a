package dev.berth.sidecar;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.EXPAND_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.MODIFY_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.attachment;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.node;
import static dev.berth.sidecar.testing.Objects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.fact.Trigger.OnKind;
import dev.berth.kube.fact.Trigger.OnTopic;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.NoEffect;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.part.Part;
import dev.berth.sidecar.testing.Bench;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a change costs in a process that serves many drivers: it is handed to the loops of the
/// driver that it concerns, and no other is asked.
class DispatchTest {
  private static final int CLAIMS = 1_000;

  /// @param start how often triggers were asked until all began
  /// @param changes how often for one change of each claim
  /// @param volumes for one change of each volume
  /// @param others for one change of an attachment, of a node's status and of a CSINode's entry
  private record Calls(int start, int changes, int volumes, int others) {}

  @Test
  void withTwentyDriversAChangeCostsAsMuchAsWithOne() {
    var one = calls(1);
    assertThat(one.start()).isGreaterThanOrEqualTo(CLAIMS);
    assertThat(one.changes()).isGreaterThanOrEqualTo(CLAIMS);
    assertThat(one.volumes()).isGreaterThanOrEqualTo(CLAIMS);
    assertThat(one.others()).isPositive();
    assertThat(calls(20)).isEqualTo(one);
  }

  private static Calls calls(int drivers) {
    try (var bench = new Bench()) {
      fill(bench);
      var count = new AtomicInteger();
      var view = Caches.of(bench.api(), bench.time(), DriverSidecars.KINDS);
      for (int i = 0; i < drivers; i++) run(i == 0 ? DRIVER : "other-" + i, view, bench, count);
      view.start();
      bench.time().settle();
      int start = count.getAndSet(0);
      for (int i = 0; i < CLAIMS; i++)
        bench.patch(Resources.CLAIMS, "c" + i, "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}");
      int claims = count.getAndSet(0);
      for (int i = 0; i < CLAIMS; i++)
        bench.patch(Resources.VOLUMES, "v" + i, "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}");
      int volumes = count.getAndSet(0);
      bench.patchStatus(Resources.ATTACHMENTS, "va-1", "{\"status\": {\"attached\": true}}");
      bench.patchStatus(Resources.NODES, "n1", "{\"status\": {\"phase\": \"Running\"}}");
      bench.patch(Resources.CSI_NODES, "n1", "{\"spec\": {\"drivers\": []}}");
      view.close();
      return new Calls(start, claims, volumes, count.get());
    }
  }

  private static void fill(Bench bench) {
    for (int i = 0; i < CLAIMS; i++)
      bench.create(
          claim()
              .named("c" + i)
              .without("metadata", "uid")
              .with("v" + i, "spec", "volumeName")
              .with("Bound", "status", "phase"),
          volume()
              .named("v" + i)
              .with("c" + i, "spec", "claimRef", "name")
              .with("h" + i, "spec", "csi", "volumeHandle"));
    bench.create(
        attachment().with("v1", "spec", "source", "persistentVolumeName"),
        node("n1", Map.of("zone", "z")),
        csiNode("n1"));
  }

  private static void run(String name, Caches view, Bench bench, AtomicInteger count) {
    var like = driver(CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME, EXPAND_VOLUME, MODIFY_VOLUME);
    var facts = new DriverFacts(name, like.plugin(), like.controller());
    for (var part : SidecarDeciders.of(facts, SidecarOptions.DEFAULT).parts())
      if (part.isOn())
        for (var work : part.works()) start(work.concern().decider(), part, view, bench, count);
  }

  private static <K> void start(
      Decider<K, ?, ?> decider, Part part, Caches view, Bench bench, AtomicInteger count) {
    new Loop<>(
            new Controller<>(new Idle<>(decider, count), NoEffect.effects()),
            view,
            Sources.of(part.sources()),
            bench.time(),
            _ -> {},
            Pace.SIDECAR,
            new LoopMetrics(new PrometheusRegistry()))
        .start();
  }

  /// Hears what another hears, counts how often it is asked, and has nothing to do.
  private record Idle<K>(Decider<K, ?, ?> like, AtomicInteger count)
      implements Decider<K, Facts, NoEffect> {
    @Override
    public String name() {
      return like.name();
    }

    @Override
    public List<Trigger<?, K>> triggers() {
      return like.triggers().stream().<Trigger<?, K>>map(this::counted).toList();
    }

    private Trigger<?, K> counted(Trigger<?, K> trigger) {
      return switch (trigger) {
        case OnKind<?, K> on -> counting(on);
        case OnTopic<?, K> topic -> topic;
      };
    }

    private <T extends KubeObject> Trigger<T, K> counting(OnKind<T, K> on) {
      return new OnKind<>(
          on.kind(),
          on.of(),
          (change, objects) -> {
            count.incrementAndGet();
            return on.keys().apply(change, objects);
          });
    }

    @Override
    public Facts view(Facts facts, Instant now) {
      return facts;
    }

    @Override
    public Step decide(Facts view, K key) {
      return new Settled();
    }

    @Override
    public Class<NoEffect> effectType() {
      return NoEffect.class;
    }

    @Override
    public Stream<K> about(Ref subject, Snapshot objects) {
      return Stream.empty();
    }
  }
}
