package dev.berth.explain;

import dev.berth.kube.loop.Wait;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/// Which line of code began a wait, whatever has been added to it since. [MarkingLoader] adds the
/// calls.
public final class WaitOrigins {
  private static final Map<Object, String> ORIGINS = new IdentityHashMap<>();

  private WaitOrigins() {}

  /// A sentence has begun there.
  public static void made(Object sentence, String where) {
    ORIGINS.put(sentence, where);
  }

  /// The one came from the other.
  public static void derived(Object later, Object earlier) {
    var where = ORIGINS.get(earlier);
    if (where != null) ORIGINS.put(later, where);
  }

  static Optional<String> of(Wait wait) {
    return Optional.ofNullable(ORIGINS.get(wait));
  }
}
