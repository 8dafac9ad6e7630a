package dev.berth.bench.scale;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.KubeObject;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// A cluster in memory: nodes that take volumes of one driver, and pods of which each runs on one
/// of them with a bound claim, attached. Besides, two pods have no node yet: the claim of one is
/// bound, that of the other waits for its first consumer.
record World(int nodes, int pods) {
  static final ObjectKey BOUND = ObjectKey.of("default", "bound");
  static final ObjectKey WAITING = ObjectKey.of("default", "waiting");

  private static final ObjectMapper JSON = new ObjectMapper();

  Snapshots snapshot() {
    return Snapshots.empty()
        .with(Kinds.STORAGE_CLASS, List.of(storageClass()))
        .with(Kinds.CSI_DRIVER, List.of(driver()))
        .with(Kinds.STORAGE_CAPACITY, each(nodes, World::capacity))
        .with(Kinds.NODE, each(nodes, World::node))
        .with(Kinds.CSI_NODE, each(nodes, World::csiNode))
        .with(Kinds.VOLUME, each(pods, number -> volume("pod-" + number)))
        .with(Kinds.CLAIM, each(pods, number -> claim("pod-" + number, "pv-pod-" + number)))
        .with(Kinds.ATTACHMENT, each(pods, this::attachment))
        .with(Kinds.POD, each(pods, number -> pod("pod-" + number, nodeOf(number))))
        .with(Kinds.VOLUME, List.of(volume("bound")))
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

  private static StorageClass storageClass() {
    return read(
        Kinds.STORAGE_CLASS,
        """
        {'metadata': {'name': 'fast', 'uid': 'class', 'resourceVersion': '1'},
         'provisioner': 'disk.example.com', 'volumeBindingMode': 'WaitForFirstConsumer'}
        """);
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

  private static Node node(int number) {
    return read(
        Kinds.NODE,
        """
        {'metadata': {'name': 'node-%d', 'uid': 'node-%1$d', 'resourceVersion': '1',
          'labels': {'kubernetes.io/hostname': 'node-%1$d',
            'topology.example.com/node': 'node-%1$d'}},
         'status': {'allocatable': {'pods': '110'},
          'conditions': [{'type': 'Ready', 'status': 'True'}]}}
        """,
        number);
  }

  private static CsiNode csiNode(int number) {
    return read(
        Kinds.CSI_NODE,
        """
        {'metadata': {'name': 'node-%d', 'uid': 'csinode-%1$d', 'resourceVersion': '1'},
         'spec': {'drivers': [{'name': 'disk.example.com', 'nodeID': 'node-%1$d',
          'topologyKeys': ['topology.example.com/node'], 'allocatable': {'count': 64}}]}}
        """,
        number);
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

  private Attachment attachment(int pod) {
    return read(
        Kinds.ATTACHMENT,
        """
        {'metadata': {'name': 'csi-%d', 'uid': 'attachment-%1$d', 'resourceVersion': '1'},
         'spec': {'attacher': 'disk.example.com', 'nodeName': '%s',
          'source': {'persistentVolumeName': 'pv-pod-%1$d'}},
         'status': {'attached': true}}
        """,
        pod,
        nodeOf(pod));
  }

  private static Pod pod(String name, String node) {
    return read(
        Kinds.POD,
        """
        {'metadata': {'namespace': 'default', 'name': '%s', 'uid': 'pod-%1$s',
          'resourceVersion': '1'},
         'spec': {'schedulerName': 'default-scheduler', 'nodeName': '%s',
          'containers': [{'name': 'main', 'image': 'host'}],
          'volumes': [{'name': 'data', 'persistentVolumeClaim': {'claimName': '%1$s'}}]},
         'status': {'phase': '%s'}}
        """,
        name,
        node,
        node.isEmpty() ? "Pending" : "Running");
  }
}
