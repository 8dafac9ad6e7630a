package dev.berth.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.table.Layout.Include;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// API-130, API-131: each kind's columns, and what stands in them; none is ours (API-132).
class TablesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");
  private static final String BORN = "creationTimestamp: '2026-01-01T00:00:00Z'";

  /// @param columns headings, those of `-o wide` in brackets
  /// @param cells of the only row
  record Row(String what, Resource resource, String object, String columns, String cells) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static final String VOLUME =
      "Name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass,"
          + " VolumeAttributesClass, Reason, Age, [VolumeMode]";
  private static final String CLAIM =
      "Name, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age,"
          + " [VolumeMode]";
  private static final String STORAGE_CLASS =
      "Name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age";
  private static final String NODE =
      "Name, Status, Roles, Age, Version, [Internal-IP], [External-IP], [OS-Image],"
          + " [Kernel-Version], [Container-Runtime]";
  private static final String EVENT =
      "Last Seen, Type, Reason, Object, [Subobject], [Source], Message, [First Seen], [Count],"
          + " [Name]";
  private static final String DRIVER =
      "Name, AttachRequired, PodInfoOnMount, StorageCapacity, TokenRequests, RequiresRepublish,"
          + " Modes, Age";

  static final List<Row> rows =
      List.of(
          new Row(
              "a bound volume",
              Resources.VOLUMES,
              """
              metadata: {name: pv-1, %s}
              spec:
                capacity: {storage: 1Gi}
                accessModes: [ReadWriteMany, ReadWriteOnce, ReadWriteOnce]
                persistentVolumeReclaimPolicy: Delete
                claimRef: {namespace: default, name: data}
                storageClassName: fast
                volumeMode: Filesystem
              status: {phase: Bound}
              """
                  .formatted(BORN),
              VOLUME,
              "pv-1|1Gi|RWO,RWX|Delete|Bound|default/data|fast|<unset>||60s|Filesystem"),
          new Row(
              "a volume on its way out",
              Resources.VOLUMES,
              """
              metadata: {name: pv-1, deletionTimestamp: '2026-01-01T00:00:00Z'}
              spec: {capacity: {storage: 1Gi}, volumeAttributesClassName: gold}
              status: {phase: Released, reason: Gone}
              """,
              VOLUME,
              "pv-1|1Gi|||Terminating|||gold|Gone|<unknown>|<unset>"),
          new Row(
              "a claim without a volume shows no capacity",
              Resources.CLAIMS,
              """
              metadata: {name: data, %s}
              spec: {accessModes: [ReadWriteOnce], storageClassName: fast}
              status: {phase: Pending, capacity: {storage: 1Gi}}
              """
                  .formatted(BORN),
              CLAIM,
              "data|Pending||||fast|<unset>|60s|<unset>"),
          new Row(
              "a bound claim; its class stands in the old annotation",
              Resources.CLAIMS,
              """
              metadata:
                name: data
                annotations: {volume.beta.kubernetes.io/storage-class: old}
              spec: {volumeName: pv-1, volumeMode: Block, storageClassName: new}
              status: {phase: Bound, capacity: {storage: 2Gi}, accessModes: [ReadWriteOncePod]}
              """,
              CLAIM,
              "data|Bound|pv-1|2Gi|RWOP|old|<unset>|<unknown>|Block"),
          new Row(
              "a class with defaults",
              Resources.STORAGE_CLASSES,
              "{metadata: {name: fast}, provisioner: disk.example}",
              STORAGE_CLASS,
              "fast|disk.example|Delete|Immediate|false|<unknown>"),
          new Row(
              "the default class",
              Resources.STORAGE_CLASSES,
              """
              metadata:
                name: fast
                annotations: {storageclass.kubernetes.io/is-default-class: "true"}
              provisioner: disk.example
              reclaimPolicy: Retain
              volumeBindingMode: WaitForFirstConsumer
              allowVolumeExpansion: true
              """,
              STORAGE_CLASS,
              "fast (default)|disk.example|Retain|WaitForFirstConsumer|true|<unknown>"),
          new Row(
              "an inline attachment names no volume",
              Resources.ATTACHMENTS,
              """
              metadata: {name: csi-1}
              spec: {attacher: disk.example, nodeName: a, source: {inlineVolumeSpec: {}}}
              status: {attached: true}
              """,
              "Name, Attacher, PV, Node, Attached, Age",
              "csi-1|disk.example||a|true|<unknown>"),
          new Row(
              "the drivers of a node are counted",
              Resources.CSI_NODES,
              "{metadata: {name: a}, spec: {drivers: [{name: x}, {name: y}]}}",
              "Name, Drivers, Age",
              "a|2|<unknown>"),
          new Row(
              "a driver with defaults",
              Resources.CSI_DRIVERS,
              "{metadata: {name: x}, spec: {}}",
              DRIVER,
              "x|true|false|false|<unset>|false|<none>|<unknown>"),
          new Row(
              "a driver without",
              Resources.CSI_DRIVERS,
              """
              metadata: {name: x}
              spec:
                attachRequired: false
                podInfoOnMount: true
                storageCapacity: true
                tokenRequests: [{audience: a}, {audience: b}]
                requiresRepublish: true
                volumeLifecycleModes: [Persistent, Ephemeral]
              """,
              DRIVER,
              "x|false|true|true|a,b|true|Persistent,Ephemeral|<unknown>"),
          new Row(
              "a node of which nothing is known",
              Resources.NODES,
              "metadata: {name: a}",
              NODE,
              "a|Unknown|<none>|<unknown>||<none>|<none>|<unknown>|<unknown>|<unknown>"),
          new Row(
              "a node that takes no more pods",
              Resources.NODES,
              """
              metadata:
                name: a
                labels: {node-role.kubernetes.io/worker: "", kubernetes.io/role: storage}
              spec: {unschedulable: true}
              status:
                conditions: [{type: DiskPressure, status: "True"}, {type: Ready, status: "True"}]
                addresses: [{type: Hostname, address: a}, {type: InternalIP, address: 192.0.2.1}]
                nodeInfo:
                  kubeletVersion: v1
                  osImage: Linux
                  kernelVersion: "6"
                  containerRuntimeVersion: host
              """,
              NODE,
              "a|Ready,SchedulingDisabled|storage,worker|<unknown>|v1|192.0.2.1|<none>|Linux|6|host"),
          new Row(
              "an event told the old way",
              Resources.EVENTS,
              """
              metadata: {name: data.1}
              involvedObject: {kind: PersistentVolumeClaim, name: data, fieldPath: spec}
              type: Warning
              reason: ProvisioningFailed
              message: " no room\\n"
              firstTimestamp: '2026-01-01T00:00:00Z'
              lastTimestamp: '2026-01-01T00:00:50Z'
              count: 3
              source: {component: disk, host: a}
              """,
              EVENT,
              "10s|Warning|ProvisioningFailed|persistentvolumeclaim/data|spec|disk, a|no"
                  + " room|60s|3|data.1"),
          new Row(
              "an event told the new way",
              Resources.EVENTS,
              """
              metadata: {name: data.1}
              involvedObject: {kind: Pod, name: web-0}
              type: Normal
              reason: Started
              message: started
              eventTime: '2026-01-01T00:00:00.000000Z'
              reportingComponent: agent
              reportingInstance: a
              """,
              EVENT,
              "60s|Normal|Started|pod/web-0||agent, a|started|60s|1|data.1"),
          new Row(
              "a series of events",
              Resources.EVENTS,
              """
              metadata: {name: data.1}
              involvedObject: {kind: Pod}
              eventTime: '2026-01-01T00:00:00.000000Z'
              series: {count: 9, lastObservedTime: '2026-01-01T00:00:58.000000Z'}
              """,
              EVENT,
              "2s|||pod||||60s|9|data.1"),
          new Row(
              "a pod",
              Resources.PODS,
              """
              metadata: {name: web-0, %s}
              spec:
                nodeName: a
                containers: [{name: c}]
                readinessGates: [{conditionType: warm}, {conditionType: fed}]
              status:
                phase: Pending
                podIPs: [{ip: 192.0.2.9}]
                conditions: [{type: warm, status: "True"}, {type: fed, status: "False"}]
              """
                  .formatted(BORN),
              "Name, Ready, Status, Restarts, Age, [IP], [Node], [Nominated Node], [Readiness"
                  + " Gates]",
              "web-0|0/1|Pending|0|60s|192.0.2.9|a|<none>|1/2"),
          new Row(
              "a namespace",
              Resources.NAMESPACES,
              "{metadata: {name: default}, status: {phase: Active}}",
              "Name, Status, Age",
              "default|Active|<unknown>"),
          new Row(
              "a secret shows how much, not what",
              Resources.SECRETS,
              "{metadata: {name: s}, type: Opaque, data: {a: eA==, b: eQ==}}",
              "Name, Type, Data, Age",
              "s|Opaque|2|<unknown>"),
          new Row(
              "a config map counts both kinds of data",
              Resources.CONFIG_MAPS,
              "{metadata: {name: c}, data: {a: x}, binaryData: {b: eQ==}}",
              "Name, Data, Age",
              "c|2|<unknown>"),
          new Row(
              "a lease",
              Resources.LEASES,
              "{metadata: {name: l}, spec: {holderIdentity: me}}",
              "Name, Holder, Age",
              "l|me|<unknown>"),
          new Row(
              "capacity that is not known",
              Resources.STORAGE_CAPACITIES,
              "{metadata: {name: csisc-1}, storageClassName: fast}",
              "Name, Created At",
              "csisc-1|"),
          new Row(
              "a class of attributes",
              Resources.ATTRIBUTES_CLASSES,
              "{metadata: {name: gold}, driverName: disk.example}",
              "Name, DriverName, Age",
              "gold|disk.example|<unknown>"),
          new Row(
              "a kind that nobody made columns for",
              new Resource("example", "v1", "things", "Thing", false),
              "metadata: {name: t, creationTimestamp: '2026-01-01T00:00:00Z'}",
              "Name, Created At",
              "t|2026-01-01T00:00:00Z"));

  @ParameterizedTest
  @FieldSource("rows")
  void shows(Row row) {
    var table = table(row.resource(), Yaml.object(row.object()), Include.NONE);
    assertThat(columns(table)).isEqualTo(row.columns());
    assertThat(cells(table)).isEqualTo(row.cells());
  }

  @Test
  void numbersAndTruthsAreNoTexts() {
    var driver = table(Resources.CSI_DRIVERS, Yaml.object("metadata: {name: x}"), Include.NONE);
    assertThat(driver.at("/rows/0/cells/1").isBoolean()).isTrue();
    var node = table(Resources.CSI_NODES, Yaml.object("metadata: {name: x}"), Include.NONE);
    assertThat(node.at("/rows/0/cells/1").isInt()).isTrue();
  }

  @Test
  void aRowTakesWithItWhatWasAskedFor() {
    var claim = Yaml.object("{kind: X, metadata: {name: data, uid: u}, spec: {}}");
    assertThat(table(Resources.CLAIMS, claim, Include.NONE).at("/rows/0/object").isNull()).isTrue();
    assertThat(table(Resources.CLAIMS, claim, Include.METADATA).at("/rows/0/object"))
        .isEqualTo(
            Yaml.object(
                "{kind: PartialObjectMetadata, apiVersion: meta.k8s.io/v1, metadata: {name: data,"
                    + " uid: u}}"));
    assertThat(table(Resources.CLAIMS, claim, Include.OBJECT).at("/rows/0/object"))
        .isEqualTo(claim);
  }

  @Test
  void aPodThatHasEndedIsMarked() {
    var pod = Yaml.object("{metadata: {name: p}, status: {phase: Succeeded}}");
    assertThat(table(Resources.PODS, pod, Include.NONE).at("/rows/0/conditions/0/type").asText())
        .isEqualTo("Completed");
  }

  private static ObjectNode table(Resource resource, ObjectNode object, Include include) {
    var metadata = JsonNodeFactory.instance.objectNode();
    return Tables.of(resource).table(metadata, List.of(object), include, NOW);
  }

  private static String columns(JsonNode table) {
    var columns = new ArrayList<String>();
    for (var column : table.path("columnDefinitions")) {
      var name = column.path("name").asText();
      columns.add(column.path("priority").asInt() == 0 ? name : "[" + name + "]");
    }
    return String.join(", ", columns);
  }

  private static String cells(JsonNode table) {
    var cells = new ArrayList<String>();
    table.at("/rows/0/cells").forEach(cell -> cells.add(cell.asText()));
    return String.join("|", cells);
  }
}
