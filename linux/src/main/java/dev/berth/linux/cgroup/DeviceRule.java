package dev.berth.linux.cgroup;

import java.util.OptionalInt;
import java.util.Set;

/// Devices that may be used, and how.
///
/// @param minor empty: each of that major number
public record DeviceRule(Kind kind, int major, OptionalInt minor, Set<Use> uses) {
  /// What a device is.
  public enum Kind {
    BLOCK('b', 1),
    CHARACTER('c', 2);

    private final char letter;
    private final int number;

    Kind(char letter, int number) {
      this.letter = letter;
      this.number = number;
    }

    int number() {
      return number;
    }
  }

  /// What is done with it.
  public enum Use {
    READ('r', 2),
    WRITE('w', 4);

    private final char letter;
    private final int bit;

    Use(char letter, int bit) {
      this.letter = letter;
      this.bit = bit;
    }
  }

  public DeviceRule {
    uses = Set.copyOf(uses);
  }

  /// The kernel's bits for [#uses].
  int bits() {
    return uses.stream().mapToInt(use -> use.bit).sum();
  }

  /// As version 1 of control groups has it: `c 136:* rw`.
  @Override
  public String toString() {
    var letters = new StringBuilder();
    for (var use : Use.values()) if (uses.contains(use)) letters.append(use.letter);
    var last = minor.isPresent() ? Integer.toString(minor.getAsInt()) : "*";
    return "%c %d:%s %s".formatted(kind.letter, major, last, letters);
  }
}
