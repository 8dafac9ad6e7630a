package dev.berth.driver.disk.pool;

import dev.berth.driver.model.Refusal;
import java.util.Map;

/// When a volume takes its room.
public enum Allocation {
  /// When something is written.
  THIN,
  /// When it is made: writing cannot fail for want of room, whatever is copied from it.
  THICK;

  /// Its key among the parameters of a volume.
  public static final String KEY = "allocation";

  /// Reads what a storage class says.
  ///
  /// @throws Refusal INVALID
  public static Allocation of(Map<String, String> parameters) {
    return switch (parameters.getOrDefault(KEY, "thin")) {
      case "thin" -> THIN;
      case "thick" -> THICK;
      case String other ->
          throw Refusal.invalid(
              "parameter allocation is %s; it may be thin or thick".formatted(other));
    };
  }
}
