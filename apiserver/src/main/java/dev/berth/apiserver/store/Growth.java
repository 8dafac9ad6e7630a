package dev.berth.apiserver.store;

import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import java.util.List;
import java.util.Optional;

/// By how much writes let the store grow, and which of them are kept when it cannot: those that
/// make room, and those that are on the way there.
public final class Growth {
  /// A row that comes, or no longer fits where it stood, costs a page at most beside its own.
  private static final long PAGE = 4096;

  /// A later revision or time is no growth, nor is a phase of a longer name.
  private static final int STEADY = 256;

  private Growth() {}

  /// In bytes, at most.
  static long of(List<Written> written) {
    return written.stream().mapToLong(Growth::of).sum();
  }

  private static long of(Written written) {
    int more = more(written);
    return more > 0 ? more + PAGE : 0;
  }

  private static int more(Written written) {
    return switch (written) {
      case Written.Put(_, Optional<Stored> before, var after) ->
          after.json().length - before.map(stored -> stored.json().length).orElse(0);
      case Written.Removed _ -> 0;
    };
  }

  /// Whether to store what came of `write` although the disk is full.
  public static boolean needsNoRoom(Request.Write write, List<Written> written) {
    return deletes(write) || written.stream().allMatch(Growth::needsNoRoom);
  }

  private static boolean deletes(Request.Write write) {
    return switch (write) {
      case Request.Delete _, Request.DeleteAll _, Request.DeleteSeen _ -> true;
      case Request.Post post -> post.subresource().equals("eviction");
      case Request.Guarded guarded -> deletes(guarded.write());
      case Request.Create _, Request.Update _, Request.Change _, Request.Made _ -> false;
    };
  }

  private static boolean needsNoRoom(Written written) {
    return switch (written) {
      case Written.Removed _ -> true;
      case Written.Put(_, var before, var after) ->
          before.isPresent() && (more(written) <= STEADY || isGoing(after));
    };
  }

  /// Its driver or node still writes down how far it has come.
  private static boolean isGoing(Stored object) {
    return object.object().path("metadata").has("deletionTimestamp");
  }
}
