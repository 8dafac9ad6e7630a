package dev.berth.apiserver.core.custom.rule;

import java.util.Optional;

/// How much of it a value can hold, as its schema says.
public interface CelPart {
  /// @param name as rules call it
  Optional<CelPart> field(String name);

  /// Of a list or of a map.
  Optional<CelPart> element();

  /// Elements, or bytes of a text; 0: there is nothing to be gone through.
  long most();
}
