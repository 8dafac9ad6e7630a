package dev.berth.driver.baremetal.object;

import java.util.Arrays;

/// Reads the words of enums as objects have them.
final class Words {
  private Words() {}

  /// @param usual for a word that is missing or that this version does not know
  static <E extends Enum<E>> E read(Class<E> type, String word, E usual) {
    return Arrays.stream(type.getEnumConstants())
        .filter(it -> it.name().equals(word))
        .findFirst()
        .orElse(usual);
  }
}
