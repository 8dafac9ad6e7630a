package dev.berth.controller;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.controller.roster.Controllers;
import dev.berth.kube.api.Revision;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A Kubernetes object in the making. Each method makes another draft; none changes this one.
public record Draft(ObjectNode tree) {
  /// When every drafted object was created.
  public static final Instant CREATED = Instant.parse("2026-11-21T10:00:00Z");

  /// When every deleted object was deleted.
  public static final Instant DELETED = Instant.parse("2026-11-21T11:00:00Z");

  private static final YAMLMapper YAML = new YAMLMapper();
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Map<String, Kind<?>> KINDS =
      Controllers.KINDS.stream()
          .collect(Collectors.toMap(kind -> kind.resource().kind(), Function.identity()));

  /// The object that `yaml` shows, with a uid `uid-<name>`, a version and a date of creation.
  public static Draft of(String yaml) {
    try {
      var tree = (ObjectNode) YAML.readTree(yaml);
      var meta = tree.withObject("/metadata");
      if (!meta.has("uid")) meta.put("uid", "uid-" + Json.text(meta, "name"));
      meta.put("resourceVersion", "7").put("creationTimestamp", CREATED.toString());
      return new Draft(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /// An immediate claim of 1Gi in namespace `shop`.
  public static Draft claim(String name) {
    return of(
        """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {namespace: shop, name: %s}
        spec:
          accessModes: [ReadWriteOnce]
          storageClassName: fast
          resources: {requests: {storage: 1Gi}}
          volumeMode: Filesystem
        status: {phase: Pending}
        """
            .formatted(name));
  }

  /// An available volume of 1Gi that driver `disk.berth.dev` has as `h-<name>`.
  public static Draft volume(String name) {
    return of(
        """
        apiVersion: v1
        kind: PersistentVolume
        metadata: {name: %1$s}
        spec:
          accessModes: [ReadWriteOnce]
          capacity: {storage: 1Gi}
          storageClassName: fast
          volumeMode: Filesystem
          persistentVolumeReclaimPolicy: Delete
          csi: {driver: disk.berth.dev, volumeHandle: h-%1$s}
        status: {phase: Available}
        """
            .formatted(name));
  }

  /// A VolumeAttributesClass of `disk.berth.dev`.
  public static Draft attributesClass(String name) {
    return of(
        """
        apiVersion: storage.k8s.io/v1
        kind: VolumeAttributesClass
        metadata: {name: %s}
        driverName: disk.berth.dev
        parameters: {tier: gold}
        """
            .formatted(name));
  }

  /// A class of `disk.berth.dev` that binds at once.
  public static Draft storageClass(String name) {
    return of(
        """
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: {name: %s}
        provisioner: disk.berth.dev
        reclaimPolicy: Delete
        volumeBindingMode: Immediate
        """
            .formatted(name));
  }

  /// A pod in namespace `shop` that is not placed and mounts each of `claims`.
  public static Draft pod(String name, String... claims) {
    var pod =
        of(
            """
            apiVersion: v1
            kind: Pod
            metadata: {namespace: shop, name: %s}
            spec:
              schedulerName: default-scheduler
              containers: [{name: app, image: host}]
              volumes: []
            status: {phase: Pending}
            """
                .formatted(name));
    for (var claim : claims)
      pod =
          pod.add(
              "spec.volumes",
              "{name: %1$s, persistentVolumeClaim: {claimName: %1$s}}".formatted(claim));
    return pod;
  }

  /// A ready node whose attachments the controller owns.
  public static Draft node(String name) {
    return of(
        """
        apiVersion: v1
        kind: Node
        metadata:
          name: %1$s
          labels: {kubernetes.io/hostname: %1$s}
          annotations: {volumes.kubernetes.io/controller-managed-attach-detach: "true"}
        status:
          conditions:
          - {type: Ready, status: "True", lastTransitionTime: "2026-11-21T10:00:00Z"}
        """
            .formatted(name));
  }

  /// The attachment of volume `h-<volume>` to a node, as attach/detach asks for it.
  public static Draft attachment(String volume, String node) {
    return of(
        """
        apiVersion: storage.k8s.io/v1
        kind: VolumeAttachment
        metadata: {name: %s}
        spec:
          attacher: disk.berth.dev
          nodeName: %s
          source: {persistentVolumeName: %s}
        status: {attached: false}
        """
            .formatted(name(volume).attachment(node), node, volume));
  }

  /// What nodes call the volume of this name.
  public static VolumeName name(String volume) {
    return new VolumeName("disk.berth.dev", "h-" + volume);
  }

  /// A claim and the volume that it is bound to by all four writes.
  public static List<Draft> bound(String claim, String volume) {
    return List.of(
        claim(claim)
            .set("spec.volumeName", volume)
            .annotate("pv.kubernetes.io/bind-completed", "yes")
            .set("status.phase", "Bound")
            .set("status.accessModes", "[ReadWriteOnce]"),
        volume(volume).claimedBy(claim).set("status.phase", "Bound"));
  }

  /// With a field set.
  ///
  /// @param path names with dots between
  /// @param value in YAML
  public Draft set(String path, String value) {
    return changed(tree -> {
      int dot = path.lastIndexOf('.');
      var parent = dot < 0 ? tree : tree.withObject(pointer(path.substring(0, dot)));
      parent.set(path.substring(dot + 1), yaml(value));
    });
  }

  public Draft without(String path) {
    return changed(tree -> {
      int dot = path.lastIndexOf('.');
      var parent = dot < 0 ? tree : tree.withObject(pointer(path.substring(0, dot)));
      parent.remove(path.substring(dot + 1));
    });
  }

  /// Adds an element to a list.
  public Draft add(String path, String yaml) {
    return changed(tree -> tree.withArray(pointer(path)).add(yaml(yaml)));
  }

  public Draft annotate(String key, String value) {
    return changed(tree -> tree.withObject("/metadata/annotations").put(key, value));
  }

  public Draft label(String key, String value) {
    return changed(tree -> tree.withObject("/metadata/labels").put(key, value));
  }

  public Draft finalizer(String finalizer) {
    return changed(tree -> finalizers(tree).add(finalizer));
  }

  public Draft deleting() {
    return set("metadata.deletionTimestamp", '"' + DELETED.toString() + '"');
  }

  /// Reserved for the claim of this name in namespace `shop`, by name and uid.
  public Draft claimedBy(String claim) {
    return set(
        "spec.claimRef",
        "{kind: PersistentVolumeClaim, apiVersion: v1, namespace: shop, name: %1$s, uid: uid-%1$s}"
            .formatted(claim));
  }

  /// A node that was told of the volume.
  public Draft lists(String volume) {
    return add("status.volumesAttached", "{name: '%s', devicePath: ''}".formatted(name(volume)));
  }

  /// A node that may have the volume mounted.
  public Draft mounts(String volume) {
    return add("status.volumesInUse", "'" + name(volume) + "'");
  }

  /// A pod on a node, with a running container.
  public Draft runningOn(String node) {
    return set("spec.nodeName", node)
        .set("status.phase", "Running")
        .set("status.containerStatuses", "[{name: app, state: {running: {}}}]");
  }

  public Kind<?> kind() {
    var kind = KINDS.get(Json.text(tree, "kind"));
    if (kind == null) throw new IllegalArgumentException("no kind of ours: " + tree.path("kind"));
    return kind;
  }

  boolean is(Kind<?> kind, String name) {
    return kind().equals(kind) && key().name().equals(name);
  }

  boolean replaces(Draft other) {
    return kind().equals(other.kind()) && key().equals(other.key());
  }

  public ObjectKey key() {
    return Meta.of(tree).key();
  }

  public Revision revision() {
    return Revision.of(Meta.of(tree));
  }

  public <T extends KubeObject> T as(Kind<T> kind) {
    return kind.read().apply(tree);
  }

  /// As its author hands it in: what the server writes is left out, but for a node's status.
  public ObjectNode unborn() {
    var copy = tree.deepCopy();
    copy.withObject("/metadata").remove(List.of("uid", "resourceVersion", "creationTimestamp"));
    if (!Json.text(tree, "kind").equals("Node")) copy.remove("status");
    return copy;
  }

  private Draft changed(Consumer<ObjectNode> change) {
    var copy = tree.deepCopy();
    change.accept(copy);
    return new Draft(copy);
  }

  private static ArrayNode finalizers(ObjectNode tree) {
    return tree.withArray("/metadata/finalizers");
  }

  private static String pointer(String path) {
    return "/" + path.replace('.', '/');
  }

  private static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  @Override
  public String toString() {
    try {
      return JSON.writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
