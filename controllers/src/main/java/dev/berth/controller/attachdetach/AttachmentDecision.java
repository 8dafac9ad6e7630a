package dev.berth.controller.attachdetach;

import dev.berth.controller.attachdetach.AttachDetachEffect.CancelDetach;
import dev.berth.controller.attachdetach.AttachDetachEffect.CreateAttachment;
import dev.berth.controller.attachdetach.AttachDetachEffect.ReportAttached;
import dev.berth.controller.attachdetach.AttachDetachEffect.WithdrawAttached;
import dev.berth.kube.api.Revision;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.Ref;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Takes one volume to the nodes whose pods use it, and off all others (section 7.4).
final class AttachmentDecision {
  /// What a driver may take before somebody should look (A05, A11).
  static final Duration LATE = Duration.ofMinutes(1);

  /// What an attachment that is in the way may take to go (A11).
  private static final Duration GOING = Duration.ofSeconds(30);

  private final DetachDecision detaching;

  AttachmentDecision(AttachDetach.Options options) {
    detaching = new DetachDecision(options);
  }

  /// Detaching comes first, then the node whose pod is the oldest.
  Step decide(View view, VolumeName volume) {
    var pairs = view.pairs(volume);
    var steps =
        pairs.stream()
            .sorted(Comparator.comparing(Pair::wanted).thenComparing(Pair::since))
            .map(pair -> decide(view, pair, pairs))
            .toList();
    return steps.stream()
        .filter(Act.class::isInstance)
        .findFirst()
        .orElseGet(() -> firstWait(steps));
  }

  /// For one node: what is done next for another one does not hide it.
  ///
  /// @param pairs of the same volume, this one included
  Step decide(View view, Pair pair, List<Pair> pairs) {
    if (pair.wanted()) return attach(view, pair, pairs);
    return pair.uses().isEmpty() ? detaching.decide(pair, view.now()) : new Settled();
  }

  /// What stands between a wanted pair and its pods; settled when nothing does.
  Step attach(View view, Pair pair, List<Pair> pairs) {
    return switch (pair.attachment()) {
      case Missing<Attachment> _ when pair.listed() -> withdraw(pair); // AD-53
      case Missing<Attachment> _ ->
          obstacle(view, pair, pairs)
              .<Step>map(other -> untilFreeElsewhere(pair, other))
              .orElseGet(() -> create(pair));
      case Found<Attachment>(var it) when pair.listed() && (!it.attached() || leaving(it)) ->
          withdraw(pair);
      case Found<Attachment>(var it) when leaving(it) -> untilGone(it);
      case Found<Attachment>(var it) when !it.attached() -> untilAttached(pair, it);
      case Found<Attachment>(var it) when !pair.listed() -> report(pair, it);
      case Found<Attachment>(var it) when pair.detachRequested().isPresent() ->
          new Act(new CancelDetach(Revision.of(it.meta())));
      case Found<Attachment> _ -> new Settled();
    };
  }

  /// The node that has the volume, if it may be on one only (AD-22, AD-41).
  static Optional<Pair> obstacle(View view, Pair pair, List<Pair> pairs) {
    if (view.shared(pair.volume())) return Optional.empty();
    return pairs.stream()
        .filter(other -> !other.nodeName().equals(pair.nodeName()))
        .filter(Pair::occupied)
        .findFirst();
  }

  private static boolean leaving(Attachment attachment) {
    return attachment.meta().deleting();
  }

  private static Step create(Pair pair) {
    return new Act(
        new CreateAttachment(pair.volume(), first(pair).volume().meta().name(), pair.nodeName()));
  }

  private static Step report(Pair pair, Attachment attachment) {
    return new Act(
        new ReportAttached(
            Revision.of(attachment.meta()),
            pair.volume(),
            first(pair).volume().meta().name(),
            pair.nodeName(),
            pair.uses().stream().map(use -> use.pod().ref()).distinct().toList()));
  }

  private static Step withdraw(Pair pair) {
    return new Act(new WithdrawAttached(pair.volume(), pair.nodeName()));
  }

  private static Use first(Pair pair) {
    return pair.uses().stream()
        .filter(use -> use.standing() == Use.Standing.RESOLVED)
        .findFirst()
        .orElseThrow();
  }

  // A13 to A16
  private static Wait untilFreeElsewhere(Pair pair, Pair other) {
    var attachment = ref(other);
    var users = other.uses().stream().map(Use::pod).distinct().toList();
    return Wait.on(attachment)
        .since(pair.since())
        .until(
            "%s has gone: the volume may be on one node only and is on node %s"
                .formatted(attachment, other.nodeName()))
        .remedy(
            users.isEmpty()
                ? "see what keeps it there: " + Commands.explain(attachment)
                : "delete the pods there that use it: " + Commands.deletePods(users));
  }

  // A11
  private static Wait untilGone(Attachment attachment) {
    return Wait.on(attachment.ref())
        .since(attachment.meta().deleted().orElseThrow())
        .until("the last " + attachment.ref() + " has gone")
        .ifLate(GOING, "look at the attacher of driver " + attachment.attacher());
  }

  // A04 to A10
  private static Wait untilAttached(Pair pair, Attachment attachment) {
    var error = attachment.attachError();
    var driver = attachment.attacher();
    var wait =
        Wait.on(attachment.ref(), "status.attached")
            .since(attachment.meta().created())
            .until(
                "driver %s has attached the volume to node %s%s"
                    .formatted(
                        driver,
                        pair.nodeName(),
                        error.map(it -> ", which failed: " + it.message()).orElse("")));
    return error.isPresent()
        ? wait.remedy("mend what status.attachError says; it is tried again")
        : wait.ifLate(LATE, "look at the attacher of driver " + driver);
  }

  private static Ref ref(Pair pair) {
    return switch (pair.attachment()) {
      case Found<Attachment>(var attachment) -> attachment.ref();
      case Missing<Attachment>(var ref) -> ref;
    };
  }

  /// One key has one wait: the first, which is looked at again when any of them ends.
  private static Step firstWait(List<Step> steps) {
    var waits = steps.stream().filter(Wait.class::isInstance).map(Wait.class::cast).toList();
    if (waits.isEmpty()) return new Settled();
    return waits.stream()
        .flatMap(wait -> wait.again().stream())
        .min(Instant::compareTo)
        .map(waits.getFirst()::lookAgainAt)
        .orElseGet(waits::getFirst);
  }
}
