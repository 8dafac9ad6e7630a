package dev.berth.cli.shipped;

import static dev.berth.kube.object.Resources.DEFINITIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// The kinds that Berth brings, on a server (API-02).
class ShippedKindsTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final ObjectKey SNAPSHOTS =
      ObjectKey.cluster("volumesnapshots.snapshot.storage.k8s.io");

  private static final String CONTENT =
      """
      {spec: {driver: d, deletionPolicy: Delete, source: {volumeHandle: h},
        sourceVolumeMode: Filesystem, volumeSnapshotRef: {name: a, namespace: b, uid: u1}}}
      """;

  static final List<ShippedKind> kinds = ShippedKind.all();

  private EmbeddedApiServer server;
  private Api api;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, Executors.newVirtualThreadPerTaskExecutor());
    ShippedKinds.install(api);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @ParameterizedTest
  @FieldSource
  void kinds(ShippedKind kind) { // API-02, API-125
    var stored = api.get(DEFINITIONS, ObjectKey.cluster(kind.name()));
    for (var type : List.of("Established", "KubernetesAPIApprovalPolicyConformant"))
      assertThat(stored.at("/status/conditions"))
          .anyMatch(each ->
              Json.text(each, "type").equals(type) && Json.text(each, "status").equals("True"));
    assertThat(ShippedKind.isOurs(stored)).as("comes back as it was sent").isTrue();
  }

  /// API-36: what upstream's snapshot-controller lists at its start, and what people type.
  @ParameterizedTest
  @CsvSource({
    "snapshot.storage.k8s.io, v1, volumesnapshots, true, 'vs'",
    "snapshot.storage.k8s.io, v1, volumesnapshotcontents, false, 'vsc vscs'",
    "snapshot.storage.k8s.io, v1, volumesnapshotclasses, false, 'vsclass vsclasses'",
    "groupsnapshot.storage.k8s.io, v1, volumegroupsnapshots, true, 'vgs'",
    "groupsnapshot.storage.k8s.io, v1beta2, volumegroupsnapshots, true, 'vgs'",
    "groupsnapshot.storage.k8s.io, v1beta1, volumegroupsnapshots, true, 'vgs'",
    "groupsnapshot.storage.k8s.io, v1, volumegroupsnapshotcontents, false, 'vgsc vgscs'",
    "groupsnapshot.storage.k8s.io, v1, volumegroupsnapshotclasses, false, 'vgsclass vgsclasses'",
    "gateway.networking.k8s.io, v1beta1, referencegrants, true, 'refgrant'"
  })
  void theyAreServed(
      String group, String version, String plural, boolean namespaced, String shortNames) {
    var kind = server.kinds().find(group, version, plural).orElseThrow();
    assertThat(kind.resource().namespaced()).isEqualTo(namespaced);
    assertThat(String.join(" ", kind.shortNames())).isEqualTo(shortNames);
  }

  @ParameterizedTest(name = "{0} {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          VolumeSnapshot|{spec: {source: {}}}|exactly one of volumeSnapshotContentName and persistentVolumeClaimName must be set
          VolumeSnapshot|{spec: {source: {persistentVolumeClaimName: a, volumeSnapshotContentName: b}}}|exactly one of volumeSnapshotContentName and persistentVolumeClaimName must be set
          VolumeSnapshot|{spec: {source: {persistentVolumeClaimName: a}, volumeSnapshotClassName: ""}}|volumeSnapshotClassName must not be the empty string when set
          VolumeSnapshotContent|{spec: {driver: d, deletionPolicy: Delete, source: {}, volumeSnapshotRef: {name: a, namespace: b}}}|exactly one of volumeHandle and snapshotHandle must be set
          VolumeSnapshotContent|{spec: {driver: d, deletionPolicy: Delete, source: {volumeHandle: h}, volumeSnapshotRef: {name: a}}}|both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set
          VolumeSnapshotContent|{spec: {driver: d, deletionPolicy: Keep, source: {volumeHandle: h}, volumeSnapshotRef: {name: a, namespace: b}}}|spec.deletionPolicy: Unsupported value: "Keep": supported values: "Delete", "Retain"
          VolumeSnapshotClass|{driver: d}|deletionPolicy: Required value
          """)
  void whatIsWrongIsRefused(String kind, String body, String why)
      throws Exception { // API-123, SNAP-06
    var resource = resource(kind);
    assertThatThrownBy(() -> api.create(resource, object(resource, body)))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining(why);
  }

  @Test
  void theSourceOfASnapshotStaysWhatItWas() throws Exception { // API-123, SNAP-06
    var resource = resource("VolumeSnapshot");
    api.create(resource, object(resource, "{spec: {source: {persistentVolumeClaimName: a}}}"));
    var other = Patch.merge(YAML.readTree("{spec: {source: {persistentVolumeClaimName: b}}}"));
    assertThatThrownBy(() -> api.patch(resource, ObjectKey.of("default", "a"), other))
        .hasMessageContaining("persistentVolumeClaimName is immutable");
  }

  /// Upstream's programs read them as whole numbers, and pass over what is older.
  @Test
  void versionsAreWholeNumbersThatGrow() throws Exception { // SNAP-10
    var resource = resource("VolumeSnapshotContent");
    var made = api.create(resource, object(resource, CONTENT));
    var label = Patch.merge(YAML.readTree("{metadata: {labels: {a: b}}}"));
    var changed = api.patch(resource, ObjectKey.cluster("a"), label);
    assertThat(version(changed)).isGreaterThan(version(made));
  }

  private static long version(ObjectNode object) {
    return Long.parseLong(object.at("/metadata/resourceVersion").asText());
  }

  @ParameterizedTest
  @CsvSource({
    "volumesnapshots, 'ReadyToUse SourcePVC SourceSnapshotContent RestoreSize SnapshotClass"
        + " SnapshotContent CreationTime Age'",
    "volumesnapshotcontents, 'ReadyToUse RestoreSize DeletionPolicy Driver VolumeSnapshotClass"
        + " VolumeSnapshot VolumeSnapshotNamespace Age'",
    "volumesnapshotclasses, 'Driver DeletionPolicy Age'"
  })
  void theirColumnsAreUpstreams(String plural, String columns) { // SNAP-11
    var definition = api.get(DEFINITIONS, ObjectKey.cluster(plural + ".snapshot.storage.k8s.io"));
    assertThat(
            String.join(
                " ",
                definition
                    .at("/spec/versions/0/additionalPrinterColumns")
                    .findValuesAsText("name")))
        .isEqualTo(columns);
  }

  @Test
  void theModeOfASnapshottedVolumeStaysWhatItWas() throws Exception { // SNAP-06
    var resource = resource("VolumeSnapshotContent");
    api.create(resource, object(resource, CONTENT));
    var other = Patch.merge(YAML.readTree("{spec: {sourceVolumeMode: Block}}"));
    assertThatThrownBy(() -> api.patch(resource, ObjectKey.cluster("a"), other))
        .hasMessageContaining("sourceVolumeMode is immutable");
    var without = Patch.merge(YAML.readTree("{spec: {sourceVolumeMode: null}}"));
    assertThatThrownBy(() -> api.patch(resource, ObjectKey.cluster("a"), without))
        .hasMessageContaining("sourceVolumeMode is required once set");
  }

  /// Administrators change the policy of what is there, and a controller binds it.
  @Test
  void whatAContentMayBecomeIsNotFixed() throws Exception { // SNAP-07
    var resource = resource("VolumeSnapshotContent");
    api.create(resource, object(resource, CONTENT));
    var changed =
        api.patch(
            resource,
            ObjectKey.cluster("a"),
            Patch.merge(
                YAML.readTree(
                    """
                    {spec: {deletionPolicy: Retain, driver: other, volumeSnapshotClassName: slow,
                      volumeSnapshotRef: {uid: u2}}}
                    """)));
    assertThat(changed.at("/spec/deletionPolicy").asText()).isEqualTo("Retain");
    assertThat(changed.at("/spec/driver").asText()).isEqualTo("other");
    assertThat(changed.at("/spec/volumeSnapshotRef/uid").asText()).isEqualTo("u2");
  }

  @Test
  void whatSomebodyAppliedStays() throws Exception {
    change("{spec: {names: {shortNames: [vs, snap]}}}");
    ShippedKinds.install(api);
    assertThat(shortNames()).isEqualTo("[\"vs\",\"snap\"]");
  }

  @Test
  void whatIsStillOursIsBroughtUpToDate() throws Exception {
    var older = api.get(DEFINITIONS, SNAPSHOTS);
    older.withObject("spec").withObject("names").putArray("shortNames").add("old");
    older
        .withObject("metadata")
        .withObject("annotations")
        .put(ShippedKind.MARK, ShippedKind.mark(older.path("spec")));
    api.update(DEFINITIONS, older);
    ShippedKinds.install(api);
    assertThat(shortNames()).isEqualTo("[\"vs\"]");
    assertThat(ShippedKind.isOurs(api.get(DEFINITIONS, SNAPSHOTS))).isTrue();
  }

  @Test
  void installingAgainWritesNothing() {
    var before = api.get(DEFINITIONS, SNAPSHOTS);
    ShippedKinds.install(api);
    assertThat(api.get(DEFINITIONS, SNAPSHOTS)).isEqualTo(before);
  }

  private void change(String patch) throws Exception {
    api.patch(DEFINITIONS, SNAPSHOTS, Patch.merge(YAML.readTree(patch)));
  }

  private String shortNames() {
    return api.get(DEFINITIONS, SNAPSHOTS).at("/spec/names/shortNames").toString();
  }

  private Resource resource(String kind) {
    return server.kinds().all().stream()
        .map(each -> each.resource())
        .filter(each -> each.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static ObjectNode object(Resource resource, String body) throws Exception {
    var object = (ObjectNode) YAML.readTree(body);
    object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    var meta = object.putObject("metadata").put("name", "a");
    if (resource.namespaced()) meta.put("namespace", "default");
    return object;
  }
}
