package dev.berth.controller.snapshot;

import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.snapshot.source.ReleaseClaim;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What is decided over a claim that is held as the source of snapshots.
final class ClaimKeeperTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "data");

  /// A snapshot is being taken of a claim, which is held.
  private static final World USUAL =
      World.of(Drafts.snapshot())
          .with(Draft.bound("data", "pv-1"))
          .but(Kinds.CLAIM, "data", claim -> claim.finalizer(SnapshotFinalizers.CLAIM_AS_SOURCE));

  private static final World GOING = USUAL.but(Kinds.CLAIM, "data", Draft::deleting);

  private static final Draft FAILED =
      Drafts.content().set("status", "{readyToUse: false, error: {message: broken}}");

  static final List<Rule> rules =
      List.of(
          rule("SNAP-21", "a claim stays held as long as a snapshot is being taken of it")
              .given(USUAL)
              .then(settled()),
          rule("SNAP-21", "one of which none is taken any more is let go of")
              .given(USUAL.with(Drafts.snapshot().set("status", "{readyToUse: true}")))
              .then(act(release())),
          rule("SNAP-21", "one whose last snapshot has vanished, too")
              .given(USUAL.without(SnapshotKinds.SNAPSHOT, "monday"))
              .then(act(release())),
          rule("SNAP-21", "what is not held is left alone")
              .given(USUAL.with(Draft.bound("data", "pv-1")))
              .then(settled()),
          rule("SNAP-A2", "whoever deletes the claim hears what keeps it")
              .given(GOING)
              .thenWaits(
                  "volumesnapshot/monday",
                  "status.readyToUse",
                  "volumesnapshot/monday is taken of the claim, which is kept as long",
                  Notice.normal(
                      Draft.claim("data").as(Kinds.CLAIM).ref(),
                      "ClaimInUse",
                      "the claim is kept for volumesnapshot/monday, which is being taken of it")),
          rule("SNAP-A2", "a snapshot that has failed for good keeps no claim that is to go")
              .given(GOING.with(FAILED))
              .then(act(release())),
          rule("SNAP-A2", "nor does one that has not been begun, if the claim will never be bound")
              .given(GOING.but(Kinds.CLAIM, "data", it -> it.set("status", "{phase: Pending}")))
              .then(act(release())),
          rule("SNAP-A2", "one of which that is not certain keeps it")
              .given(GOING.with(FAILED.annotate(SnapshotAnnotations.BEING_CREATED, "yes")))
              .thenWaits(
                  "volumesnapshot/monday",
                  "status.readyToUse",
                  "volumesnapshot/monday is taken of the claim, which is kept as long",
                  Notice.normal(
                      Draft.claim("data").as(Kinds.CLAIM).ref(),
                      "ClaimInUse",
                      "the claim is kept for volumesnapshot/monday, which is being taken of it")));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check()
        .accept(Rule.decide(Snapshots.claims(Snapshots.Options.DEFAULT), rule.world(), KEY));
  }

  private static ReleaseClaim release() {
    return new ReleaseClaim(KEY, "uid-data");
  }
}
