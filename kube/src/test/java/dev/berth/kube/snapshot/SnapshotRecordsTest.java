package dev.berth.kube.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Quantity;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// Objects as upstream's programs and users write them, read back as records.
final class SnapshotRecordsTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /// SNAP-04: a time and a quantity here, SNAP-24: ready only with a content.
  @Test
  void snapshotIsRead() throws IOException {
    var text =
        """
        metadata: {namespace: shop, name: one, uid: u1}
        spec:
          volumeSnapshotClassName: fast
          source: {persistentVolumeClaimName: db}
        status:
          boundVolumeSnapshotContentName: snapcontent-u1
          creationTime: 2026-01-02T03:04:05Z
          readyToUse: true
          restoreSize: 1Gi
          volumeGroupSnapshotName: all
        """;

    var snapshot = read(SnapshotKinds.SNAPSHOT, text);

    assertThat(snapshot.className()).contains("fast");
    assertThat(snapshot.claimName()).contains("db");
    assertThat(snapshot.contentName()).isEmpty();
    assertThat(snapshot.shown())
        .isEqualTo(
            new VolumeSnapshot.Status(
                "snapcontent-u1",
                Optional.of(Instant.parse("2026-01-02T03:04:05Z")),
                Optional.of(true),
                Optional.of(Quantity.parse("1Gi")),
                Optional.empty(),
                "all"));
    assertThat(snapshot.isReady()).isTrue();
    assertThat(read(SnapshotKinds.SNAPSHOT, text.replace("snapcontent-u1", "\"\"")).isReady())
        .isFalse();
  }

  /// SNAP-A6: an error without a message is one all the same.
  @Test
  void statusIsToldFromNone() throws IOException {
    var none = "{metadata: {name: one}, spec: {source: {volumeSnapshotContentName: c}}}";
    assertThat(read(SnapshotKinds.SNAPSHOT, none).status()).isEmpty();
    assertThat(read(SnapshotKinds.SNAPSHOT, none).contentName()).contains("c");
    var wrong = "{metadata: {name: one}, status: {error: {time: 2026-01-02T03:04:05Z}}}";
    assertThat(read(SnapshotKinds.SNAPSHOT, wrong).shown().error())
        .contains(
            new SnapshotError(
                Optional.empty(), Optional.of(Instant.parse("2026-01-02T03:04:05Z"))));
  }

  /// SNAP-04: nanoseconds and bytes here. SNAP-25: bound by name and uid, reserved by name alone.
  /// SNAP-56: one of a group is told by its annotation. SNAP-80: the volume's mode.
  @Test
  void contentIsRead() throws IOException {
    var content =
        read(
            SnapshotKinds.CONTENT,
            """
            metadata:
              name: snapcontent-u1
              annotations: {groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle: g1}
            spec:
              deletionPolicy: Delete
              driver: disk.berth.dev
              source: {volumeHandle: vol-1}
              sourceVolumeMode: Block
              volumeSnapshotRef: {namespace: shop, name: one, uid: u1}
            status: {snapshotHandle: snap-1, creationTime: 1700000000000000001, restoreSize: 1073741824}
            """);

    assertThat(content.deletionPolicy()).isEqualTo(DeletionPolicy.DELETE);
    assertThat(content.volumeHandle()).contains("vol-1");
    assertThat(content.snapshotHandle()).isEmpty();
    assertThat(content.sourceVolumeMode()).contains("Block");
    assertThat(content.handle()).contains("snap-1");
    assertThat(content.shown().creationTime()).hasValue(1_700_000_000_000_000_001L);
    assertThat(content.shown().restoreSize()).hasValue(1L << 30);
    assertThat(content.isReady()).isFalse();
    assertThat(content.isGroupMember()).isTrue();
    var one = snapshot("one", "u1");
    assertThat(content.snapshot().isBoundTo(one.meta())).isTrue();
    assertThat(content.snapshot().isFor(snapshot("one", "u2").meta())).isFalse();
    var reserved = new SnapshotRef(ObjectKey.of("shop", "one"), "");
    assertThat(reserved.isBoundTo(one.meta())).isFalse();
    assertThat(reserved.isFor(one.meta())).isTrue();
  }

  /// SNAP-05, SNAP-16: what stands on classes.
  @Test
  void classesAreRead() throws IOException {
    var text =
        """
        metadata: {name: fast, annotations: {snapshot.storage.kubernetes.io/is-default-class: "true"}}
        driver: disk.berth.dev
        deletionPolicy: Retain
        parameters: {a: b}
        """;

    var fast = read(SnapshotKinds.CLASS, text);

    assertThat(fast.isDefault()).isTrue();
    assertThat(fast.deletionPolicy()).isEqualTo(DeletionPolicy.RETAIN);
    assertThat(fast.parameters()).isEqualTo(Map.of("a", "b"));
    assertThat(read(SnapshotKinds.GROUP_CLASS, text).isDefault()).isFalse();
  }

  /// SNAP-03: what v1 says of the members of a group.
  @Test
  void groupsAreRead() throws IOException {
    var group =
        read(
            SnapshotKinds.GROUP_SNAPSHOT,
            """
            metadata: {namespace: shop, name: all}
            spec: {source: {selector: {matchExpressions: [{key: app, operator: Exists}]}}}
            """);
    var content =
        read(
            SnapshotKinds.GROUP_CONTENT,
            """
            metadata: {name: groupsnapcontent-u1}
            spec:
              deletionPolicy: Delete
              source: {groupSnapshotHandles: {volumeGroupSnapshotHandle: g1, volumeSnapshotHandles: [s1]}}
              volumeGroupSnapshotRef: {namespace: shop, name: all}
            status:
              volumeGroupSnapshotHandle: g1
              volumeSnapshotInfoList: [{volumeHandle: v1, snapshotHandle: s1, readyToUse: true}]
            """);

    assertThat(group.selector().orElseThrow().matches(Map.of("app", "x"))).isTrue();
    assertThat(group.selector().orElseThrow().matches(Map.of())).isFalse();
    assertThat(content.handles()).contains(new GroupContent.Handles("g1", List.of("s1")));
    assertThat(content.volumeHandles()).isEmpty();
    assertThat(content.handle()).contains("g1");
    assertThat(content.shown().members())
        .containsExactly(
            new GroupContent.Member(
                "v1", "s1", OptionalLong.empty(), Optional.of(true), OptionalLong.empty()));
  }

  /// SNAP-27, SNAP-71: names by which a content is found without having been noted.
  @Test
  void contentsAreNamedAfterWhatAsksForThem() {
    assertThat(SnapshotContent.name("u1")).isEqualTo("snapcontent-u1");
    assertThat(GroupContent.name("u1")).isEqualTo("groupsnapcontent-u1");
  }

  /// SNAP-01, SNAP-02: as the API serves them and as people type them; SNAP-81: the one label.
  @Test
  void resourcesAreNamedAsUpstreamNamesThem() {
    assertThat(SnapshotResources.named("vs")).contains(SnapshotResources.SNAPSHOTS);
    assertThat(SnapshotResources.named("VolumeGroupSnapshotContent"))
        .contains(SnapshotResources.GROUP_CONTENTS);
    assertThat(SnapshotResources.named("pods")).isEmpty();
    assertThat(SnapshotResources.SNAPSHOTS.path(ObjectKey.of("shop", "one")))
        .isEqualTo("/apis/snapshot.storage.k8s.io/v1/namespaces/shop/volumesnapshots/one");
    assertThat(SnapshotAnnotations.MANAGED_BY)
        .isEqualTo("snapshot.storage.kubernetes.io/managed-by");
  }

  private static VolumeSnapshot snapshot(String name, String uid) throws IOException {
    return read(
        SnapshotKinds.SNAPSHOT,
        "{metadata: {namespace: shop, name: %s, uid: %s}}".formatted(name, uid));
  }

  private static <T extends KubeObject> T read(Kind<T> kind, String text) throws IOException {
    JsonNode object = YAML.readTree(text);
    return kind.read().apply(object);
  }
}
