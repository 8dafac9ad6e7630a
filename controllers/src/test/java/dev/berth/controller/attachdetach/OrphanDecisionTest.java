package dev.berth.controller.attachdetach;

import static dev.berth.controller.Draft.attachment;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.volume;
import static dev.berth.controller.Rule.NOW;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.attachdetach.AttachDetachEffect.DetachOrphan;
import dev.berth.controller.attachdetach.AttachDetachEffect.RequestDetach;
import dev.berth.kube.api.Revision;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class OrphanDecisionTest {
  private static final Draft ATTACHMENT =
      attachment("pv-1", "node-a").set("status.attached", "true");
  private static final Revision SEEN = Revision.of(ATTACHMENT.as(Kinds.ATTACHMENT).meta());

  /// Attached to a node that does not know of it any more; the volume has gone.
  private static final World LEFT = World.of(ATTACHMENT, node("node-a"));

  private static final World NODELESS = World.of(ATTACHMENT);

  static final List<Rule> rules =
      List.of(
          rule("AD-50", "an attachment whose volume is gone is taken away")
              .given(LEFT)
              .then(act(new DetachOrphan(SEEN, "pv-1", "node-a"))),
          rule("AD-50", "one that has a volume is not ours")
              .given(LEFT.with(volume("pv-1")))
              .then(settled()),
          rule("AD-46", "nor one whose volume has another name by now")
              .given(
                  LEFT.with(
                      volume("pv-2")
                          .set("spec.csi", "{driver: disk.berth.dev, volumeHandle: h-pv-1}")))
              .then(settled()),
          rule("AD-33", "nor one that its node lists")
              .given(LEFT.with(node("node-a").lists("pv-1")))
              .then(settled()),
          rule("AD-34", "nor one that may be mounted")
              .given(LEFT.with(node("node-a").mounts("pv-1")))
              .then(settled()),
          rule("AD-52", "nor one that somebody else made")
              .given(World.of(ATTACHMENT.set("metadata.name", "mine"), node("node-a")))
              .then(settled()),
          rule("ATT-55", "one that is being deleted is the attacher's")
              .given(World.of(ATTACHMENT.deleting(), node("node-a")))
              .then(settled()),
          rule("AD-31", "of a node that is gone it is asked for first")
              .given(NODELESS)
              .then(act(new RequestDetach(SEEN, NOW))),
          rule("AD-54", "and waited for, as with any volume")
              .given(requested(Duration.ofMinutes(5)))
              .thenWaits(
                  "node/node-a",
                  "",
                  "node node-a, which has gone, no longer has the volume mounted; it is taken off"
                      + " by force at "
                      + NOW.plus(Duration.ofMinutes(1))),
          rule("AD-32", "until the time of the node is over")
              .given(requested(Duration.ofMinutes(6)))
              .then(act(new DetachOrphan(SEEN, "pv-1", "node-a"))));

  private static World requested(Duration ago) {
    return World.of(
        ATTACHMENT.annotate(Annotations.DETACH_REQUESTED_AT, NOW.minus(ago).toString()));
  }

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    var orphans = AttachDetach.orphans(AttachDetach.Options.DEFAULT);
    var key =
        rule.world().objects().stream()
            .filter(it -> it.kind().equals(Kinds.ATTACHMENT))
            .map(it -> it.as(Kinds.ATTACHMENT).meta().key())
            .findFirst()
            .orElse(ObjectKey.cluster("none"));
    rule.check().accept(Rule.decide(orphans, rule.world(), key));
  }
}
