package dev.berth.explain.voice;

import dev.berth.explain.answer.EventsAbout;
import dev.berth.explain.answer.Explanation;
import dev.berth.explain.answer.Failure;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Telling;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Event;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/// Where a component tells of what it could not do. A decision says what is to be done next; only
/// this says how its last try went.
@FunctionalInterface
interface Failures {
  /// What kubelets tell while they change the owner of many files (N08).
  String PERMISSIONS = "VolumePermissionChangeInProgress";

  /// Nobody hears of them.
  Failures UNTOLD = (_, _, _) -> Optional.empty();

  static Failures of(Telling where) {
    return switch (where) {
      case Telling.Nowhere() -> UNTOLD;
      case Telling.InEvents(var reasons) -> inEvents(reasons);
      case Telling.InStatus() -> inAttachments();
    };
  }

  /// The last one about `subject`; empty: none is told.
  Optional<Failure> last(Ref subject, Snapshot objects, Instant now);

  /// Whether what was told is no longer so.
  interface Outdated {
    boolean test(Event event, Ref subject, Snapshot objects);
  }

  default Failures or(Failures others) {
    return (subject, objects, now) ->
        last(subject, objects, now).or(() -> others.last(subject, objects, now));
  }

  /// The latest warning about the object that has one of `reasons`.
  static Failures inEvents(Set<String> reasons) {
    return inEvents(reasons, (_, _, _) -> false);
  }

  /// @param outdated what fields prove to be over
  static Failures inEvents(Set<String> reasons, Outdated outdated) {
    return (subject, objects, now) ->
        EventsAbout.of(subject, objects).stream()
            .filter(event -> event.warns() && reasons.contains(event.reason()))
            .filter(event -> !outdated.test(event, subject, objects))
            .filter(event -> isAbout(event, subject, objects))
            .max(Comparator.comparing(Failures::tellsMore).thenComparing(Event::last))
            .map(event -> failure(event, now));
  }

  /// `attachError` or, of an attachment that is to go, `detachError`.
  static Failures inAttachments() {
    return (subject, objects, now) ->
        subject.resource().equals(Resources.ATTACHMENTS)
            ? objects.get(Kinds.ATTACHMENT, subject.key()).found().flatMap(va -> failure(va, now))
            : Optional.empty();
  }

  /// An object that was made anew under its name, or is to go, has nothing to do with what was told
  /// before.
  private static boolean isAbout(Event event, Ref subject, Snapshot objects) {
    return Voices.meta(subject, objects)
        .filter(meta -> event.aboutUid().isEmpty() || event.aboutUid().equals(meta.uid()))
        .filter(meta -> !event.last().isBefore(began(meta)))
        .isPresent();
  }

  /// When what is being done to the object began.
  private static Instant began(Meta meta) {
    return meta.deleted()
        .map(end -> end.minusSeconds(meta.graceSeconds().orElse(0)))
        .orElse(meta.created());
  }

  /// That volumes are missing is told of every pod whose mounts fail, beside what failed.
  private static boolean tellsMore(Event event) {
    return !event.message().startsWith("Unable to attach or mount volumes");
  }

  private static Failure failure(Event event, Instant now) {
    var cause = Cause.of(event.reason(), event.message());
    if (event.reason().equals(PERMISSIONS))
      return new Failure(
          event.message(),
          event.ref(),
          event.reason(),
          Optional.of(event.first()),
          Optional.of(event.last()),
          "wait; next time it is quicker with fsGroupChangePolicy: OnRootMismatch in the pod's"
              + " securityContext",
          Explanation.Verdict.PROGRESS);
    return new Failure(
        event.message(),
        event.ref(),
        event.reason(),
        Optional.of(event.first()),
        Optional.of(event.last()),
        cause.remedy(),
        cause.verdict(event.first(), now));
  }

  private static Optional<Failure> failure(Attachment va, Instant now) {
    var field = va.meta().deleting() ? "detachError" : "attachError";
    var began = va.meta().deleted().orElse(va.meta().created());
    return (va.meta().deleting() ? va.detachError() : va.attachError())
        .map(error -> {
          var cause = Cause.of(field, error.message());
          return new Failure(
              error.message(),
              va.ref(),
              "status." + field,
              Optional.of(began),
              Optional.empty(),
              cause.remedy(),
              cause.verdict(began, now));
        });
  }
}
