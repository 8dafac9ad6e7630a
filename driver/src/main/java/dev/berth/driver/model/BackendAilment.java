package dev.berth.driver.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// One thing that is wrong with the storage behind a node, whichever volume it is about.
///
/// @param ailment its kind says how far it reaches: [Ailment.Kind#DEGRADED] or
///   [Ailment.Kind#INACCESSIBLE]
/// @param usage whom it concerns; empty: every use
public record BackendAilment(Ailment ailment, Optional<Usage> usage) {
  public BackendAilment {
    if (ailment.kind() == Ailment.Kind.DATA_LOSS)
      throw new IllegalArgumentException("volumes lose data, not what is behind them: " + ailment);
  }

  /// The same in CSI's form, which wants each kind, reason and use once: of several, one with all
  /// their words.
  public static List<BackendAilment> each(List<BackendAilment> all) {
    record Key(Ailment.Kind kind, String reason, Optional<Usage> usage) {}
    var merged = new LinkedHashMap<Key, BackendAilment>();
    for (var it : all)
      merged.merge(
          new Key(it.ailment.kind(), it.ailment.reason(), it.usage), it, BackendAilment::and);
    return List.copyOf(merged.values());
  }

  private BackendAilment and(BackendAilment other) {
    var words =
        ailment.message().equals(other.ailment.message())
            ? ailment.message()
            : ailment.message() + "; " + other.ailment.message();
    return new BackendAilment(new Ailment(ailment.kind(), ailment.reason(), words), usage);
  }

  public static BackendAilment degraded(String reason, String message) {
    return new BackendAilment(
        new Ailment(Ailment.Kind.DEGRADED, reason, message), Optional.empty());
  }

  public static BackendAilment unreachable(String reason, String message) {
    return new BackendAilment(
        new Ailment(Ailment.Kind.INACCESSIBLE, reason, message), Optional.empty());
  }
}
