package dev.berth.node.pod;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.node.pod.local.Local;
import dev.berth.node.pod.local.Local.Slot;
import dev.berth.node.pod.local.ProbeState;
import dev.berth.node.pod.local.Probing;
import dev.berth.node.pod.local.Probing.Kind;
import dev.berth.node.pod.local.Run;
import dev.berth.node.pod.local.Trouble;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.Images;
import dev.berth.node.testing.TestNode;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.DrainOrder;
import java.net.InetAddress;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// What a pod's status says (NRUN-11).
class PodStatusTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.5Z");
  private static final ContainerId APP = new ContainerId("pod-1", "app", 0);
  private static final String POD =
      """
      metadata: {namespace: ns, name: web, uid: pod-1}
      spec:
        nodeName: n
        restartPolicy: Never
        containers: [{name: app, image: host, command: [a]}]
      status:
        phase: Pending
        qosClass: BestEffort
        conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-11-21T11:00:00Z"}]
      """;

  private static Pod pod(String yaml) {
    return Kinds.POD.read().apply(TestNode.yaml(yaml));
  }

  private static ObjectNode status(Pod pod, Local local) {
    var view =
        new PodView(
            Snapshots.empty().with(Kinds.POD, pod),
            NOW,
            Agent.at(InetAddress.ofLiteral("10.0.0.1")),
            Actual.NOTHING,
            local,
            DrainOrder.NONE,
            Images.UNKNOWN);
    var status = PodStatus.change(view, pod).orElseThrow();
    // What was told is not told again.
    var told =
        new Pod(
            pod.meta(),
            pod.nodeName(),
            pod.schedulerName(),
            pod.volumes(),
            pod.containers(),
            pod.nodeSelector(),
            pod.nodeAffinity(),
            pod.tolerations(),
            pod.schedulingGates(),
            pod.phase(),
            pod.scheduled(),
            pod.anyContainerRunning(),
            pod.spec(),
            shown(status));
    var later =
        new PodView(
            view.objects(),
            NOW.plusSeconds(60),
            Agent.at(InetAddress.ofLiteral("10.0.0.1")),
            Actual.NOTHING,
            local,
            DrainOrder.NONE,
            Images.UNKNOWN);
    assertThat(PodStatus.change(later, told)).isEmpty();
    return status;
  }

  /// As Kubernetes' own server shows it.
  private static ObjectNode shown(ObjectNode status) {
    var shown = status.deepCopy();
    for (var condition : shown.path("conditions"))
      ((ObjectNode) condition).putNull("lastProbeTime");
    return shown;
  }

  private static Local ran(ContainerState state) {
    return Local.NOTHING.with(new Run(APP, state, "bye", "sha256:1"));
  }

  @Test
  void aNewPodWaitsForItsContainers() {
    var status = status(pod(POD), Local.NOTHING);
    assertThat(status)
        .isEqualTo(
            TestNode.yaml(
                """
                phase: Pending
                qosClass: BestEffort
                conditions:
                - {type: PodScheduled, status: "True", lastTransitionTime: "2026-11-21T11:00:00Z"}
                - {type: PodReadyToStartContainers, status: "True", lastTransitionTime: "2026-11-21T12:00:00Z"}
                - {type: Initialized, status: "True", lastTransitionTime: "2026-11-21T12:00:00Z"}
                - {type: ContainersReady, status: "False", reason: ContainersNotReady, message: "containers with unready status: [app]", lastTransitionTime: "2026-11-21T12:00:00Z"}
                - {type: Ready, status: "False", reason: ContainersNotReady, message: "containers with unready status: [app]", lastTransitionTime: "2026-11-21T12:00:00Z"}
                startTime: "2026-11-21T12:00:00Z"
                hostIP: 10.0.0.1
                hostIPs: [{ip: 10.0.0.1}]
                podIP: 10.0.0.1
                podIPs: [{ip: 10.0.0.1}]
                containerStatuses:
                - name: app
                  image: host
                  imageID: ""
                  restartCount: 0
                  started: false
                  ready: false
                  state: {waiting: {reason: ContainerCreating}}
                  lastState: {}
                """));
  }

  @Test
  void running() {
    var status = status(pod(POD), ran(new ContainerState.Running(NOW)));
    assertThat(status.path("phase").asText()).isEqualTo("Running");
    assertThat(status.at("/containerStatuses/0/state/running/startedAt").asText())
        .isEqualTo("2026-11-21T12:00:00Z");
    assertThat(status.at("/containerStatuses/0/containerID").asText())
        .isEqualTo("berth://pod-1/app/0");
    assertThat(status.at("/containerStatuses/0/imageID").asText()).isEqualTo("sha256:1");
    assertThat(status.at("/conditions/4/status").asText()).isEqualTo("True");
  }

  @Test
  void ended() {
    var status = status(pod(POD), ran(new ContainerState.Exited(NOW, NOW.plusSeconds(2), 3)));
    assertThat(status.path("phase").asText()).isEqualTo("Failed");
    assertThat(status.at("/containerStatuses/0/state/terminated"))
        .isEqualTo(
            TestNode.yaml(
                """
                exitCode: 3
                reason: Error
                startedAt: "2026-11-21T12:00:00Z"
                finishedAt: "2026-11-21T12:00:02Z"
                containerID: berth://pod-1/app/0
                message: bye
                """));
    assertThat(status.at("/conditions/4/reason").asText()).isEqualTo("PodFailed");
  }

  @Test
  void lost() {
    var status =
        status(
            pod(POD),
            ran(new ContainerState.Lost(NOW, NOW.plusSeconds(5), "the machine was restarted")));
    assertThat(status.at("/containerStatuses/0/state/terminated/reason").asText())
        .isEqualTo("ContainerStatusUnknown");
    assertThat(status.at("/containerStatuses/0/state/terminated/finishedAt").asText())
        .isEqualTo("2026-11-21T12:00:05Z");
    assertThat(status.path("phase").asText()).isEqualTo("Failed");
  }

  @Test
  void whatCouldNotBeStartedSaysWhy() {
    var status =
        status(
            pod(POD),
            Local.NOTHING.with(
                new Slot("pod-1", "app"), new Trouble("ErrImageNeverPull", "no image nginx")));
    assertThat(status.at("/containerStatuses/0/state/waiting"))
        .isEqualTo(TestNode.yaml("{reason: ErrImageNeverPull, message: no image nginx}"));
  }

  @Test
  void aPodThatLeavesBeforeItHasRunHasFailed() {
    var leaving =
        POD.replace("uid: pod-1", "uid: pod-1, deletionTimestamp: \"2026-11-21T12:00:20Z\"");
    assertThat(status(pod(leaving), Local.NOTHING).path("phase").asText()).isEqualTo("Failed");
  }

  private static final String PROBED =
      POD.replace("command: [a]}]", "command: [a], readinessProbe: {exec: {command: [r]}}}]");
  private static final Probing READS = new Probing(APP, Kind.READINESS);

  @Test
  void whatIsProbedIsReadyWhenItsProbeSaysSo() { // NRUN-10
    var running = ran(new ContainerState.Running(NOW));
    assertThat(status(pod(PROBED), running).at("/conditions/4/status").asText()).isEqualTo("False");
    var ready = running.with(READS, ProbeState.NONE.succeed(1));
    assertThat(status(pod(PROBED), ready).at("/containerStatuses/0/ready").asBoolean()).isTrue();
    var failing = running.with(READS, ProbeState.NONE.succeed(1).fail(3).fail(3));
    assertThat(status(pod(PROBED), failing).at("/containerStatuses/0/ready").asBoolean()).isTrue();
    var failed = running.with(READS, ProbeState.NONE.succeed(1).fail(3).fail(3).fail(3));
    assertThat(status(pod(PROBED), failed).at("/containerStatuses/0/ready").asBoolean()).isFalse();
  }

  @Test
  void whatWasReadyIsReadyForTheNextAgentUntilItsProbeSaysOtherwise() { // NRUN-12
    var told =
        PROBED
            + "  containerStatuses: [{name: app, containerID: \"berth://pod-1/app/%d\", ready:"
            + " true}]\n";
    var running = ran(new ContainerState.Running(NOW));
    assertThat(status(pod(told.formatted(0)), running).at("/containerStatuses/0/ready").asBoolean())
        .isTrue();
    assertThat(status(pod(told.formatted(1)), running).at("/containerStatuses/0/ready").asBoolean())
        .isFalse();
  }

  @Test
  void aPodWhoseSidecarStillRunsHasNotEnded() { // NRUN-07
    var beside =
        POD.replace(
            "  containers:",
            "  initContainers: [{name: s, image: host, command: [s], restartPolicy: Always}]\n"
                + "  containers:");
    var over = ran(new ContainerState.Exited(NOW, NOW, 0));
    var sidecar = new ContainerId("pod-1", "s", 0);
    var running = over.with(new Run(sidecar, new ContainerState.Running(NOW), ""));
    assertThat(status(pod(beside), running).path("phase").asText()).isEqualTo("Running");
    var ended = over.with(new Run(sidecar, new ContainerState.Exited(NOW, NOW, 143), ""));
    assertThat(status(pod(beside), ended).path("phase").asText()).isEqualTo("Succeeded");
  }
}
