package dev.berth.controller.snapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.snapshot.SnapshotEffect.HoldClaim;
import dev.berth.controller.snapshot.SnapshotEffect.MakeContent;
import dev.berth.controller.snapshot.source.Takings;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.snapshot.VolumeSnapshot;
import dev.berth.volume.snapshot.ClassSecrets;
import dev.berth.volume.snapshot.ClassSecrets.Resolved;
import dev.berth.volume.snapshot.ClassSecrets.Subject;
import dev.berth.volume.snapshot.ClassSecrets.Unresolvable;
import dev.berth.volume.snapshot.ClassSecrets.Use;
import dev.berth.volume.snapshot.GoWords;
import java.util.Comparator;
import java.util.Optional;

/// What has to be so before a content is made, and what stands in it (SNAP-28).
final class Creation {
  private static final String UPDATE_FAILED =
      "snapshot controller failed to update %s on API server: %s";

  private final Snapshots.Options options;

  Creation(Snapshots.Options options) {
    this.options = options;
  }

  /// The claim is held first, so that it outlives the taking (SNAP-30).
  Step step(View view, VolumeSnapshot snapshot) {
    var key = Takings.claim(snapshot);
    if (key.isEmpty())
      return failed(
          view,
          snapshot,
          UPDATE_FAILED.formatted(snapshot.meta().name(), "cannot get claim from snapshot"),
          Origin.untilClaimNamed(snapshot));
    return switch (view.claim(key.get())) {
      case Missing<Claim>(var missing) ->
          failed(
              view,
              snapshot,
              UPDATE_FAILED.formatted(snapshot.meta().name(), "cannot get claim from snapshot"),
              Origin.untilClaimExists(snapshot, missing));
      case Found<Claim>(var claim)
          when claim.meta().hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE) ->
          ofHeld(view, snapshot);
      case Found<Claim>(var claim) when claim.meta().deleting() ->
          failed(
              view,
              snapshot,
              UPDATE_FAILED.formatted(
                  claim.meta().name(), "cannot add finalizer on claim because it is being deleted"),
              Wait.on(claim.ref(), "metadata.deletionTimestamp")
                  .since(claim.meta().deleted().orElseThrow())
                  .until("there is a claim %s that stays".formatted(claim.meta().key()))
                  .remedy("delete %s: its claim is being deleted".formatted(snapshot.ref())));
      case Found<Claim>(var claim) ->
          new Act(new HoldClaim(claim.meta().key(), claim.meta().uid()));
    };
  }

  private Step ofHeld(View view, VolumeSnapshot snapshot) {
    return switch (view.snapshotClass(snapshot.className().orElseThrow())) {
      case Missing<SnapshotClass> _ ->
          throw new IllegalStateException("the class was found before");
      case Found<SnapshotClass>(var by) ->
          switch (Origin.of(view, snapshot)) {
            case Origin.Unknown(var why, var until) -> noInput(view, snapshot, why, until);
            case Origin.Foreign(var volume, var until) ->
                failed(
                    view,
                    snapshot,
                    "cannot find CSI PersistentVolumeSource for volume " + volume.meta().name(),
                    until);
            case Origin.Known origin -> ofKnown(view, snapshot, by, origin);
          };
    };
  }

  private Step ofKnown(View view, VolumeSnapshot snapshot, SnapshotClass by, Origin.Known origin) {
    // SNAP-A3
    if (!by.driver().equals(origin.source().driver()))
      return noInput(
          view,
          snapshot,
          "snapshot class %s is for driver %s, and volume %s is of driver %s"
              .formatted(
                  by.meta().name(),
                  by.driver(),
                  origin.volume().meta().name(),
                  origin.source().driver()),
          Wait.on(snapshot.ref(), "spec.volumeSnapshotClassName")
              .since(snapshot.meta().created())
              .until("it names a class of driver " + origin.source().driver())
              .remedy("delete %s, and make one with such a class".formatted(snapshot.ref())));
    var name = SnapshotContent.name(snapshot.meta().uid());
    var subject = Subject.snapshot(name, snapshot.meta().key());
    return switch (ClassSecrets.resolve(Use.SNAPSHOT, by.parameters(), subject)) {
      case Unresolvable(var why) ->
          noInput(
              view,
              snapshot,
              why,
              Wait.on(by.ref(), "parameters")
                  .since(snapshot.meta().created())
                  .until("its parameters name a Secret")
                  .remedy("set both parameters of the Secret in class " + by.meta().name()));
      case Resolved(var secret) ->
          make(view, snapshot, content(view, snapshot, by, origin, secret));
    };
  }

  private static Step make(View view, VolumeSnapshot snapshot, ObjectNode content) {
    return new Act(
        new MakeContent(
            Revision.of(snapshot.meta()),
            snapshot.ref(),
            content,
            new Seen<>(snapshot.shown().error().flatMap(error -> error.message())),
            new Seen<>(view.now())));
  }

  private ObjectNode content(
      View view,
      VolumeSnapshot snapshot,
      SnapshotClass by,
      Origin.Known origin,
      Optional<SecretRef> secret) {
    var resource = SnapshotResources.CONTENTS;
    var content =
        JsonNodeFactory.instance
            .objectNode()
            .put("apiVersion", resource.apiVersion()) // of custom kinds a server wants to hear it
            .put("kind", resource.kind());
    var meta = content.putObject("metadata");
    meta.put("name", SnapshotContent.name(snapshot.meta().uid()));
    if (options.distributed())
      node(view, origin.volume())
          .ifPresent(node -> meta.putObject("labels").put(SnapshotAnnotations.MANAGED_BY, node));
    secret.ifPresent(it ->
        meta.putObject("annotations")
            .put(SnapshotAnnotations.DELETION_SECRET_NAME, it.name())
            .put(SnapshotAnnotations.DELETION_SECRET_NAMESPACE, it.namespace()));
    var spec = content.putObject("spec");
    spec.putObject("volumeSnapshotRef")
        .put("kind", SnapshotResources.SNAPSHOTS.kind())
        .put("apiVersion", SnapshotResources.SNAPSHOTS.apiVersion())
        .put("namespace", snapshot.meta().namespace())
        .put("name", snapshot.meta().name())
        .put("uid", snapshot.meta().uid())
        .put("resourceVersion", snapshot.meta().resourceVersion());
    spec.putObject("source").put("volumeHandle", origin.source().handle());
    spec.put("volumeSnapshotClassName", by.meta().name())
        .put("deletionPolicy", by.deletionPolicy().text())
        .put("driver", by.driver());
    if (options.notesMode())
      spec.put("sourceVolumeMode", origin.volume().volumeMode().text()); // SNAP-80
    return content;
  }

  /// The first node that reaches the volume; empty: every one does, or none (SNAP-81).
  private static Optional<String> node(View view, Volume volume) {
    return volume
        .nodeAffinity()
        .flatMap(affinity ->
            affinity.terms().stream()
                .flatMap(view::nodesOf)
                .filter(affinity::matches)
                .map(node -> node.meta().name())
                .min(Comparator.naturalOrder()));
  }

  private static Step noInput(View view, VolumeSnapshot snapshot, String why, Wait until) {
    return failed(
        view,
        snapshot,
        "failed to get input parameters to create snapshot %s: %s"
            .formatted(snapshot.meta().name(), GoWords.quoted(why)),
        until);
  }

  private static Step failed(View view, VolumeSnapshot snapshot, String why, Wait until) {
    return Complaint.of(SnapshotEvents.CONTENT_FAILED, message(why), until)
        .about(snapshot, view.now());
  }

  static String message(String why) {
    return "Failed to create snapshot content with error " + why;
  }

  /// Why a content that was to be made is not, as upstream's users read it.
  static String refused(ObjectKey snapshot, String why) {
    return message(UPDATE_FAILED.formatted(snapshot, why));
  }
}
