package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.Map;

/// Objects as scenarios usually have them; what a scenario says is merged over one, `name` being its name.
final class Templates {
  private static final YAMLMapper YAML = new YAMLMapper();

  private static final Map<String, String> ALL =
      Map.of(
          "class",
          """
          kind: StorageClass
          metadata: {name: <T>}
          provisioner: <driver>
          """,
          "claim",
          """
          kind: PersistentVolumeClaim
          metadata:
            name: data
            namespace: <T>
            annotations:
              volume.beta.kubernetes.io/storage-provisioner: <driver>
              volume.kubernetes.io/storage-provisioner: <driver>
          spec:
            storageClassName: <T>
            accessModes: [ReadWriteOnce]
            resources: {requests: {storage: 1Gi}}
          """,
          "volume",
          """
          kind: PersistentVolume
          metadata: {name: <T>-pv, annotations: {pv.kubernetes.io/provisioned-by: <driver>}}
          spec:
            storageClassName: <T>
            accessModes: [ReadWriteOnce]
            capacity: {storage: 1Gi}
            persistentVolumeReclaimPolicy: Delete
            csi: {driver: <driver>, volumeHandle: vol-1}
          """,
          "attachment",
          """
          kind: VolumeAttachment
          metadata: {name: <T>-va}
          spec: {attacher: <driver>, nodeName: <T>-n1, source: {persistentVolumeName: <T>-pv}}
          """,
          "secret",
          """
          kind: Secret
          metadata: {name: secret, namespace: <T>}
          stringData: {user: admin, password: opensesame}
          """,
          "snapshotclass",
          """
          kind: VolumeSnapshotClass
          metadata: {name: <T>}
          driver: <driver>
          deletionPolicy: Delete
          """,
          "snapshot",
          """
          kind: VolumeSnapshot
          metadata: {name: snap, namespace: <T>}
          spec: {volumeSnapshotClassName: <T>, source: {persistentVolumeClaimName: data}}
          """,
          "content",
          """
          kind: VolumeSnapshotContent
          metadata: {name: <T>-content}
          spec:
            driver: <driver>
            deletionPolicy: Delete
            volumeSnapshotClassName: <T>
            source: {volumeHandle: vol-1}
            volumeSnapshotRef: {kind: VolumeSnapshot, apiVersion: snapshot.storage.k8s.io/v1, name: snap, namespace: <T>, uid: 11111111-2222-3333-4444-555555555555}
          """,
          "pod",
          """
          kind: Pod
          metadata: {name: pod, namespace: <T>}
          spec:
            automountServiceAccountToken: false
            serviceAccountName: ""
            nodeName: <T>-n1
            containers: [{name: c, image: i}]
            volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]
          """,
          "attributes",
          """
          kind: VolumeAttributesClass
          metadata: {name: <T>-gold}
          driverName: <driver>
          parameters: {iops: "1000"}
          """);

  static ObjectNode of(String word, JsonNode over, String token, String driver) throws Exception {
    var text = ALL.get(word).replace("<T>", token).replace("<driver>", driver);
    var object = (ObjectNode) YAML.readTree(text);
    var rest = ((ObjectNode) over).deepCopy();
    for (var field : new String[] {"name", "namespace", "annotations", "labels", "finalizers", "ownerReferences"})
      if (rest.has(field)) rest.withObject("/metadata").set(field, rest.remove(field));
    return Merge.into(object, rest);
  }

  private Templates() {}
}
