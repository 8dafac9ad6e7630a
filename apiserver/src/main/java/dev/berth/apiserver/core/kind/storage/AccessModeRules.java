package dev.berth.apiserver.core.kind.storage;

import dev.berth.apiserver.core.field.Field;

/// Access modes of volumes and claims.
public final class AccessModeRules {
  private static final String[] SUPPORTED = {
    "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"
  };

  private AccessModeRules() {}

  /// What is wrong with a list of modes.
  static void check(Field modes) {
    boolean alone = false;
    for (var mode : modes.elements()) {
      if (!mode.isOneOf(SUPPORTED)) mode.namedAs("spec.accessModes").notSupported(SUPPORTED);
      if (mode.is("ReadWriteOncePod")) alone = true;
    }
    if (alone && modes.elements().size() > 1)
      modes.forbidden("may not use ReadWriteOncePod with other access modes");
  }
}
