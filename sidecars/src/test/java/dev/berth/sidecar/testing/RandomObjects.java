package dev.berth.sidecar.testing;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Kind;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Objects of some drivers, made by chance of so few names that they often speak of each other.
public final class RandomObjects {
  /// One's name is a part of another's.
  public static final List<String> DRIVERS =
      List.of("one.example", "a.one.example", "three.example");

  private static final List<Kind<?>> KINDS =
      List.of(
          Kinds.CLAIM,
          Kinds.CLAIM,
          Kinds.VOLUME,
          Kinds.VOLUME,
          Kinds.ATTACHMENT,
          Kinds.STORAGE_CLASS,
          Kinds.POD,
          Kinds.NODE,
          Kinds.CSI_NODE,
          Kinds.STORAGE_CAPACITY,
          Kinds.ATTRIBUTES_CLASS,
          SnapshotKinds.SNAPSHOT,
          SnapshotKinds.CONTENT,
          SnapshotKinds.CLASS,
          SnapshotKinds.GROUP_CONTENT,
          SnapshotKinds.GROUP_CLASS);

  private final Random random;

  public RandomObjects(long seed) {
    random = new Random(seed);
  }

  /// What has changed.
  ///
  /// @param key under which it stands in the world
  public record Changed(Kind<?> kind, String key) {}

  /// @return by kind and name
  public Map<String, JsonNode> world(int objects) {
    var world = new LinkedHashMap<String, JsonNode>();
    for (int i = 0; i < objects; i++) put(world, one(KINDS));
    return world;
  }

  /// Makes an object come, change or go.
  public Changed change(Map<String, JsonNode> world) {
    var kind = one(KINDS);
    var before = List.copyOf(world.keySet());
    var key = put(world, kind);
    if (random.nextInt(4) == 0 && before.contains(key)) world.remove(key);
    return new Changed(kind, key);
  }

  /// Makes an object go, and another of its name come.
  public Changed replace(Map<String, JsonNode> world) {
    var key = one(List.copyOf(world.keySet()));
    var kind = one(KINDS.stream().filter(it -> key.startsWith(of(it))).toList());
    put(world, kind, key.substring(of(kind).length()), "another");
    return new Changed(kind, key);
  }

  private static String of(Kind<?> kind) {
    return kind.resource().kind() + "/";
  }

  private String put(Map<String, JsonNode> world, Kind<?> kind) {
    var letter = kind.equals(Kinds.CSI_NODE) ? "N" : kind.resource().kind().substring(0, 1);
    var name = name(letter);
    return put(world, kind, name, "uid-" + name + random.nextInt(2));
  }

  private String put(Map<String, JsonNode> world, Kind<?> kind, String name, String uid) {
    var object = object(kind).of(kind.resource()).named(name);
    if (kind.resource().namespaced()) object = object.with("shop", "metadata", "namespace");
    object = object.with(uid, "metadata", "uid");
    if (random.nextInt(4) == 0) object = object.deleting();
    var key = of(kind) + name;
    world.put(key, object.json());
    return key;
  }

  private Tree object(Kind<?> kind) {
    return switch (kind.resource().kind()) {
      case "PersistentVolumeClaim" -> claim();
      case "PersistentVolume" -> volume();
      case "VolumeAttachment" ->
          Objects.attachment()
              .with(driver(), "spec", "attacher")
              .with(name("N"), "spec", "nodeName")
              .with(name("P"), "spec", "source", "persistentVolumeName")
              .with(random.nextBoolean(), "status", "attached");
      case "StorageClass" -> Objects.storageClass().with(driver(), "provisioner");
      case "Pod" ->
          Tree.of("{\"metadata\": {}, \"spec\": {}, \"status\": {}}")
              .with(name("N"), "spec", "nodeName")
              .with(one(List.of("Running", "Succeeded")), "status", "phase")
              .with(
                  List.of(
                      Map.of("name", "v", "persistentVolumeClaim", Map.of("claimName", name("P")))),
                  "spec",
                  "volumes");
      case "Node" -> Objects.node("", Map.of("zone", name("z")));
      case "CSINode" ->
          Objects.csiNode("")
              .with(
                  List.of(
                      Map.of(
                          "name", driver(), "nodeID", name("i"), "topologyKeys", List.of("zone"))),
                  "spec",
                  "drivers");
      case "CSIStorageCapacity" ->
          Tree.of("{\"metadata\": {\"namespace\": \"default\"}}")
              .with(name("S"), "storageClassName")
              .with(
                  Map.of(
                      "csi.storage.k8s.io/drivername",
                      driver(),
                      "csi.storage.k8s.io/managed-by",
                      "external-provisioner"),
                  "metadata",
                  "labels");
      case "VolumeAttributesClass" -> Tree.of("{\"metadata\": {}}").with(driver(), "driverName");
      case "VolumeSnapshot" -> snapshot();
      case "VolumeSnapshotContent", "VolumeGroupSnapshotContent" -> content();
      default ->
          Tree.of("{\"metadata\": {}, \"deletionPolicy\": \"Delete\"}").with(driver(), "driver");
    };
  }

  private Tree claim() {
    var claim =
        Objects.claim()
            .annotated(Annotations.STORAGE_PROVISIONER, driver())
            .with(name("S"), "spec", "storageClassName")
            .with(one(List.of("Pending", "Bound")), "status", "phase");
    if (random.nextInt(3) == 0) claim = claim.without("metadata", "annotations");
    if (random.nextInt(4) == 0)
      claim =
          claim.annotated(
              Annotations.PROVISIONING_INTENT, "{\"driver\": \"%s\"}".formatted(driver()));
    if (random.nextBoolean()) claim = claim.with(name("P"), "spec", "volumeName");
    if (random.nextInt(3) == 0)
      claim =
          claim.with(
              Map.of("kind", "PersistentVolumeClaim", "name", name("P")), "spec", "dataSource");
    else if (random.nextInt(3) == 0)
      claim =
          claim.with(
              Map.of(
                  "apiGroup",
                  "snapshot.storage.k8s.io",
                  "kind",
                  "VolumeSnapshot",
                  "name",
                  name("V")),
              "spec",
              "dataSource");
    if (random.nextInt(3) == 0) claim = claim.finalizers(Finalizers.CLONING);
    if (random.nextInt(3) == 0)
      claim =
          claim.with(
              List.of(Map.of("type", "Resizing", "status", "True", "reason", "VolumeInUse")),
              "status",
              "conditions");
    if (random.nextInt(3) == 0) claim = claim.with(name("V"), "spec", "volumeAttributesClassName");
    if (random.nextInt(3) == 0)
      claim = claim.with(name("V"), "status", "currentVolumeAttributesClassName");
    return claim;
  }

  private Tree volume() {
    var volume =
        Objects.volume()
            .with(driver(), "spec", "csi", "driver")
            .with(name("P"), "spec", "claimRef", "name")
            .annotated(Annotations.PROVISIONED_BY, driver());
    if (random.nextInt(3) == 0) volume = volume.without("metadata", "annotations");
    if (random.nextInt(4) == 0) volume = volume.annotated(Annotations.MIGRATED_TO, driver());
    if (random.nextInt(4) == 0) volume = volume.without("spec", "csi");
    if (random.nextInt(4) == 0) volume = volume.without("spec", "claimRef");
    return random.nextInt(3) == 0 ? volume.finalizers(Finalizers.attacher(driver())) : volume;
  }

  private Tree snapshot() {
    var snapshot = SnapshotObjects.snapshot();
    return random.nextBoolean()
        ? snapshot.finalizers(SnapshotFinalizers.PROVISIONER_SOURCE)
        : snapshot;
  }

  private Tree content() {
    return Tree.of(
            "{\"metadata\": {}, \"spec\": {\"deletionPolicy\": \"Delete\", \"source\": {}},"
                + " \"status\": {}}")
        .with(driver(), "spec", "driver")
        .with(name("V"), "spec", "volumeSnapshotClassName")
        .with(name("V"), "spec", "volumeGroupSnapshotClassName")
        .with(random.nextBoolean(), "status", "readyToUse");
  }

  private String driver() {
    return one(DRIVERS);
  }

  /// One of few of a kind whose name begins so.
  private String name(String letter) {
    return letter + random.nextInt(3);
  }

  private <T> T one(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
