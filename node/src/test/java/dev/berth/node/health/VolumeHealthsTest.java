package dev.berth.node.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.ClaimHealth;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.VolumeHealth;
import dev.berth.kube.model.VolumeName;
import dev.berth.node.driver.Drivers;
import dev.berth.node.health.HealthEffect.Ask;
import dev.berth.node.health.HealthEffect.Forget;
import dev.berth.node.health.HealthEffect.WriteHealth;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.TestNode;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Publication;
import dev.berth.node.volume.state.Staging;
import dev.berth.volume.health.Report;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.pcollections.HashTreePMap;

/// When drivers are asked for the health of volumes, and what pods are told.
class VolumeHealthsTest {
  private static final VolumeName NAME = new VolumeName(MemoryDriver.NAME, "vol-1");
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final Instant EARLIER = Instant.parse("2026-11-26T11:00:00Z");
  private static final VolumeHealth ILL =
      new VolumeHealth(VolumeHealth.DEGRADED, "DriveSuspect", "its drive is expected to fail");
  private static final Actual MOUNTED =
      Actual.NOTHING.with(
          Actual.NOTHING
              .volume(NAME)
              .with(Staging.ABSENT.announce("").confirm())
              .with("pod-1", new Publication.Present("pv-1", Instant.EPOCH)));

  private static Pod pod(String status) {
    return Kinds.POD
        .read()
        .apply(
            TestNode.yaml(
                """
                metadata: {namespace: ns, name: web, uid: pod-1, resourceVersion: "7"}
                spec:
                  nodeName: n
                  containers: [{name: app, volumeMounts: [{name: data, mountPath: /d}]}]
                  volumes: [{name: data, persistentVolumeClaim: {claimName: claim}}]
                status: {%s}
                """
                    .formatted(status)));
  }

  private static final String WRITTEN =
      "volumeHealth: [{name: data, lastTransitionTime: '%s', healthConditions: [{status: Degraded, reason: DriveSuspect, message: its drive is expected to fail}]}]"
          .formatted(EARLIER);

  private static Step decide(Subject subject, Actual mounted, Known known, Pod pod) {
    return decide("n", subject, mounted, known, pod);
  }

  private static Step decide(String node, Subject subject, Actual mounted, Known known, Pod pod) {
    var objects =
        Snapshots.empty()
            .with(Kinds.POD, pod)
            .with(
                Kinds.CLAIM,
                Kinds.CLAIM
                    .read()
                    .apply(
                        TestNode.yaml(
                            """
                            metadata: {namespace: ns, name: claim, uid: claim-1}
                            spec: {volumeName: pv-1}
                            status: {phase: Bound}
                            """)))
            .with(
                Kinds.VOLUME,
                Kinds.VOLUME
                    .read()
                    .apply(
                        TestNode.yaml(
                            """
                            metadata: {name: pv-1}
                            spec:
                              claimRef: {namespace: ns, name: claim, uid: claim-1}
                              csi: {driver: disk.berth.dev, volumeHandle: vol-1}
                            """)));
    var facts =
        Facts.of(
            objects,
            Sources.of(
                new Told<>(Actual.TOPIC, mounted),
                new Told<>(Drivers.TOPIC, Set.of(MemoryDriver.NAME)),
                new Told<>(Drivers.REGISTRATIONS, HashTreePMap.singleton(MemoryDriver.NAME, 1L)),
                new Told<>(Known.TOPIC, known)));
    var healths = new VolumeHealths(node);
    return healths.decide(healths.view(facts, NOW), subject);
  }

  private static Step ofVolume(Actual mounted, Known known) {
    return decide(new Subject.OfVolume(NAME), mounted, known, pod(""));
  }

  private static Step ofPod(Known known, String status) {
    return decide(new Subject.OfPod("pod-1"), MOUNTED, known, pod(status));
  }

  private static Known said(Instant asked, VolumeHealth... ill) {
    return Known.NOTHING.with(
        NAME, new Said(1, asked, true, Optional.of(new Report(List.of(ill), List.of()))));
  }

  private static Step written(Map<String, ClaimHealth> health) {
    return new Act(new WriteHealth(pod("").ref(), health));
  }

  /// VH-17: what is mounted, or may be; once a minute; nothing that lives with its pod.
  @Test
  void driversAreAskedForWhatIsMountedOnceAMinute() {
    assertThat(ofVolume(Actual.NOTHING, Known.NOTHING)).isEqualTo(new Settled());
    assertThat(ofVolume(MOUNTED, Known.NOTHING)).isEqualTo(new Act(new Ask(NAME)));
    var uncertain =
        Actual.NOTHING.with(Actual.NOTHING.volume(NAME).with(Staging.ABSENT.announce("")));
    assertThat(ofVolume(uncertain, Known.NOTHING)).isEqualTo(new Act(new Ask(NAME)));
    var inline = MOUNTED.with(MOUNTED.volume(NAME).with(Form.INLINE));
    assertThat(ofVolume(inline, Known.NOTHING)).isEqualTo(new Settled());
    assertThat(ofVolume(MOUNTED, said(NOW.minusSeconds(59))))
        .isEqualTo(new Settled().lookAgainAt(NOW.plusSeconds(1)));
    assertThat(ofVolume(MOUNTED, said(NOW.minusSeconds(60)))).isEqualTo(new Act(new Ask(NAME)));
    assertThat(ofVolume(Actual.NOTHING, said(NOW))).isEqualTo(new Act(new Forget(NAME)));
    var silent = Known.NOTHING.with(NAME, new Said(1, EARLIER, false, Optional.empty()));
    assertThat(ofVolume(MOUNTED, silent)).isEqualTo(new Settled()); // VH-01: never probed
    var before = Known.NOTHING.with(NAME, new Said(0, EARLIER, false, Optional.empty()));
    assertThat(ofVolume(MOUNTED, before)).isEqualTo(new Act(new Ask(NAME)));
  }

  /// VH-10, VH-11: the driver's word replaces what stands there; since when stays.
  @Test
  void podsAreToldWhatTheDriverSays() {
    assertThat(ofPod(said(NOW, ILL), ""))
        .isEqualTo(written(Map.of("data", new ClaimHealth(List.of(ILL), Optional.of(NOW)))));
    assertThat(ofPod(said(NOW, ILL), WRITTEN)).isEqualTo(new Settled());
    var otherWords = new VolumeHealth(ILL.status(), ILL.reason(), "its drive is slow");
    assertThat(ofPod(said(NOW, otherWords), WRITTEN))
        .isEqualTo(
            written(Map.of("data", new ClaimHealth(List.of(otherWords), Optional.of(EARLIER)))));
    assertThat(ofPod(said(NOW), WRITTEN)).isEqualTo(written(Map.of()));
  }

  /// VH-11: who did not answer has not said that all is well. VH-14: nor who says what nobody
  /// knows.
  @Test
  void whatIsNotKnownStaysAsItIsWritten() {
    assertThat(ofPod(Known.NOTHING, WRITTEN)).isEqualTo(new Settled());
    var silent = Known.NOTHING.with(NAME, new Said(1, NOW, true, Optional.empty()));
    assertThat(ofPod(silent, WRITTEN)).isEqualTo(new Settled());
    var strange =
        Known.NOTHING.with(
            NAME, new Said(1, NOW, true, Optional.of(new Report(List.of(), List.of("9/Odd")))));
    assertThat(ofPod(strange, WRITTEN)).isEqualTo(new Settled());
  }

  /// VH-10: the only effect that writes is about a pod, and that is one of this node.
  @Test
  void podsOfOtherNodesAreLeftAlone() {
    var ill = said(NOW, ILL);
    assertThat(decide("other", new Subject.OfPod("pod-1"), MOUNTED, ill, pod("")))
        .isEqualTo(new Settled());
    assertThat(HealthEffect.class.getPermittedSubclasses())
        .containsExactlyInAnyOrder(Ask.class, Forget.class, WriteHealth.class);
  }

  /// VH-16: a server that drops what is written is left alone for a while.
  @Test
  void aServerThatDropsItIsLeftAloneForAWhile() {
    var dropped = said(NOW, ILL).dropping(Optional.of(NOW.minusSeconds(60)));
    assertThat(ofPod(dropped, "")).isEqualTo(new Settled().lookAgainAt(NOW.plusSeconds(540)));
  }
}
