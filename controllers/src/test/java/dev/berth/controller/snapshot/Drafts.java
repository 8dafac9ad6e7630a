package dev.berth.controller.snapshot;

import dev.berth.controller.Draft;
import dev.berth.kube.snapshot.SnapshotFinalizers;

/// Snapshots in the making, all in namespace `shop`.
final class Drafts {
  private Drafts() {}

  /// A snapshot `monday` of claim `data`, by class `fast`, held as it should be.
  static Draft snapshot() {
    return Draft.of(
            """
            apiVersion: snapshot.storage.k8s.io/v1
            kind: VolumeSnapshot
            metadata: {namespace: shop, name: monday}
            spec:
              volumeSnapshotClassName: fast
              source: {persistentVolumeClaimName: data}
            """)
        .finalizer(SnapshotFinalizers.SNAPSHOT_AS_SOURCE);
  }

  /// A snapshot `monday` of content `ready`, which exists already.
  static Draft reserved() {
    return snapshot()
        .set("spec.source", "{volumeSnapshotContentName: ready}")
        .without("spec.volumeSnapshotClassName");
  }

  /// The content that is made for [#snapshot].
  static Draft content() {
    return Draft.of(
            """
            apiVersion: snapshot.storage.k8s.io/v1
            kind: VolumeSnapshotContent
            metadata: {name: snapcontent-uid-monday}
            spec:
              deletionPolicy: Delete
              driver: disk.berth.dev
              volumeSnapshotClassName: fast
              source: {volumeHandle: h-pv-1}
              volumeSnapshotRef: {namespace: shop, name: monday, uid: uid-monday}
            """)
        .finalizer(SnapshotFinalizers.CONTENT_BOUND);
  }

  /// A content that exists already and waits for [#reserved].
  static Draft existing() {
    return Draft.of(
        """
        apiVersion: snapshot.storage.k8s.io/v1
        kind: VolumeSnapshotContent
        metadata: {name: ready}
        spec:
          deletionPolicy: Delete
          driver: disk.berth.dev
          source: {snapshotHandle: s-7}
          volumeSnapshotRef: {namespace: shop, name: monday}
        """);
  }

  /// A class of the driver of [Draft#volume].
  static Draft snapshotClass(String name) {
    return Draft.of(
        """
        apiVersion: snapshot.storage.k8s.io/v1
        kind: VolumeSnapshotClass
        metadata: {name: %s}
        driver: disk.berth.dev
        deletionPolicy: Delete
        """
            .formatted(name));
  }

  static Draft group() {
    return Draft.of(
        """
        apiVersion: groupsnapshot.storage.k8s.io/v1
        kind: VolumeGroupSnapshot
        metadata: {namespace: shop, name: all}
        spec: {source: {selector: {matchLabels: {app: db}}}}
        """);
  }
}
