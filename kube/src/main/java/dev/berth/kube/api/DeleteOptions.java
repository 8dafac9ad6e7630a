package dev.berth.kube.api;

import java.util.Optional;
import java.util.OptionalLong;

/// How to delete.
///
/// @param uid only if the object still is this one
/// @param resourceVersion only if the object is unchanged since
/// @param gracePeriodSeconds empty: the kind's own default
/// @param propagation what becomes of what it owns: `Background`, `Foreground` or `Orphan`
public record DeleteOptions(
    Optional<String> uid,
    Optional<String> resourceVersion,
    OptionalLong gracePeriodSeconds,
    Optional<String> propagation) {
  public static final DeleteOptions DEFAULT =
      new DeleteOptions(Optional.empty(), Optional.empty(), OptionalLong.empty(), Optional.empty());

  /// Deletes this very object, not one that took its name.
  public static DeleteOptions uid(String uid) {
    return new DeleteOptions(
        Optional.of(uid), Optional.empty(), OptionalLong.empty(), Optional.empty());
  }

  public DeleteOptions gracePeriodSeconds(long seconds) {
    return new DeleteOptions(uid, resourceVersion, OptionalLong.of(seconds), propagation);
  }

  public DeleteOptions resourceVersion(String version) {
    return new DeleteOptions(uid, Optional.of(version), gracePeriodSeconds, propagation);
  }

  /// The same, whichever object has the name and whatever has become of it.
  public DeleteOptions withoutPreconditions() {
    return new DeleteOptions(Optional.empty(), Optional.empty(), gracePeriodSeconds, propagation);
  }
}
