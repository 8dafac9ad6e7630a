package dev.berth.controller.snapshot.group;

import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.snapshot.Snapshots;
import dev.berth.controller.snapshot.source.ReleaseClaim;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What is decided over a claim that is held for a group.
final class GroupClaimsTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "data");
  private static final World TAKING = Groups.HELD.with(Groups.MADE);
  private static final Draft FAILED =
      Groups.MADE.set("status", "{readyToUse: false, error: {message: broken}}");

  static final List<Rule> rules =
      List.of(
          rule("SNAP-76", "a claim that a group selects stays held")
              .given(Groups.HELD)
              .then(settled()),
          rule(
                  "SNAP-76",
                  "one that it selects no more is let go of, as long as nothing is taken of it")
              .given(Groups.HELD.but(Kinds.CLAIM, "data", claim -> claim.label("app", "web")))
              .then(act(release())),
          rule("SNAP-76", "one of which it is being taken stays held, whatever its labels")
              .given(TAKING.but(Kinds.CLAIM, "data", claim -> claim.label("app", "web")))
              .then(settled()),
          rule("SNAP-76", "one that has the labels, and is not in the group, is let go of")
              .given(TAKING.with(Groups.MADE.set("spec.source", "{volumeHandles: [h-pv-2]}")))
              .then(act(release())),
          rule("SNAP-76", "once the group is ready, its claims are let go of")
              .given(
                  Groups.DONE.with(
                      Groups.HELD_GROUP.set(
                          "status",
                          "{boundVolumeGroupSnapshotContentName: %s, readyToUse: true}"
                              .formatted(Groups.CONTENT)),
                      Groups.member().set("status.readyToUse", "true")))
              .then(act(release())),
          rule("SNAP-76", "so they are when it has gone")
              .given(Groups.HELD.without(SnapshotKinds.GROUP_SNAPSHOT, "all"))
              .then(act(release())),
          rule("SNAP-A2", "a group that has failed for good keeps no claim that is to go")
              .given(TAKING.with(FAILED).but(Kinds.CLAIM, "data", Draft::deleting))
              .then(act(release())),
          rule("SNAP-A2", "one of which that is not certain keeps it")
              .given(
                  TAKING
                      .with(FAILED.annotate(SnapshotAnnotations.GROUP_BEING_CREATED, "yes"))
                      .but(Kinds.CLAIM, "data", Draft::deleting))
              .thenWaits(
                  "volumegroupsnapshot/all",
                  "status.readyToUse",
                  "volumegroupsnapshot/all is taken of the claim, which is kept as long",
                  Notice.normal(
                      Draft.claim("data").as(Kinds.CLAIM).ref(),
                      "ClaimInUse",
                      "the claim is kept for volumegroupsnapshot/all, which is being taken of"
                          + " it")));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    var claims = Snapshots.claims(Snapshots.Options.DEFAULT);
    rule.check().accept(Rule.decide(claims, rule.world(), KEY));
  }

  private static ReleaseClaim release() {
    return new ReleaseClaim(KEY, "uid-data");
  }
}
