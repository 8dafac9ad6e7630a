package dev.berth.volume;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import java.util.List;

/// Pod `web` with its claims and their volumes; each `with` is a new world.
record World(Snapshots objects) {
  private static final YAMLMapper YAML = new YAMLMapper();

  /// Names claim `data`, a claim of its own `web-scratch` and an inline volume.
  static final Pod POD = pod("web", "pod-1");

  static final Claim CLAIM =
      read(
          Kinds.CLAIM,
          """
          metadata: {namespace: ns, name: data, uid: claim-1}
          spec: {accessModes: [ReadWriteOnce], volumeName: pv-1}
          status: {phase: Bound}
          """);
  static final Claim OWNED = owned("pod-1");
  static final Volume VOLUME = volume("{namespace: ns, name: data, uid: claim-1}");

  /// All is bound as it should be.
  static final World BOUND =
      new World(Snapshots.empty())
          .with(Kinds.POD, POD)
          .with(Kinds.CLAIM, CLAIM)
          .with(Kinds.CLAIM, OWNED)
          .with(Kinds.VOLUME, VOLUME);

  <T extends KubeObject> World with(Kind<T> kind, T object) {
    return new World(objects.with(kind, List.of(object)));
  }

  <T extends KubeObject> World without(Kind<T> kind, T object) {
    return new World(objects.without(kind, object));
  }

  static Pod pod(String name, String uid) {
    return read(
        Kinds.POD,
        """
        metadata: {namespace: ns, name: %s, uid: %s}
        spec:
          nodeName: n
          volumes:
          - {name: d, persistentVolumeClaim: {claimName: data}}
          - {name: again, persistentVolumeClaim: {claimName: data, readOnly: true}}
          - {name: scratch, ephemeral: {volumeClaimTemplate: {}}}
          - {name: tmp, emptyDir: {}}
          - name: token
            csi:
              driver: secrets.example
              readOnly: true
              fsType: xfs
              volumeAttributes: {class: a}
              nodePublishSecretRef: {name: key}
        """
            .formatted(name, uid));
  }

  /// Claim `web-scratch`, made for the pod with this uid.
  static Claim owned(String podUid) {
    return read(
        Kinds.CLAIM,
        """
        metadata:
          namespace: ns
          name: web-scratch
          uid: claim-2
          ownerReferences: [{apiVersion: v1, kind: Pod, name: web, uid: %s, controller: true}]
        spec: {accessModes: [ReadWriteOnce]}
        """
            .formatted(podUid));
  }

  /// Volume `pv-1` that names this claim.
  static Volume volume(String claimRef) {
    return read(
        Kinds.VOLUME,
        """
        metadata: {name: pv-1, uid: pv-1}
        spec:
          accessModes: [ReadWriteOnce]
          claimRef: %s
          csi: {driver: disk.berth.dev, volumeHandle: vol-1, fsType: ext4}
        """
            .formatted(claimRef));
  }

  static <T extends KubeObject> T read(Kind<T> kind, String yaml) {
    return kind.read().apply(tree(yaml));
  }

  private static JsonNode tree(String yaml) {
    try {
      return YAML.readTree(yaml);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }
}
