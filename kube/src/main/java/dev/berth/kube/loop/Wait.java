package dev.berth.kube.loop;

import dev.berth.kube.event.Notice;
import dev.berth.kube.object.Ref;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/// Somebody else has to move first. A wait is a sentence that a person can act on: on which field
/// of which object, since when, what ends it, and what can be done.
///
/// @param on the object whose change ends the wait; it may not exist yet
/// @param field path of the field that has to change, such as `status.phase`; empty: the object as
///   such
/// @param since when the wait began, where the objects show it
/// @param until what ends it, continuing the sentence "… waits until"
/// @param remedy what a person can do, as an imperative; empty: nothing
/// @param outlook what becomes of it if nobody does anything
/// @param preface event that is told right before the notice, whenever that is
/// @param notice event to tell on the way into this wait; told again only when its text changes
/// @param again when to look again though nothing changed: a deadline that the decision depends on
public record Wait(
    Ref on,
    String field,
    Optional<Instant> since,
    String until,
    Optional<String> remedy,
    Outlook outlook,
    Optional<Notice> preface,
    Optional<Notice> notice,
    Optional<Instant> again)
    implements Step {

  /// Starts the sentence; ends with [Sentence#until].
  public static Sentence on(Ref object, String field) {
    return new Sentence(object, field, Optional.empty());
  }

  /// Starts the sentence about an object as a whole: that it exists, or that it is gone.
  public static Sentence on(Ref object) {
    return on(object, "");
  }

  /// It ends only if somebody does this.
  public Wait remedy(String whatToDo) {
    return remedy(whatToDo, new Outlook.Lasts());
  }

  /// It ends only if somebody does this, and whoever does it without the check may lose data.
  ///
  /// @param check what is at stake, and what to make sure of first
  public Wait danger(String check, String whatToDo) {
    return remedy(whatToDo, new Outlook.Endangers(check));
  }

  /// It is as it should be, however long it lasts; this ends it when somebody wants it to end.
  public Wait hint(String whatToDo) {
    return remedy(whatToDo, new Outlook.Passes(Optional.empty()));
  }

  /// It ends by itself; this is to be done only if it has lasted longer than is usual.
  public Wait ifLate(Duration usual, String whatToDo) {
    return remedy(whatToDo, new Outlook.Passes(Optional.of(usual)));
  }

  private Wait remedy(String whatToDo, Outlook expected) {
    return new Wait(
        on, field, since, until, Optional.of(whatToDo), expected, preface, notice, again);
  }

  public Wait tell(Notice event) {
    return new Wait(on, field, since, until, remedy, outlook, preface, Optional.of(event), again);
  }

  public Wait tell(Notice first, Notice then) {
    return new Wait(
        on, field, since, until, remedy, outlook, Optional.of(first), Optional.of(then), again);
  }

  public Wait lookAgainAt(Instant deadline) {
    return new Wait(
        on, field, since, until, remedy, outlook, preface, notice, Optional.of(deadline));
  }

  /// A wait without its most important part.
  public record Sentence(Ref on, String field, Optional<Instant> since) {
    public Sentence since(Instant began) {
      return new Sentence(on, field, Optional.of(Objects.requireNonNull(began)));
    }

    public Wait until(String whatEndsIt) {
      return new Wait(
          on,
          field,
          since,
          whatEndsIt,
          Optional.empty(),
          new Outlook.Passes(Optional.empty()),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }
  }
}
