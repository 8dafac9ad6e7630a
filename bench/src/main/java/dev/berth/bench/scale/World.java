package dev.berth.bench.scale;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// A cluster in memory: nodes that take volumes of one driver, and pods of which each runs on one
/// of them with a bound claim, attached. Besides, however many these are: two pods have no node
/// yet, the claim of one is bound, that of the other waits for its first consumer; two claims are
/// to get a volume, one of them for a node; and twenty pods run on a node of their own.
record World(int nodes, int pods) {
  static final ObjectKey BOUND = ObjectKey.of("default", "bound");
  static final ObjectKey WAITING = ObjectKey.of("default", "waiting");

  /// Claims for which a volume is to be made: for a node, and for any.
  static final ObjectKey NEAR = ObjectKey.of("default", "near");

  static final ObjectKey SPREAD = ObjectKey.of("default", "spread");

  static final String DRIVER = "disk.example.com";

  /// A node with twenty pods in any cluster.
  static final String OWN = "own";

  private static final int OWN_PODS = 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  Snapshots snapshot() {
    return Snapshots.empty()
        .with(
            Kinds.STORAGE_CLASS,
            List.of(storageClass("fast", "WaitForFirstConsumer"), storageClass("now", "Immediate")))
        .with(Kinds.CSI_DRIVER, List.of(driver()))
        .with(Kinds.STORAGE_CAPACITY, each(nodes, World::capacity))
        .with(Kinds.NODE, each(nodes, number -> node("node-" + number)))
        .with(Kinds.NODE, node(OWN))
        .with(Kinds.CSI_NODE, each(nodes, number -> csiNode("node-" + number)))
        .with(Kinds.CSI_NODE, csiNode(OWN))
        .with(Kinds.VOLUME, each(pods, number -> volume("pod-" + number)))
        .with(Kinds.CLAIM, each(pods, number -> claim("pod-" + number, "pv-pod-" + number)))
        .with(Kinds.ATTACHMENT, each(pods, number -> attachment(number, nodeOf(number))))
        .with(Kinds.POD, each(pods, number -> pod("pod-" + number, nodeOf(number))))
        .with(Kinds.VOLUME, each(OWN_PODS, number -> volume("own-" + number)))
        .with(Kinds.CLAIM, each(OWN_PODS, number -> claim("own-" + number, "pv-own-" + number)))
        .with(Kinds.POD, each(OWN_PODS, number -> pod("own-" + number, OWN)))
        .with(Kinds.VOLUME, List.of(volume("bound")))
        .with(
            Kinds.CLAIM, List.of(toBeMade("near", "fast", "node-7"), toBeMade("spread", "now", "")))
        .with(Kinds.CLAIM, List.of(claim("bound", "pv-bound"), claim("waiting", "")))
        .with(Kinds.POD, List.of(pod("bound", ""), pod("waiting", "")));
  }

  private static <T> List<T> each(int count, IntFunction<T> object) {
    return IntStream.range(0, count).mapToObj(object).toList();
  }

  private String nodeOf(int pod) {
    return "node-" + pod % nodes;
  }

  private static <T extends KubeObject> T read(Kind<T> kind, String json, Object... values) {
    try {
      JsonNode tree = JSON.readTree(json.replace('\'', '"').formatted(values));
      return kind.read().apply(tree);
    } catch (JsonProcessingException mistaken) {
      throw new IllegalStateException(mistaken);
    }
  }

  private static StorageClass storageClass(String name, String mode) {
    return read(
        Kinds.STORAGE_CLASS,
        """
        {'metadata': {'name': '%s', 'uid': 'class-%1$s', 'resourceVersion': '1'},
         'provisioner': 'disk.example.com', 'volumeBindingMode': '%s'}
        """,
        name,
        mode);
  }

  private static CsiDriver driver() {
    return read(
        Kinds.CSI_DRIVER,
        """
        {'metadata': {'name': 'disk.example.com', 'uid': 'driver', 'resourceVersion': '1'},
         'spec': {'attachRequired': true, 'storageCapacity': true}}
        """);
  }

  private static StorageCapacity capacity(int node) {
    return read(
        Kinds.STORAGE_CAPACITY,
        """
        {'metadata': {'namespace': 'default', 'name': 'capacity-%d', 'uid': 'capacity-%1$d',
          'resourceVersion': '1'},
         'storageClassName': 'fast', 'capacity': '100Gi',
         'nodeTopology': {'matchLabels': {'topology.example.com/node': 'node-%1$d'}}}
        """,
        node);
  }

  private static Node node(String name) {
    return read(
        Kinds.NODE,
        """
        {'metadata': {'name': '%s', 'uid': 'node-%1$s', 'resourceVersion': '1',
          'labels': {'kubernetes.io/hostname': '%1$s',
            'topology.example.com/node': '%1$s'}},
         'status': {'allocatable': {'pods': '110'},
          'conditions': [{'type': 'Ready', 'status': 'True'}]}}
        """,
        name);
  }

  private static CsiNode csiNode(String name) {
    return read(
        Kinds.CSI_NODE,
        """
        {'metadata': {'name': '%s', 'uid': 'csinode-%1$s', 'resourceVersion': '1'},
         'spec': {'drivers': [{'name': 'disk.example.com', 'nodeID': '%1$s',
          'topologyKeys': ['topology.example.com/node'], 'allocatable': {'count': 64}}]}}
        """,
        name);
  }

  private static Volume volume(String claim) {
    return read(
        Kinds.VOLUME,
        """
        {'metadata': {'name': 'pv-%s', 'uid': 'pv-%1$s', 'resourceVersion': '1',
          'finalizers': ['kubernetes.io/pv-protection']},
         'spec': {'capacity': {'storage': '1Gi'}, 'accessModes': ['ReadWriteOnce'],
          'storageClassName': 'fast', 'persistentVolumeReclaimPolicy': 'Delete',
          'claimRef': {'namespace': 'default', 'name': '%1$s', 'uid': 'claim-%1$s'},
          'csi': {'driver': 'disk.example.com', 'volumeHandle': 'handle-%1$s'}},
         'status': {'phase': 'Bound'}}
        """,
        claim);
  }

  private static Claim claim(String name, String volume) {
    return read(
        Kinds.CLAIM,
        """
        {'metadata': {'namespace': 'default', 'name': '%s', 'uid': 'claim-%1$s',
          'resourceVersion': '1', 'finalizers': ['kubernetes.io/pvc-protection'],
          'annotations': {%s}},
         'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': 'fast',
          'volumeName': '%s', 'resources': {'requests': {'storage': '1Gi'}}},
         'status': {'phase': '%s'}}
        """,
        name,
        volume.isEmpty() ? "" : "'pv.kubernetes.io/bind-completed': 'yes'".replace('\'', '"'),
        volume,
        volume.isEmpty() ? "Pending" : "Bound");
  }

  private static Claim toBeMade(String name, String storageClass, String node) {
    return read(
        Kinds.CLAIM,
        """
        {'metadata': {'namespace': 'default', 'name': '%s', 'uid': 'claim-%1$s',
          'resourceVersion': '1', 'finalizers': ['kubernetes.io/pvc-protection'],
          'annotations': {'volume.kubernetes.io/storage-provisioner': 'disk.example.com'%s}},
         'spec': {'accessModes': ['ReadWriteOnce'], 'storageClassName': '%s',
          'resources': {'requests': {'storage': '1Gi'}}},
         'status': {'phase': 'Pending'}}
        """,
        name,
        node.isEmpty() ? "" : ", \"volume.kubernetes.io/selected-node\": \"" + node + '"',
        storageClass);
  }

  private static Attachment attachment(int pod, String node) {
    return read(
        Kinds.ATTACHMENT,
        """
        {'metadata': {'name': 'csi-%d', 'uid': 'attachment-%1$d', 'resourceVersion': '1'},
         'spec': {'attacher': 'disk.example.com', 'nodeName': '%s',
          'source': {'persistentVolumeName': 'pv-pod-%1$d'}},
         'status': {'attached': true}}
        """,
        pod,
        node);
  }

  private static Pod pod(String name, String node) {
    return read(
        Kinds.POD,
        """
        {'metadata': {'namespace': 'default', 'name': '%s', 'uid': 'pod-%1$s',
          'resourceVersion': '1'},
         'spec': {'schedulerName': 'default-scheduler', 'nodeName': '%s',
          'containers': [{'name': 'main', 'image': 'host',
            'volumeMounts': [{'name': 'data', 'mountPath': '/data'}]}],
          'volumes': [{'name': 'data', 'persistentVolumeClaim': {'claimName': '%1$s'}}]},
         'status': {'phase': '%s'}}
        """,
        name,
        node,
        node.isEmpty() ? "Pending" : "Running");
  }
}
