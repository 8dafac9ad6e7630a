package dev.berth.driver.baremetal.decide;

import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.object.Drive;
import java.util.Optional;

/// How what is there fits a drive's object, in words for people: only they can say whether it is
/// the drive if it has changed (BM-23).
///
/// @param found what is taken for the drive or, if nothing is, what bears a serial number of it;
///   empty: nothing does
/// @param second the name of another object that `found` may be
record Likeness(Drive drive, Optional<FoundDrive> found, Optional<String> second) {
  /// What is wrong with the object of a drive that is there.
  ///
  /// @param reason for programs
  record Flaw(String reason, String message) {}

  Optional<Flaw> flaw() {
    return found.flatMap(it -> second.map(other -> twice(it, other)).or(() -> grown(it)));
  }

  private static Flaw twice(FoundDrive found, String other) {
    return new Flaw(
        "RegisteredTwice",
        "what is at %s is registered a second time, as drive %s: delete that object if both are one drive; this one may not be found before"
            .formatted(found.path(), other));
  }

  private Optional<Flaw> grown(FoundDrive found) {
    return found.names().hasGrown(drive, found.size())
        ? Optional.of(
            new Flaw(
                "Grown",
                "it has %d bytes, more than the %d of spec.Size, of which volumes get theirs: correct spec.Size"
                    .formatted(found.size(), drive.size())))
        : Optional.empty();
  }

  /// What there is to say of a drive that is not there.
  String absence() {
    return "the drive is not there" + found.map(this::instead).orElse("");
  }

  private String instead(FoundDrive found) {
    return found
        .names()
        .difference(drive, found.size())
        .map(difference ->
            ": what is at %s has a serial number of it, but %s; if it is the drive, correct spec.Size, the annotation known-as, or VID and PID of this object%s; if the drive is gone for good, remove this object"
                .formatted(
                    found.path(),
                    difference,
                    second
                        .map(" and delete drive %s, which is a second one of it"::formatted)
                        .orElse("")))
        .or(() ->
            second.map(other ->
                ": what is at %s is drive %s; delete this object if both are one drive"
                    .formatted(found.path(), other)))
        .orElse("");
  }
}
