package dev.berth.cli.flags;

import dev.berth.kube.value.GoDuration;
import java.util.Locale;
import java.util.Set;

/// One flag of one or several programs.
///
/// @param standard what it is if it is not given, as one would write it
/// @param effect whether it does anything here
record Flag(
    Set<Program> owners, String name, Kind kind, String standard, String meaning, boolean effect) {

  /// What its value looks like.
  enum Kind {
    STRING("any text"),
    BOOL("true or false"),
    INT("a whole number"),
    UINT("a whole number, not below 0"),
    FLOAT("a number"),
    DURATION("a time such as 15s, 1m30s or 250ms"),
    LEVEL("a whole number"),
    GATES("name=true,name=false"),
    LABELS("key:value,key:value");

    private final String shape;

    Kind(String shape) {
      this.shape = shape;
    }

    static Kind of(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }

    String shape() {
      return shape;
    }

    boolean takes(String text) {
      return switch (this) {
        case STRING -> true;
        case BOOL -> Values.truth(text).isPresent();
        case INT, LEVEL -> Values.whole(text).isPresent();
        case UINT -> Values.whole(text).filter(number -> number >= 0).isPresent();
        case FLOAT -> Values.number(text).isPresent();
        case DURATION -> GoDuration.parse(text).isPresent();
        case GATES -> Values.gates(text).isPresent();
        case LABELS -> Values.labels(text).isPresent();
      };
    }
  }
}
