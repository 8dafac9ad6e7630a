package dev.berth.apiserver.core.message;

import dev.berth.apiserver.core.state.Stored;

/// What a watch shows next.
public sealed interface WatchEvent {
  /// The object came, or began to match the selector.
  record Added(Stored object) implements WatchEvent {}

  record Modified(Stored object) implements WatchEvent {}

  /// The object went, or ceased to match the selector.
  ///
  /// @param last as last seen, with the revision at which it went
  record Deleted(Stored last) implements WatchEvent {}

  /// Everything up to `revision` has been shown.
  ///
  /// @param initialEventsEnd whether it ends the objects that were there at the start (API-64)
  record Bookmark(long revision, boolean initialEventsEnd) implements WatchEvent {}

  /// The watch shows nothing more.
  record Failed(Refusal refusal) implements WatchEvent {}
}
