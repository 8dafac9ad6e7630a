package dev.berth.controller.snapshot.group;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.snapshot.group.GroupEffect.BindMember;
import dev.berth.controller.snapshot.group.GroupEffect.BindMemberContent;
import dev.berth.controller.snapshot.group.GroupEffect.DropMemberContent;
import dev.berth.controller.snapshot.group.GroupEffect.FillMemberContent;
import dev.berth.controller.snapshot.group.GroupEffect.MakeMember;
import dev.berth.controller.snapshot.group.GroupEffect.MakeMemberContent;
import dev.berth.kube.api.Revision;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.snapshot.DeletionPolicy;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.GroupContent.Member;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;

/// Gives each volume of a group that was taken a snapshot and a content of its own, write by write,
/// each decided anew from what is there (SNAP-73).
final class Members {
  private final GroupView view;
  private final GroupSnapshot group;
  private final GroupContent content;

  private Members(GroupView view, GroupSnapshot group, GroupContent content) {
    this.view = view;
    this.group = group;
    this.content = content;
  }

  /// @return what one of them lacks; empty: the group is not taken yet, or all are there
  static Optional<GroupEffect> missing(GroupView view, GroupSnapshot group, GroupContent content) {
    if (content.handle().isEmpty()) return Optional.empty();
    var members = new Members(view, group, content);
    return content.shown().members().stream().flatMap(members::missing).findFirst();
  }

  /// What was begun is ended before the group goes: one whose content and snapshot know of each
  /// other is deleted like any other, and a content without a snapshot would stay for ever.
  static Optional<GroupEffect> unfinished(
      GroupView view, GroupSnapshot group, GroupContent content) {
    var members = new Members(view, group, content);
    return content.shown().members().stream().flatMap(members::unfinished).findFirst();
  }

  private Stream<GroupEffect> missing(Member member) {
    var name = name(member);
    var made = view.memberContent("snapcontent-" + name).found();
    if (made.isEmpty()) return Stream.of(new MakeMemberContent(memberContent(member)));
    var snapshot = view.snapshot(key(name)).found();
    return snapshot
        .map(it -> Stream.concat(unbound(made.get(), it), unfilled(made.get(), member)))
        .orElseGet(() -> Stream.of(new MakeMember(snapshot(member))));
  }

  private Stream<GroupEffect> unfinished(Member member) {
    var name = name(member);
    var made = view.memberContent("snapcontent-" + name).found();
    if (made.isEmpty()) return Stream.empty();
    return view.snapshot(key(name))
        .found()
        .map(snapshot -> unbound(made.get(), snapshot))
        .orElseGet(() -> orphan(made.get()));
  }

  /// Nobody was ever bound to it, so that nobody deletes it.
  private static Stream<GroupEffect> orphan(SnapshotContent made) {
    return made.snapshot().uid().isEmpty() && made.deletionPolicy() == DeletionPolicy.DELETE
        ? Stream.of(new DropMemberContent(made.meta().key(), made.meta().uid()))
        : Stream.empty();
  }

  private static Stream<GroupEffect> unbound(SnapshotContent made, VolumeSnapshot snapshot) {
    if (!made.snapshot().isBoundTo(snapshot.meta()))
      return Stream.of(new BindMemberContent(Revision.of(made.meta()), snapshot.meta().uid()));
    return snapshot.boundContent().isEmpty()
        ? Stream.of(new BindMember(Revision.of(snapshot.meta()), made.meta().name()))
        : Stream.empty();
  }

  private Stream<GroupEffect> unfilled(SnapshotContent made, Member member) {
    return made.handle().isEmpty()
        ? Stream.of(new FillMemberContent(Revision.of(made.meta()), status(member)))
        : Stream.empty();
  }

  private ObjectNode memberContent(Member member) {
    var name = name(member);
    var made = object(SnapshotResources.CONTENTS);
    var annotations =
        made.putObject("metadata").put("name", "snapcontent-" + name).putObject("annotations");
    annotations.put(SnapshotAnnotations.GROUP_HANDLE, content.handle().orElseThrow());
    secret(annotations);
    var spec = made.putObject("spec");
    spec.putObject("volumeSnapshotRef")
        .put("kind", SnapshotResources.SNAPSHOTS.kind())
        .put("namespace", key(name).namespace())
        .put("name", key(name).name());
    spec.put("deletionPolicy", content.deletionPolicy().text())
        .put("driver", content.driver())
        .putObject("source")
        .put("volumeHandle", member.volumeHandle());
    volume(member).ifPresent(it -> spec.put("sourceVolumeMode", it.volumeMode().text()));
    return made;
  }

  /// The Secret that the group was taken with; its class's templates were resolved then.
  private void secret(ObjectNode annotations) {
    var name = content.meta().annotation(SnapshotAnnotations.GROUP_DELETION_SECRET_NAME);
    var namespace = content.meta().annotation(SnapshotAnnotations.GROUP_DELETION_SECRET_NAMESPACE);
    if (name.isEmpty() || namespace.isEmpty()) return;
    annotations
        .put(SnapshotAnnotations.DELETION_SECRET_NAME, name.get())
        .put(SnapshotAnnotations.DELETION_SECRET_NAMESPACE, namespace.get());
  }

  private ObjectNode snapshot(Member member) {
    var name = name(member);
    var made = object(SnapshotResources.SNAPSHOTS);
    var meta =
        made.putObject("metadata")
            .put("namespace", key(name).namespace())
            .put("name", key(name).name());
    meta.putArray("ownerReferences")
        .addObject()
        .put("apiVersion", SnapshotResources.GROUP_SNAPSHOTS.apiVersion())
        .put("kind", SnapshotResources.GROUP_SNAPSHOTS.kind())
        .put("name", group.meta().name())
        .put("uid", group.meta().uid());
    meta.putArray("finalizers").add(SnapshotFinalizers.SNAPSHOT_IN_GROUP);
    made.putObject("spec")
        .putObject("source")
        .put("persistentVolumeClaimName", claimName(member)); // empty: nobody knows it
    return made;
  }

  private String claimName(Member member) {
    return volume(member).flatMap(Volume::claim).map(claim -> claim.key().name()).orElse("");
  }

  private Optional<Volume> volume(Member member) {
    return view.volume(content.driver(), member.volumeHandle());
  }

  /// What is not known is left out, and is not 0.
  private ObjectNode status(Member member) {
    var status =
        JsonNodeFactory.instance
            .objectNode()
            .put("snapshotHandle", member.snapshotHandle())
            .put("volumeGroupSnapshotHandle", content.handle().orElseThrow());
    member.creationTime().ifPresent(it -> status.put("creationTime", it));
    member
        .restoreSize()
        .ifPresent(it -> {
          if (it > 0) status.put("restoreSize", it);
        });
    member.readyToUse().ifPresent(it -> status.put("readyToUse", it));
    return status;
  }

  private ObjectKey key(String name) {
    return ObjectKey.of(content.snapshot().key().namespace(), "snapshot-" + name);
  }

  private static ObjectNode object(Resource resource) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("apiVersion", resource.apiVersion())
        .put("kind", resource.kind());
  }

  /// What its objects' names end in: the same for each look at the group.
  private String name(Member member) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var text = group.meta().uid() + member.volumeHandle();
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }
}
