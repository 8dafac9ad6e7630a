package dev.berth.controller.attachdetach;

import dev.berth.controller.attachdetach.AttachDetachEffect.Detach;
import dev.berth.controller.attachdetach.AttachDetachEffect.ForceDetach;
import dev.berth.controller.attachdetach.AttachDetachEffect.RequestDetach;
import dev.berth.controller.attachdetach.AttachDetachEffect.WithdrawAttached;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Takes a volume off a node where no pod uses it (AD-30 to AD-35).
final class DetachDecision {
  /// How long a dead node may keep a volume (AD-03).
  static final Duration PATIENCE = Duration.ofMinutes(6);

  static final String TIMEOUT = "timeout";
  static final String OUT_OF_SERVICE = "out-of-service";

  /// What a living node may take to let go of a volume before somebody should look (X01).
  private static final Duration UNMOUNTING = Duration.ofSeconds(10);

  private final AttachDetach.Options options;

  DetachDecision(AttachDetach.Options options) {
    this.options = options;
  }

  Step decide(Pair pair, Instant now) {
    if (pair.unmanaged()) return new Settled(); // AD-51
    return switch (pair.attachment()) {
      case Missing<Attachment> _ -> pair.listed() ? withdraw(pair) : new Settled();
      case Found<Attachment>(var it) when it.meta().deleting() ->
          pair.listed() ? withdraw(pair) : untilDetached(pair, it);
      case Found<Attachment>(var it) -> detach(pair, it, now);
    };
  }

  private Step detach(Pair pair, Attachment attachment, Instant now) {
    var force = force(pair, now);
    if (pair.inUse() && force.isEmpty()) {
      return pair.detachRequested().isPresent()
          ? untilUnmounted(pair, pair.detachRequested().get())
          : new Act(
              new RequestDetach(
                  Revision.of(attachment.meta()), now.truncatedTo(ChronoUnit.SECONDS))); // AD-31
    }
    if (pair.listed()) return withdraw(pair); // AD-33
    var revision = Revision.of(attachment.meta());
    return new Act(
        pair.inUse()
            ? new ForceDetach(revision, pair.volume(), pair.nodeName(), force.orElseThrow())
            : new Detach(revision, pair.volume(), pair.nodeName()));
  }

  /// Why the volume may be taken off though it may be mounted (AD-32); empty: it may not.
  private Optional<String> force(Pair pair, Instant now) {
    if (pair.node().found().filter(DetachDecision::outOfService).isPresent())
      return Optional.of(OUT_OF_SERVICE);
    return forcedAt(pair).filter(at -> !now.isBefore(at)).map(_ -> TIMEOUT);
  }

  /// When the node's time is over; empty: it is ready, or waited for without end.
  private Optional<Instant> forcedAt(Pair pair) {
    boolean dead = pair.node().found().filter(Node::ready).isEmpty();
    return dead && options.forceDetachOnTimeout()
        ? pair.detachRequested().map(at -> at.plus(PATIENCE))
        : Optional.empty();
  }

  static boolean outOfService(Node node) {
    return node.taints().stream()
        .anyMatch(taint -> taint.key().equals(Labels.OUT_OF_SERVICE_TAINT));
  }

  private static Step withdraw(Pair pair) {
    return new Act(new WithdrawAttached(pair.volume(), pair.nodeName()));
  }

  /// X01, X05, X07: never forced on a node that is ready.
  private Wait untilUnmounted(Pair pair, Instant since) {
    var node = Kinds.NODE.ref(ObjectKey.cluster(pair.nodeName()));
    var deadline = forcedAt(pair);
    var wait =
        danger(
            pair,
            Wait.on(node, "status.volumesInUse")
                .since(since)
                .until(
                    "node %s%s no longer has the volume mounted%s"
                        .formatted(
                            pair.nodeName(),
                            state(pair),
                            deadline.map(at -> "; it is taken off by force at " + at).orElse(""))));
    return deadline.map(wait::lookAgainAt).orElse(wait);
  }

  private static String state(Pair pair) {
    return switch (pair.node()) {
      case Found<Node>(var node) -> node.ready() ? "" : ", which is not ready,";
      case Missing<Node> _ -> ", which has gone,";
    };
  }

  /// XPL-05: a node that is not seen may still write.
  private static Wait danger(Pair pair, Wait wait) {
    return switch (pair.node()) {
      case Found<Node>(var node) when node.ready() ->
          wait.ifLate(
              UNMOUNTING,
              "look at the agent of node "
                  + node.meta().name()
                  + " for what keeps the volume mounted");
      case Found<Node>(var node) ->
          wait.danger(
              "make sure that node %s is switched off: two writers destroy the file system"
                  .formatted(node.meta().name()),
              "bring it back; or, once it is off: kubectl taint node %s %s=nodeshutdown:NoExecute"
                  .formatted(node.meta().name(), Labels.OUT_OF_SERVICE_TAINT));
      case Missing<Node> _ ->
          wait.danger(
              "make sure that the machine of node %s is switched off: two writers destroy the file system"
                  .formatted(pair.nodeName()),
              "wait for the node's time to run out, or create it again and start its agent");
    };
  }

  // X03, X04, X06, X08
  private static Wait untilDetached(Pair pair, Attachment attachment) {
    var error = attachment.detachError();
    var wait =
        Wait.on(attachment.ref(), "metadata.finalizers")
            .since(attachment.meta().deleted().orElseThrow())
            .until(
                "driver %s has detached the volume from node %s%s"
                    .formatted(
                        attachment.attacher(),
                        pair.nodeName(),
                        error.map(it -> ", which failed: " + it.message()).orElse("")));
    return error.isPresent()
        ? wait.remedy("mend what status.detachError says; it is tried again")
        : wait.ifLate(
            AttachmentDecision.LATE, "look at the attacher of driver " + attachment.attacher());
  }
}
