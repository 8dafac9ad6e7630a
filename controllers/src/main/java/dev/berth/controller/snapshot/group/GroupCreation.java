package dev.berth.controller.snapshot.group;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.snapshot.group.GroupEffect.HoldClaim;
import dev.berth.controller.snapshot.group.GroupEffect.HoldGroup;
import dev.berth.controller.snapshot.group.GroupEffect.MakeContent;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.volume.Translation;
import dev.berth.volume.snapshot.ClassSecrets;
import dev.berth.volume.snapshot.ClassSecrets.Resolved;
import dev.berth.volume.snapshot.ClassSecrets.Subject;
import dev.berth.volume.snapshot.ClassSecrets.Unresolvable;
import dev.berth.volume.snapshot.ClassSecrets.Use;
import dev.berth.volume.snapshot.GoWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What has to be so before a group's content is made, and what stands in it (SNAP-71).
final class GroupCreation {
  private static final String UPDATE_FAILED =
      "snapshot controller failed to update %s on API server: %s";

  private GroupCreation() {}

  /// @param by the group's class
  static Step step(GroupView view, GroupSnapshot group, SnapshotClass by) {
    return switch (GroupOrigin.of(view, group)) {
      case GroupOrigin.Unknown(var why, var until) -> noInput(view, group, why, until);
      case GroupOrigin.Known(var volumes) -> {
        var subject =
            Subject.groupSnapshot(GroupContent.name(group.meta().uid()), group.meta().key());
        yield switch (ClassSecrets.resolve(Use.GROUP, by.parameters(), subject)) {
          case Unresolvable(var why) ->
              noInput(
                  view,
                  group,
                  why,
                  Wait.on(by.ref(), "parameters")
                      .since(group.meta().created())
                      .until("its parameters name a Secret")
                      .remedy("make a class whose parameters name both halves of the Secret"));
          case Resolved(var secret) -> ofVolumes(view, group, by, volumes, secret);
        };
      }
    };
  }

  private static Step ofVolumes(
      GroupView view,
      GroupSnapshot group,
      SnapshotClass by,
      List<Volume> volumes,
      Optional<SecretRef> secret) {
    var handles = new ArrayList<String>();
    for (var volume : volumes) {
      var source = Translation.NONE.source(volume);
      if (source.isEmpty()) return foreign(view, group, volume);
      if (!source.get().driver().equals(by.driver()))
        return otherDriver(view, group, by, volume, source.get());
      handles.add(source.get().handle());
    }
    // SNAP-76: whoever deletes the group while its content is being made finds the content
    if (!group.meta().hasFinalizer(SnapshotFinalizers.GROUP_SNAPSHOT_BOUND))
      return new Act(new HoldGroup(group.meta().key(), new Seen<>(group.meta())));
    // SNAP-30, SNAP-76: so that they outlive the taking
    var loose = loose(view.claims(group));
    if (loose.isPresent()) return new Act(loose.get());
    return new Act(
        new MakeContent(
            Revision.of(group.meta()),
            group.ref(),
            content(group, by, handles, secret),
            new Seen<>(group.shown().error().flatMap(error -> error.message())),
            new Seen<>(view.now())));
  }

  /// The first of these claims that is not held.
  static Optional<HoldClaim> loose(List<Claim> claims) {
    return claims.stream()
        .map(Claim::meta)
        .filter(meta -> !meta.hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE))
        .filter(meta -> !meta.deleting())
        .findFirst()
        .map(meta -> new HoldClaim(meta.key(), meta.uid()));
  }

  private static Step foreign(GroupView view, GroupSnapshot group, Volume volume) {
    return failed(
            "cannot snapshot a non-CSI volume for group snapshot %s: %s"
                .formatted(group.meta().key(), volume.meta().name()),
            untilForeignGoes(group, volume))
        .behind(
            GroupEvents.CREATE_FAILED, "Cannot snapshot a non-CSI volume: " + volume.meta().name())
        .about(group, view.now());
  }

  static Wait untilForeignGoes(GroupSnapshot group, Volume volume) {
    return Wait.on(volume.ref(), "spec.csi")
        .since(group.meta().created())
        .until("it is a CSI driver's")
        .remedy("snapshots of other volumes are not supported: delete " + group.ref());
  }

  private static Step otherDriver(
      GroupView view, GroupSnapshot group, SnapshotClass by, Volume volume, CsiSource source) {
    var why =
        "Volume CSI driver (%s) mismatch with VolumeGroupSnapshotClass (%s) %s: %s"
            .formatted(source.driver(), by.driver(), group.meta().key(), volume.meta().name());
    return failed(
            UPDATE_FAILED.formatted(group.meta().key(), why),
            Wait.on(group.ref(), "spec.source.selector")
                .since(group.meta().created())
                .until("it is replaced by one whose claims are all of driver " + by.driver())
                .remedy("delete %s: what it selects cannot be changed".formatted(group.ref())))
        .behind(GroupEvents.CREATE_FAILED, why)
        .about(group, view.now());
  }

  private static ObjectNode content(
      GroupSnapshot group, SnapshotClass by, List<String> handles, Optional<SecretRef> secret) {
    var resource = SnapshotResources.GROUP_CONTENTS;
    var content =
        JsonNodeFactory.instance
            .objectNode()
            .put("apiVersion", resource.apiVersion())
            .put("kind", resource.kind());
    var meta = content.putObject("metadata");
    meta.put("name", GroupContent.name(group.meta().uid()));
    secret.ifPresent(it ->
        meta.putObject("annotations")
            .put(SnapshotAnnotations.GROUP_DELETION_SECRET_NAME, it.name())
            .put(SnapshotAnnotations.GROUP_DELETION_SECRET_NAMESPACE, it.namespace()));
    var spec = content.putObject("spec");
    spec.putObject("volumeGroupSnapshotRef")
        .put("kind", SnapshotResources.GROUP_SNAPSHOTS.kind())
        .put("apiVersion", SnapshotResources.GROUP_SNAPSHOTS.apiVersion())
        .put("namespace", group.meta().namespace())
        .put("name", group.meta().name())
        .put("uid", group.meta().uid())
        .put("resourceVersion", group.meta().resourceVersion());
    var sources = spec.putObject("source").putArray("volumeHandles");
    handles.forEach(sources::add);
    spec.put("volumeGroupSnapshotClassName", by.meta().name())
        .put("deletionPolicy", by.deletionPolicy().text())
        .put("driver", by.driver());
    return content;
  }

  private static Step noInput(GroupView view, GroupSnapshot group, String why, Wait until) {
    return failed(
            "failed to get input parameters to create group snapshot %s: %s"
                .formatted(group.meta().name(), GoWords.quoted(why)),
            until)
        .about(group, view.now());
  }

  private static GroupComplaint failed(String why, Wait until) {
    return GroupComplaint.of(GroupEvents.CONTENT_FAILED, message(why), until);
  }

  private static String message(String why) {
    return "failed to create group snapshot content with error " + why;
  }

  /// Why a content that was to be made is not, as upstream's users read it.
  static String refused(ObjectKey group, String why) {
    return message(UPDATE_FAILED.formatted(group, why));
  }
}
