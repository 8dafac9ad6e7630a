package dev.berth.controller.snapshot;

import dev.berth.controller.snapshot.SnapshotEffect.AddOwner;
import dev.berth.controller.snapshot.SnapshotEffect.Bind;
import dev.berth.controller.snapshot.SnapshotEffect.HoldClaim;
import dev.berth.controller.snapshot.SnapshotEffect.HoldSnapshot;
import dev.berth.controller.snapshot.source.Takings;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.DeletionPolicy;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.util.ArrayList;
import java.util.Optional;

/// Takes one VolumeSnapshot to where its author wants it: the first line that applies is the step.
final class SnapshotDecision {
  private final Creation creation;

  SnapshotDecision(Snapshots.Options options) {
    creation = new Creation(options);
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.snapshot(key)) {
      case Missing<VolumeSnapshot> _ -> new Settled();
      case Found<VolumeSnapshot>(var snapshot) ->
          DefaultClass.step(view, snapshot) // SNAP-20
              .or(() -> Deletion.step(view, snapshot)) // SNAP-22
              .or(() -> validate(view, snapshot)) // SNAP-23
              .or(() -> finalizers(view, snapshot))
              .orElseGet(() -> bind(view, snapshot));
    };
  }

  private static Optional<Step> validate(View view, VolumeSnapshot snapshot) {
    if (snapshot.claimName().isPresent() != snapshot.contentName().isPresent())
      return Optional.empty();
    return Optional.of(
        Complaint.of(
                SnapshotEvents.VALIDATION,
                "Exactly one of PersistentVolumeClaimName and VolumeSnapshotContentName should be"
                    + " specified",
                Wait.on(snapshot.ref(), "spec.source")
                    .since(snapshot.meta().created())
                    .until("it is replaced by one with one source")
                    .remedy("a source cannot be changed: delete " + snapshot.ref()))
            .about(snapshot, view.now()));
  }

  /// SNAP-23, after the content is found to be the snapshot's (SNAP-25, SNAP-27).
  private static Optional<Step> finalizers(View view, VolumeSnapshot snapshot) {
    var content = Match.content(view, snapshot);
    var wrong = content.flatMap(it -> Match.complaint(snapshot, it));
    if (wrong.isPresent()) return wrong.map(it -> it.about(snapshot, view.now()));
    var meta = snapshot.meta();
    var missing = new ArrayList<String>();
    if (!meta.hasFinalizer(SnapshotFinalizers.SNAPSHOT_AS_SOURCE))
      missing.add(SnapshotFinalizers.SNAPSHOT_AS_SOURCE);
    boolean bound =
        snapshot.boundContent().isPresent()
            && content.filter(it -> it.deletionPolicy() == DeletionPolicy.DELETE).isPresent();
    if (bound && !meta.hasFinalizer(SnapshotFinalizers.SNAPSHOT_BOUND))
      missing.add(SnapshotFinalizers.SNAPSHOT_BOUND);
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(new Act(new HoldSnapshot(meta.key(), missing, new Seen<>(meta))));
  }

  private Step bind(View view, VolumeSnapshot snapshot) {
    if (snapshot.isReady()) return keep(view, snapshot); // SNAP-24
    if (snapshot.contentName().isPresent())
      return bindExisting(view, snapshot, snapshot.contentName().get());
    if (Membership.owner(snapshot).isPresent()) return copyMember(view, snapshot); // SNAP-29
    return switch (view.content(SnapshotContent.name(snapshot.meta().uid()))) {
      case Found<SnapshotContent>(var content) -> follow(view, snapshot, content);
      case Missing<SnapshotContent>(var missing) ->
          snapshot.shown().creationTime().isPresent()
              ? Match.untilContentReturns(snapshot, missing).about(snapshot, view.now())
              : creation.step(view, snapshot);
    };
  }

  /// SNAP-34.
  private static Step keep(View view, VolumeSnapshot snapshot) {
    return switch (view.content(snapshot.boundContent().orElseThrow())) {
      case Missing<SnapshotContent>(var missing) ->
          Match.untilContentReturns(snapshot, missing).about(snapshot, view.now());
      case Found<SnapshotContent>(var content)
          when !content.snapshot().isBoundTo(snapshot.meta()) ->
          Match.misbound(snapshot, content).about(snapshot, view.now());
      case Found<SnapshotContent> _ -> own(view, snapshot);
    };
  }

  /// One that was taken in a group is the group's.
  private static Step own(View view, VolumeSnapshot snapshot) {
    if (snapshot.shown().groupSnapshotName().isEmpty() || Membership.owner(snapshot).isPresent())
      return new Settled();
    var meta = snapshot.meta();
    return View.group(snapshot)
        .flatMap(view::groupSnapshot)
        .<Step>map(group -> new Act(new AddOwner(meta.key(), group.ref(), new Seen<>(meta))))
        .orElseGet(Settled::new);
  }

  private static Step bindExisting(View view, VolumeSnapshot snapshot, String name) {
    return switch (view.content(name)) {
      case Missing<SnapshotContent>(var missing) ->
          Match.untilContentReturns(snapshot, missing).about(snapshot, view.now()); // SNAP-25
      case Found<SnapshotContent>(var content) when wantsBinding(snapshot, content) ->
          new Act(
              new Bind(
                  Revision.of(content.meta()),
                  snapshot.meta().uid(),
                  snapshot.className())); // SNAP-26
      case Found<SnapshotContent>(var content) -> follow(view, snapshot, content);
    };
  }

  private static boolean wantsBinding(VolumeSnapshot snapshot, SnapshotContent content) {
    return content.snapshot().uid().isEmpty()
        || content.className().isEmpty() && snapshot.className().isPresent();
  }

  private static Step copyMember(View view, VolumeSnapshot snapshot) {
    return snapshot
        .boundContent()
        .map(name ->
            switch (view.content(name)) {
              case Missing<SnapshotContent>(var missing) ->
                  Wait.on(missing)
                      .since(snapshot.meta().created())
                      .until("content %s exists".formatted(name))
                      .remedy("delete the VolumeGroupSnapshot that the snapshot belongs to");
              case Found<SnapshotContent>(var content) -> follow(view, snapshot, content);
            })
        .orElseGet(() ->
            Wait.on(SnapshotKinds.GROUP_SNAPSHOT.ref(View.group(snapshot).orElseThrow()))
                .since(snapshot.meta().created())
                .until("its group has given it a content")
                .hint("look at the VolumeGroupSnapshot"));
  }

  /// Tells what the content says (SNAP-31); until it says that it is ready, the claim stays held
  /// (SNAP-30).
  private static Step follow(View view, VolumeSnapshot snapshot, SnapshotContent content) {
    var copy = StatusCopy.step(view, snapshot, content);
    if (copy.isPresent()) return copy.get();
    return loose(view, snapshot, content)
        .<Step>map(claim -> new Act(new HoldClaim(claim.meta().key(), claim.meta().uid())))
        .orElseGet(() -> StatusCopy.untilReady(snapshot, content));
  }

  /// A claim that is not held though a snapshot is being taken of it: who let go of it had not seen
  /// this one yet.
  private static Optional<Claim> loose(
      View view, VolumeSnapshot snapshot, SnapshotContent content) {
    if (content.snapshotHandle().isPresent() || content.isGroupMember()) return Optional.empty();
    return Takings.claim(snapshot)
        .flatMap(key -> view.claim(key).found())
        .filter(claim -> !claim.meta().deleting())
        .filter(claim -> !claim.meta().hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE));
  }
}
