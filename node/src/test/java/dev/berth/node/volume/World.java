package dev.berth.node.volume;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.DrainOrder;
import dev.berth.node.volume.state.VolumeState;
import java.time.Instant;
import java.util.Set;
import java.util.function.UnaryOperator;

/// A small world as one node's decisions see it; each `with` is a new one that differs in one
/// thing.
///
/// @param actual what is mounted on node `n`
/// @param drivers registered there
record World(Snapshots objects, Instant now, Actual actual, Set<String> drivers) {
  static final String DRIVER = "disk.berth.dev";
  static final VolumeName NAME = new VolumeName(DRIVER, "vol-1");
  static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  static final String POD =
      """
      metadata: {namespace: ns, name: web, uid: pod-1, creationTimestamp: "2026-11-21T11:59:50Z"}
      spec:
        nodeName: n
        containers: [{name: app, volumeMounts: [{name: data, mountPath: /data}]}]
        volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
      status: {phase: Pending}
      """;
  static final String CLAIM =
      """
      metadata: {namespace: ns, name: data, uid: claim-1}
      spec: {volumeName: pv-1}
      status: {phase: Bound}
      """;
  static final String VOLUME =
      """
      metadata: {name: pv-1, uid: pv-1}
      spec:
        accessModes: [ReadWriteOnce]
        claimRef: {namespace: ns, name: data, uid: claim-1}
        csi: {driver: disk.berth.dev, volumeHandle: vol-1, fsType: ext4}
      """;
  static final String NODE = "metadata: {name: n, uid: node-1}";
  static final String ATTACHED_NODE =
      """
      metadata: {name: n, uid: node-1}
      status:
        volumesInUse: ["kubernetes.io/csi/disk.berth.dev^vol-1"]
        volumesAttached: [{name: "kubernetes.io/csi/disk.berth.dev^vol-1", devicePath: ""}]
      """;
  static final String ATTACHMENT =
      """
      metadata: {name: %s, uid: va-1, creationTimestamp: "2026-11-21T11:59:55Z"}
      spec: {attacher: disk.berth.dev, nodeName: n, source: {persistentVolumeName: pv-1}}
      status: {attached: true, attachmentMetadata: {device: loop7}}
      """
          .formatted(NAME.attachment("n"));

  /// A pod wants its bound volume; nothing has been done.
  static final World WANTED =
      new World(Snapshots.empty(), NOW, Actual.NOTHING, Set.of(DRIVER))
          .with(Kinds.POD, POD)
          .with(Kinds.CLAIM, CLAIM)
          .with(Kinds.VOLUME, VOLUME)
          .with(Kinds.NODE, NODE)
          .with(Kinds.ATTACHMENT, ATTACHMENT.replace("attached: true", "attached: false"))
          .with(Kinds.CSI_DRIVER, "metadata: {name: disk.berth.dev}");

  /// All that has to be seen before the volume may be staged is to be seen.
  static final World ATTACHED =
      WANTED.with(Kinds.NODE, ATTACHED_NODE).with(Kinds.ATTACHMENT, ATTACHMENT).reported(NAME);

  <T extends KubeObject> World with(Kind<T> kind, String yaml) {
    return new World(objects.with(kind, read(kind, yaml)), now, actual, drivers);
  }

  <T extends KubeObject> World without(Kind<T> kind, String yaml) {
    return new World(objects.without(kind, read(kind, yaml)), now, actual, drivers);
  }

  World withDrivers(String... names) {
    return new World(objects, now, actual, Set.of(names));
  }

  World at(Instant time) {
    return new World(objects, time, actual, drivers);
  }

  World with(UnaryOperator<Actual> change) {
    return new World(objects, now, change.apply(actual), drivers);
  }

  World withVolume(UnaryOperator<VolumeState> change) {
    return with(state -> state.with(change.apply(state.volume(NAME))));
  }

  World reported(VolumeName... names) {
    return with(state -> state.reported(Set.of(names)));
  }

  MountView view() {
    return new MountView(objects, now, "n", actual, drivers, DrainOrder.NONE);
  }

  Want want() {
    return view().wants(NAME).getFirst();
  }

  static <T extends KubeObject> T read(Kind<T> kind, String yaml) {
    try {
      return kind.read().apply(new ObjectMapper(new YAMLFactory()).readTree(yaml));
    } catch (JsonProcessingException broken) {
      throw new IllegalStateException(broken);
    }
  }
}
