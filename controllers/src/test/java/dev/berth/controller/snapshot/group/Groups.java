package dev.berth.controller.snapshot.group;

import dev.berth.controller.Draft;
import dev.berth.controller.World;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.snapshot.SnapshotFinalizers;

/// Groups in the making, all in namespace `shop`, and the worlds of their life.
final class Groups {
  static final String CONTENT = "groupsnapcontent-uid-all";

  /// SHA-256 of the group's uid and `h-pv-1`.
  static final String MEMBER = "c220232f3cc832ddf55697b8b8532292df4f4554bb2e67f9fc14ac036c701d60";

  static final Draft CLASS =
      Draft.of(
          """
          apiVersion: groupsnapshot.storage.k8s.io/v1
          kind: VolumeGroupSnapshotClass
          metadata: {name: quick}
          driver: disk.berth.dev
          deletionPolicy: Delete
          """);

  /// A group `all` of the claims with label `app: db`.
  static final Draft GROUP =
      Draft.of(
          """
          apiVersion: groupsnapshot.storage.k8s.io/v1
          kind: VolumeGroupSnapshot
          metadata: {namespace: shop, name: all}
          spec:
            volumeGroupSnapshotClassName: quick
            source: {selector: {matchLabels: {app: db}}}
          """);

  /// The same, of content `ready`, which exists already.
  static final Draft RESERVED =
      GROUP
          .set("spec.source", "{volumeGroupSnapshotContentName: ready}")
          .without("spec.volumeGroupSnapshotClassName");

  static final Draft MADE =
      Draft.of(
              """
              apiVersion: groupsnapshot.storage.k8s.io/v1
              kind: VolumeGroupSnapshotContent
              metadata: {name: groupsnapcontent-uid-all}
              spec:
                deletionPolicy: Delete
                driver: disk.berth.dev
                volumeGroupSnapshotClassName: quick
                source: {volumeHandles: [h-pv-1, h-pv-2]}
                volumeGroupSnapshotRef: {namespace: shop, name: all, uid: uid-all}
              """)
          .finalizer(SnapshotFinalizers.GROUP_CONTENT_BOUND);

  static final Draft EXISTING =
      Draft.of(
          """
          apiVersion: groupsnapshot.storage.k8s.io/v1
          kind: VolumeGroupSnapshotContent
          metadata: {name: ready}
          spec:
            deletionPolicy: Delete
            driver: disk.berth.dev
            source: {groupSnapshotHandles: {volumeGroupSnapshotHandle: g-7, volumeSnapshotHandles: [s-7]}}
            volumeGroupSnapshotRef: {namespace: shop, name: all}
          """);

  /// The driver has taken one volume's snapshot, of a size that it does not say.
  static final Draft TAKEN =
      MADE.set(
          "status",
          """
          volumeGroupSnapshotHandle: g-1
          readyToUse: true
          creationTime: '1970-01-01T00:00:01Z'
          volumeSnapshotInfoList:
          - {volumeHandle: h-pv-1, snapshotHandle: s-1, readyToUse: true, creationTime: 1000000005, restoreSize: 0}
          """);

  static final Draft HELD_GROUP = GROUP.finalizer(SnapshotFinalizers.GROUP_SNAPSHOT_BOUND);

  /// Two claims are selected, nothing is made.
  static final World ASKED =
      World.of(CLASS, GROUP).with(member("data", "pv-1")).with(member("log", "pv-2"));

  /// The group is held, its claims are not yet.
  static final World LOOSE = ASKED.with(HELD_GROUP);

  static final World HELD =
      LOOSE.but(Kinds.CLAIM, "data", Groups::held).but(Kinds.CLAIM, "log", Groups::held);
  static final World DONE = HELD.with(TAKEN, memberContent(), member());

  private Groups() {}

  private static Draft held(Draft claim) {
    return claim.finalizer(SnapshotFinalizers.CLAIM_AS_SOURCE);
  }

  private static java.util.List<Draft> member(String claim, String volume) {
    return Draft.bound(claim, volume).stream()
        .map(it -> it.key().name().equals(claim) ? it.label("app", "db") : it)
        .toList();
  }

  /// The snapshot of volume `pv-1` in the group, bound and told.
  static Draft member() {
    return Draft.of(
        """
        apiVersion: snapshot.storage.k8s.io/v1
        kind: VolumeSnapshot
        metadata:
          namespace: shop
          name: snapshot-%1$s
          uid: uid-member
          finalizers: [%2$s]
          ownerReferences:
          - {apiVersion: groupsnapshot.storage.k8s.io/v1, kind: VolumeGroupSnapshot, name: all, uid: uid-all}
        spec: {source: {persistentVolumeClaimName: data}}
        status: {boundVolumeSnapshotContentName: snapcontent-%1$s}
        """
            .formatted(MEMBER, SnapshotFinalizers.SNAPSHOT_IN_GROUP));
  }

  /// Its content.
  static Draft memberContent() {
    return Draft.of(
        """
        apiVersion: snapshot.storage.k8s.io/v1
        kind: VolumeSnapshotContent
        metadata:
          name: snapcontent-%1$s
          annotations: {groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle: g-1}
        spec:
          volumeSnapshotRef: {kind: VolumeSnapshot, namespace: shop, name: snapshot-%1$s, uid: uid-member}
          deletionPolicy: Delete
          driver: disk.berth.dev
          source: {volumeHandle: h-pv-1}
          sourceVolumeMode: Filesystem
        status:
          snapshotHandle: s-1
          volumeGroupSnapshotHandle: g-1
          creationTime: 1000000005
          readyToUse: true
        """
            .formatted(MEMBER));
  }
}
