package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.ATTACHMENT;
import static dev.berth.apiserver.core.Samples.CLAIM;
import static dev.berth.apiserver.core.Samples.CLASS;
import static dev.berth.apiserver.core.Samples.CSI_NODE;
import static dev.berth.apiserver.core.Samples.DRIVER;
import static dev.berth.apiserver.core.Samples.VOLUME;
import static dev.berth.apiserver.core.Samples.vary;
import static dev.berth.kube.object.Resources.ATTACHMENTS;
import static dev.berth.kube.object.Resources.ATTRIBUTES_CLASSES;
import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.CSI_DRIVERS;
import static dev.berth.kube.object.Resources.CSI_NODES;
import static dev.berth.kube.object.Resources.STORAGE_CAPACITIES;
import static dev.berth.kube.object.Resources.STORAGE_CLASSES;
import static dev.berth.kube.object.Resources.VOLUMES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Defaults, validation and immutability of the storage kinds (spec/apiserver.md, section 11).
class StorageRulesTest {
  private static final String CAPACITY =
      "{metadata: {namespace: default, name: cap}, storageClassName: fast, capacity: 10Gi}";
  private static final String ATTRIBUTES =
      "{metadata: {name: gold}, driverName: disk.berth.dev, parameters: {iops: '100'}}";
  private static final String CLAIM_IMMUTABLE =
      "spec: Forbidden: spec is immutable after creation except resources.requests and"
          + " volumeAttributesClassName for bound claims";

  static final List<CoreRule> classes =
      List.of(
          // PROV-104
          rule("API-95", "a class deletes and binds at once by default")
              .when(world -> world.create(STORAGE_CLASSES, CLASS))
              .shows("{reclaimPolicy: Delete, volumeBindingMode: Immediate}"),
          rule("API-95", "a class has a provisioner")
              .when(world -> world.create(STORAGE_CLASSES, "{metadata: {name: fast}}"))
              .invalid(
                  "StorageClass.storage.k8s.io \"fast\" is invalid: provisioner: Required value"),
          rule("API-95", "a class does not recycle")
              .when(world ->
                  world.create(
                      STORAGE_CLASSES,
                      vary(CLASS, "provisioner", "reclaimPolicy: Recycle, provisioner")))
              .invalid(
                  "reclaimPolicy: Unsupported value: \"Recycle\": supported values: \"Delete\","
                      + " \"Retain\""),
          rule("API-95", "a class's parameters stay")
              .given(world -> world.with(STORAGE_CLASSES, CLASS))
              .when(world -> world.merge(STORAGE_CLASSES, "fast", "{parameters: {a: b}}"))
              .invalid("parameters: Forbidden: updates to parameters are forbidden."),
          rule("API-95", "a class's binding mode stays")
              .given(world -> world.with(STORAGE_CLASSES, CLASS))
              .when(world ->
                  world.merge(STORAGE_CLASSES, "fast", "{volumeBindingMode: WaitForFirstConsumer}"))
              .invalid(
                  "volumeBindingMode: Invalid value: \"WaitForFirstConsumer\": field is immutable"),
          rule("API-95", "whether it lets volumes grow may change")
              .given(world -> world.with(STORAGE_CLASSES, CLASS))
              .when(world -> world.merge(STORAGE_CLASSES, "fast", "{allowVolumeExpansion: true}"))
              .shows("allowVolumeExpansion: true"),
          rule("API-104", "an attributes class has parameters")
              .when(world ->
                  world.create(ATTRIBUTES_CLASSES, vary(ATTRIBUTES, "{iops: '100'}", "{}")))
              .invalid("parameters: Required value: must contain at least one key/value pair"),
          rule("API-104", "and keeps them") // VAC-01
              .given(world -> world.with(ATTRIBUTES_CLASSES, ATTRIBUTES))
              .when(world -> world.merge(ATTRIBUTES_CLASSES, "gold", "{parameters: {iops: '9'}}"))
              .invalid("parameters: Forbidden: updates to parameters are forbidden."),
          rule("API-104", "a capacity is of a class for good")
              .given(world -> world.with(STORAGE_CAPACITIES, CAPACITY))
              .when(world ->
                  world.merge(STORAGE_CAPACITIES, "default/cap", "{storageClassName: other}"))
              .invalid("storageClassName: Invalid value: \"other\": field is immutable"),
          rule("API-104", "a capacity is not negative")
              .when(world -> world.create(STORAGE_CAPACITIES, vary(CAPACITY, "10Gi", "-1")))
              .invalid("capacity: Invalid value: \"-1\": must be greater than or equal to 0"));

  static final List<CoreRule> volumes =
      List.of(
          rule("API-96", "a volume is retained and a file system by default")
              .when(world -> world.create(VOLUMES, VOLUME))
              .shows(
                  """
                  spec: {persistentVolumeReclaimPolicy: Retain, volumeMode: Filesystem}
                  metadata: {finalizers: [kubernetes.io/pv-protection]}
                  """),
          rule("API-96", "a volume has modes, a size and a source")
              .when(world -> world.create(VOLUMES, "{metadata: {name: pv-1}}"))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().details().causes())
                      .containsExactly(
                          new Refusal.Cause(
                              "FieldValueRequired", "Required value", "spec.accessModes"),
                          new Refusal.Cause(
                              "FieldValueRequired", "Required value", "spec.capacity"),
                          new Refusal.Cause(
                              "FieldValueRequired",
                              "Required value: must specify a volume type",
                              "spec"))),
          rule("API-96", "a volume has one source")
              .when(world -> world.create(VOLUMES, VOLUME + "  nfs: {server: a, path: /b}\n"))
              .invalid("spec.csi: Forbidden: may not specify more than 1 volume type"),
          rule("API-96", "a volume has some size")
              .when(world -> world.create(VOLUMES, vary(VOLUME, "1Gi", "0")))
              .invalid("spec.capacity[storage]: Invalid value: \"0\": must be greater than zero"),
          rule("API-96", "one pod only is no mode beside others")
              .when(world ->
                  world.create(
                      VOLUMES,
                      vary(VOLUME, "[ReadWriteOnce]", "[ReadWriteOncePod, ReadWriteMany]")))
              .invalid(
                  "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access"
                      + " modes"),
          rule("API-96", "a local volume is somewhere")
              .when(world ->
                  world.create(
                      VOLUMES,
                      vary(
                          VOLUME,
                          "csi: {driver: disk.berth.dev, volumeHandle: vol-1}",
                          "local: {path: /data}")))
              .invalid("metadata.annotations: Required value: Local volume requires node affinity"),
          rule("API-96", "a secret reference has both parts")
              .when(world ->
                  world.create(
                      VOLUMES,
                      vary(
                          VOLUME,
                          "volumeHandle: vol-1",
                          "volumeHandle: vol-1, nodePublishSecretRef: {name: a}")))
              .invalid("spec.csi.nodePublishSecretRef.namespace: Required value"),
          rule("API-97", "a volume's source stays")
              .given(world -> world.with(VOLUMES, VOLUME))
              .when(world -> world.merge(VOLUMES, "pv-1", "{spec: {csi: {volumeHandle: vol-2}}}"))
              .invalid(
                  "spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable"
                      + " after creation\n- csi.volumeHandle: \"vol-1\"\n+ csi.volumeHandle:"
                      + " \"vol-2\""),
          rule("API-97", "its secret for growing may still be named")
              .given(world -> world.with(VOLUMES, VOLUME))
              .when(world ->
                  world.merge(
                      VOLUMES,
                      "pv-1",
                      "{spec: {csi: {controllerExpandSecretRef: {name: a, namespace: b}}}}"))
              .shows("spec: {csi: {controllerExpandSecretRef: {name: a}}}"),
          rule("API-97", "its claim, size and policy may change")
              .given(world -> world.with(VOLUMES, VOLUME))
              .when(world ->
                  world.merge(
                      VOLUMES,
                      "pv-1",
                      """
                      spec:
                        claimRef: {namespace: default, name: data}
                        capacity: {storage: 2048Mi}
                        persistentVolumeReclaimPolicy: Delete
                      """))
              .shows("spec: {capacity: {storage: 2Gi}, persistentVolumeReclaimPolicy: Delete}"),
          rule("API-97", "its place may be said once")
              .given(world -> {
                world.with(VOLUMES, VOLUME);
                world.merge(
                    VOLUMES,
                    "pv-1",
                    "{spec: {nodeAffinity: %s}}"
                        .formatted(zone("topology.kubernetes.io/zone", "a")));
                return world;
              })
              .when(world ->
                  world.merge(
                      VOLUMES,
                      "pv-1",
                      "{spec: {nodeAffinity: %s}}"
                          .formatted(zone("topology.kubernetes.io/zone", "b"))))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().message())
                      .contains("spec.nodeAffinity: Invalid value:")
                      .endsWith("field is immutable")),
          rule("API-97", "but in the words of today")
              .given(world -> {
                world.with(VOLUMES, VOLUME);
                world.merge(
                    VOLUMES,
                    "pv-1",
                    "{spec: {nodeAffinity: %s}}"
                        .formatted(zone("failure-domain.beta.kubernetes.io/zone", "a")));
                return world;
              })
              .when(world ->
                  world.merge(
                      VOLUMES,
                      "pv-1",
                      "{spec: {nodeAffinity: %s}}"
                          .formatted(zone("topology.kubernetes.io/zone", "a"))))
              .shows("metadata: {name: pv-1}"));

  private static String zone(String key, String value) {
    return """
    {required: {nodeSelectorTerms: [{matchExpressions: [{key: %s, operator: In, values: [%s]}]}]}}\
    """
        .formatted(key, value);
  }

  static final List<CoreRule> claims =
      List.of(
          rule("API-98", "a claim is for a file system and protected by default")
              .when(world -> world.create(CLAIMS, CLAIM))
              .shows(
                  """
                  spec: {volumeMode: Filesystem, storageClassName: null}
                  status: {phase: Pending}
                  metadata: {finalizers: [kubernetes.io/pvc-protection]}
                  """),
          rule("API-98", "a claim asks for modes and a size")
              .when(world -> world.create(CLAIMS, "{metadata: {namespace: default, name: data}}"))
              .invalid(
                  "spec.accessModes: Required value: at least 1 access mode is required",
                  "spec.resources[storage]: Required value"),
          rule("API-98", "a claim asks for more than nothing")
              .when(world -> world.create(CLAIMS, vary(CLAIM, "1Gi", "0")))
              .invalid("spec.resources[storage]: Invalid value: \"0\": must be greater than zero"),
          rule("API-98", "an unknown mode is refused with those there are")
              .when(world -> world.create(CLAIMS, vary(CLAIM, "ReadWriteOnce", "Sometimes")))
              .invalid(
                  "spec.accessModes: Unsupported value: \"Sometimes\": supported values:"
                      + " \"ReadOnlyMany\", \"ReadWriteMany\", \"ReadWriteOnce\","
                      + " \"ReadWriteOncePod\""),
          rule("API-98", "the two source fields fill each other")
              .when(world ->
                  world.create(
                      CLAIMS, CLAIM + "  dataSource: {kind: PersistentVolumeClaim, name: a}\n"))
              .shows("spec: {dataSourceRef: {kind: PersistentVolumeClaim, name: a}}"),
          rule("API-98", "the older one knows claims and snapshots only")
              .when(world ->
                  world.create(
                      CLAIMS, CLAIM + "  dataSourceRef: {apiGroup: a.b, kind: Odd, name: a}\n"))
              .shows("spec: {dataSource: null, dataSourceRef: {kind: Odd}}"),
          rule("API-99", "a claim's specification stays")
              .given(StorageRulesTest::bound)
              .when(world ->
                  world.merge(CLAIMS, "default/data", "{spec: {accessModes: [ReadWriteMany]}}"))
              .invalid(
                  CLAIM_IMMUTABLE
                      + "\n"
                      + "- accessModes[0]: \"ReadWriteOnce\"\n"
                      + "+ accessModes[0]: \"ReadWriteMany\""),
          rule("API-99", "its volume is named once")
              .given(world -> world.with(CLAIMS, CLAIM))
              .when(world -> world.merge(CLAIMS, "default/data", "{spec: {volumeName: pv-1}}"))
              .shows("spec: {volumeName: pv-1}"),
          rule("API-99", "and no other after it")
              .given(StorageRulesTest::bound)
              .when(world -> world.merge(CLAIMS, "default/data", "{spec: {volumeName: pv-2}}"))
              .invalid(CLAIM_IMMUTABLE),
          rule("API-99", "its class may be said late")
              .given(world -> world.with(CLAIMS, CLAIM))
              .when(
                  world -> world.merge(CLAIMS, "default/data", "{spec: {storageClassName: fast}}"))
              .shows("spec: {storageClassName: fast}"),
          rule("API-99", "but no class is an answer too")
              .given(world -> world.with(CLAIMS, CLAIM + "  storageClassName: ''\n"))
              .when(
                  world -> world.merge(CLAIMS, "default/data", "{spec: {storageClassName: fast}}"))
              .invalid(CLAIM_IMMUTABLE),
          rule("API-99", "a bound claim may ask for more")
              .given(StorageRulesTest::bound)
              .when(world -> resize(world, "2Gi"))
              .shows("spec: {resources: {requests: {storage: 2Gi}}}"),
          rule("API-99", "one that is not bound may not")
              .given(world -> world.with(CLAIMS, CLAIM))
              .when(world -> resize(world, "2Gi"))
              .invalid(CLAIM_IMMUTABLE),
          // RSZ-78
          rule("API-99", "no claim shrinks to what it has or below")
              .given(world -> {
                resize(bound(world), "4Gi");
                return world;
              })
              .when(world -> resize(world, "1Gi"))
              .invalid(
                  "spec.resources.requests.storage: Forbidden: field can not be less than"
                      + " status.capacity"),
          rule("API-99", "but it may ask for less than it had hoped for")
              .given(world -> {
                resize(bound(world), "4Gi");
                return world;
              })
              .when(world -> resize(world, "2Gi"))
              .shows("spec: {resources: {requests: {storage: 2Gi}}}"),
          rule("RSZ-88", "attributes that were applied are not taken back")
              .given(StorageRulesTest::modified)
              .when(world ->
                  world.merge(CLAIMS, "default/data", "{spec: {volumeAttributesClassName: null}}"))
              .invalid(
                  "volumeAttributesClassName: Forbidden: update from non-nil value to nil is"
                      + " forbidden"),
          rule("RSZ-88", "nor made nothing of")
              .given(StorageRulesTest::modified)
              .when(world ->
                  world.merge(CLAIMS, "default/data", "{spec: {volumeAttributesClassName: ''}}"))
              .invalid("update from non-nil value to an empty string is forbidden"),
          rule("RSZ-88", "but others may follow")
              .given(StorageRulesTest::modified)
              .when(world ->
                  world.merge(CLAIMS, "default/data", "{spec: {volumeAttributesClassName: iron}}"))
              .shows("spec: {volumeAttributesClassName: iron}"),
          rule("API-100", "an unknown state of growth is refused")
              .given(StorageRulesTest::bound)
              .when(world ->
                  world.mergeStatus(
                      CLAIMS,
                      "default/data",
                      "{status: {allocatedResourceStatuses: {storage: Soon}}}"))
              .invalid("status.allocatedResourceStatuses[storage]: Unsupported value: \"Soon\""));

  /// With a claim of 1 GiB that is bound and may grow.
  private static World bound(World world) {
    world.with(
        STORAGE_CLASSES, "{metadata: {name: fast}, provisioner: a.b, allowVolumeExpansion: true}");
    world.with(CLAIMS, CLAIM + "  storageClassName: fast\n  volumeName: pv-1\n");
    world.mergeStatus(CLAIMS, "default/data", "{status: {phase: Bound, capacity: {storage: 1Gi}}}");
    return world;
  }

  /// With a bound claim that has its attributes.
  private static World modified(World world) {
    bound(world);
    world.merge(CLAIMS, "default/data", "{spec: {volumeAttributesClassName: gold}}");
    world.mergeStatus(CLAIMS, "default/data", "{status: {currentVolumeAttributesClassName: gold}}");
    return world;
  }

  private static Answer resize(World world, String size) {
    return world.merge(
        CLAIMS, "default/data", "{spec: {resources: {requests: {storage: %s}}}}".formatted(size));
  }

  static final List<CoreRule> admission =
      List.of(
          rule("API-111", "a claim without class gets the default one")
              .given(world -> world.with(STORAGE_CLASSES, defaultClass("fast")))
              .when(world -> world.create(CLAIMS, CLAIM))
              .shows("spec: {storageClassName: fast}"),
          rule("API-111", "of two default classes the newer one")
              .given(world ->
                  world
                      .with(STORAGE_CLASSES, defaultClass("a"))
                      .later(java.time.Duration.ofMinutes(1))
                      .with(STORAGE_CLASSES, defaultClass("c"))
                      .with(STORAGE_CLASSES, defaultClass("b")))
              .when(world -> world.create(CLAIMS, CLAIM))
              .shows("spec: {storageClassName: b}"),
          rule("API-111", "no class is respected")
              .given(world -> world.with(STORAGE_CLASSES, defaultClass("fast")))
              .when(world -> world.create(CLAIMS, CLAIM + "  storageClassName: ''\n"))
              .shows("spec: {storageClassName: ''}"),
          rule("API-111", "and so is the legacy annotation")
              .given(world -> world.with(STORAGE_CLASSES, defaultClass("fast")))
              .when(world ->
                  world.create(
                      CLAIMS,
                      vary(
                          CLAIM,
                          "name: data",
                          "name: data, annotations:"
                              + " {volume.beta.kubernetes.io/storage-class: old}")))
              .shows("spec: {storageClassName: null}"),
          rule("API-113", "only a class that allows it lets a claim grow")
              .given(world -> {
                bound(world);
                world.merge(STORAGE_CLASSES, "fast", "{allowVolumeExpansion: false}");
                return world;
              })
              .when(world -> resize(world, "2Gi"))
              .refused(
                  403,
                  "Forbidden",
                  "persistentvolumeclaims \"data\" is forbidden: only dynamically provisioned pvc"
                      + " can be resized and the storageclass that provisions the pvc must support"
                      + " resize"));

  private static String defaultClass(String name) {
    return """
    metadata:
      name: %s
      annotations: {storageclass.kubernetes.io/is-default-class: "true"}
    provisioner: disk.berth.dev
    """
        .formatted(name);
  }

  static final List<CoreRule> attaching =
      List.of(
          rule("MIG-110", "an attachment has one source")
              .when(world ->
                  world.create(ATTACHMENTS, vary(ATTACHMENT, "{persistentVolumeName: pv-1}", "{}")))
              .invalid(
                  "spec.source: Required value: must specify exactly one of inlineVolumeSpec and"
                      + " persistentVolumeName"),
          // ATT-98
          rule("API-101", "an attachment's specification stays")
              .given(world -> world.with(ATTACHMENTS, ATTACHMENT))
              .when(world -> world.merge(ATTACHMENTS, "va-1", "{spec: {nodeName: node-b}}"))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().message())
                      .startsWith(
                          "VolumeAttachment.storage.k8s.io \"va-1\" is invalid: spec: Invalid"
                              + " value: {")
                      .endsWith("field is immutable")),
          rule("API-101", "an error is not a novel")
              .given(world -> world.with(ATTACHMENTS, ATTACHMENT))
              .when(world ->
                  world.mergeStatus(
                      ATTACHMENTS,
                      "va-1",
                      "{status: {attachError: {message: %s}}}".formatted("a".repeat(1025))))
              .invalid("status.attachError.message: Too long: may not be more than 1024 bytes"),
          rule("API-102", "a node has each driver once")
              .when(world ->
                  world.create(CSI_NODES, CSI_NODE + "  - {name: disk.berth.dev, nodeID: other}\n"))
              .invalid("spec.drivers[1].name: Duplicate value: \"disk.berth.dev\""),
          rule("API-102", "a driver's entry stays while it is there")
              .given(world -> world.with(CSI_NODES, CSI_NODE))
              .when(world ->
                  world.merge(
                      CSI_NODES,
                      "node-a",
                      "{spec: {drivers: [{name: disk.berth.dev, nodeID: other}]}}"))
              .then(answer ->
                  assertThat(((Answer.Refused) answer).refusal().message())
                      .endsWith("field is immutable")),
          rule("API-102", "but its limit may change")
              .given(world -> world.with(CSI_NODES, CSI_NODE))
              .when(world ->
                  world.merge(
                      CSI_NODES,
                      "node-a",
                      """
                      spec:
                        drivers:
                        - name: disk.berth.dev
                          nodeID: node-a
                          topologyKeys: [disk.berth.dev/node]
                          allocatable: {count: 9}
                      """))
              .shows("metadata: {name: node-a}"),
          rule("API-103", "a driver's defaults")
              .when(world -> world.create(CSI_DRIVERS, DRIVER))
              .shows(
                  """
                  spec:
                    attachRequired: true
                    podInfoOnMount: false
                    storageCapacity: false
                    fsGroupPolicy: ReadWriteOnceWithFSType
                    volumeLifecycleModes: [Persistent]
                    requiresRepublish: false
                    seLinuxMount: false
                  """),
          rule("API-103", "whether a driver attaches stays, under upstream's path")
              .given(world -> world.with(CSI_DRIVERS, DRIVER))
              .when(world ->
                  world.merge(CSI_DRIVERS, "disk.berth.dev", "{spec: {attachRequired: false}}"))
              .invalid("spec.attachedRequired: Invalid value: false: field is immutable"),
          rule("API-103", "a token lives ten minutes at least")
              .when(world ->
                  world.create(
                      CSI_DRIVERS,
                      vary(
                          DRIVER,
                          "spec: {}",
                          "spec: {tokenRequests: [{audience: a, expirationSeconds: 60}]}")))
              .invalid(
                  "spec.tokenRequests[0].expirationSeconds: Invalid value: 60: may not specify a"
                      + " duration less than 10 minutes"));

  @ParameterizedTest(name = "{0}")
  @FieldSource({"classes", "volumes", "claims", "admission", "attaching"})
  void rules(CoreRule rule) {
    rule.check();
  }
}
