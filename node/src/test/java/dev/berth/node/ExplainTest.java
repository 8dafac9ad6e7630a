package dev.berth.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.node.testing.TestNode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// What the decisions say of a node of which only the API is seen (explain.md, L07 to L14).
class ExplainTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final VolumeName NAME = new VolumeName("disk.berth.dev", "vol-1");
  private static final String POD =
      """
      metadata: {namespace: ns, name: web, uid: pod-1}
      spec:
        nodeName: n
        containers: [{name: app, volumeMounts: [{name: data, mountPath: /data}]}]
        volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
      """;
  private static final String RUNNING =
      POD
          + "status: {phase: Running, containerStatuses: [{name: app, restartCount: 0, state:"
          + " {running: {startedAt: \"2026-11-21T11:00:00Z\"}}}]}";
  private static final String IN_USE =
      "{metadata: {name: n}, status: {volumesInUse: [\"kubernetes.io/csi/disk.berth.dev^vol-1\"]}}";

  private static <T extends KubeObject> T read(Kind<T> kind, String yaml) {
    return kind.read().apply(TestNode.yaml(yaml));
  }

  private static Snapshots world(String pod, String node) {
    return Snapshots.empty()
        .with(Kinds.POD, read(Kinds.POD, pod))
        .with(Kinds.NODE, read(Kinds.NODE, node))
        .with(
            Kinds.CLAIM,
            read(
                Kinds.CLAIM,
                "{metadata: {namespace: ns, name: data, uid: c}, spec: {volumeName: pv-1},"
                    + " status: {phase: Bound}}"))
        .with(
            Kinds.VOLUME,
            read(
                Kinds.VOLUME,
                "{metadata: {name: pv-1}, spec: {claimRef: {namespace: ns, name: data, uid: c},"
                    + " csi: {driver: disk.berth.dev, volumeHandle: vol-1}}}"));
  }

  private static Step pod(Snapshots objects, Pod pod) {
    return decide(NodeDeciders.of("n").pods(), objects, pod.meta().uid());
  }

  private static Step volume(Snapshots objects) {
    return decide(NodeDeciders.of("n").volumes(), objects, NAME);
  }

  private static <K, V> Step decide(Decider<K, V, ?> decider, Snapshots objects, K key) {
    return decider.decide(decider.view(Presumption.of("n", objects), NOW), key);
  }

  private static String until(Step step) {
    return step instanceof Wait wait ? wait.on() + " " + wait.until() : step.toString();
  }

  @Test
  void aPodThatIsCreatedWaitsForItsVolumeAndTheVolumeForTheReport() {
    var objects = world(POD, "metadata: {name: n}");
    assertThat(until(pod(objects, read(Kinds.POD, POD))))
        .isEqualTo("persistentvolume/pv-1 volume pv-1 is mounted for the pod on node n");
    assertThat(until(volume(objects)))
        .isEqualTo("node/n the agent of node n has reported " + NAME + " in use");
  }

  @Test
  void aRunningPodIsSettled() {
    var objects = world(RUNNING, IN_USE);
    assertThat(pod(objects, read(Kinds.POD, RUNNING))).isEqualTo(new Settled());
    assertThat(volume(objects)).isEqualTo(new Settled());
  }

  @Test
  void aVolumeWithoutAPodWaitsForItsDriver() {
    var objects = world(POD.replace("nodeName: n", "nodeName: other"), IN_USE);
    assertThat(until(volume(objects)))
        .isEqualTo("csinode/n driver disk.berth.dev has registered on node n");
  }

  @Test
  void aPodThatLeavesWaitsForItsContainers() {
    var leaving =
        RUNNING.replace("uid: pod-1", "uid: pod-1, deletionTimestamp: \"2026-11-21T12:00:20Z\"");
    var objects = world(leaving, IN_USE);
    assertThat(until(pod(objects, read(Kinds.POD, leaving))))
        .isEqualTo("pod/web its containers have ended: app");
    assertThat(until(volume(objects)))
        .isEqualTo("pod/web the containers that have the volume mounted have ended");
  }
}
