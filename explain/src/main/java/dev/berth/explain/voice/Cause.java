package dev.berth.explain.voice;

import dev.berth.explain.answer.Explanation.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/// What a driver's failure means for who waits for it, told by the gRPC code in its message.
public enum Cause {
  /// The driver could not be asked, or has not finished (C12a).
  LATE("look at the driver's process and at what it stores on"),
  /// There is no room (C12c).
  FULL("add room or free some where the driver stores, or ask for less"),
  /// The same request will never be granted (C12b).
  REFUSED("correct what the message names; what cannot be changed has to be created anew"),
  /// All else.
  OTHER("mend what the message names; it is tried again by itself");

  /// How long what may pass is nothing to worry about (XPL-30).
  private static final Duration USUAL = Duration.ofMinutes(5);

  private static final Pattern CODE = Pattern.compile("code = (\\w+)");

  private final String remedy;

  Cause(String remedy) {
    this.remedy = remedy;
  }

  static Cause of(String message) {
    var code = CODE.matcher(message);
    if (!code.find()) return OTHER;
    return switch (code.group(1)) {
      case "Unavailable", "DeadlineExceeded", "Aborted", "Canceled" -> LATE;
      case "ResourceExhausted" -> FULL;
      case "InvalidArgument", "OutOfRange", "Unimplemented" -> REFUSED;
      case String _ -> OTHER;
    };
  }

  String remedy() {
    return remedy;
  }

  /// @param began when it failed first
  Verdict verdict(Instant began, Instant now) {
    return switch (this) {
      case LATE, FULL -> now.isBefore(began.plus(USUAL)) ? Verdict.PROGRESS : Verdict.SLOW;
      case REFUSED, OTHER -> Verdict.BLOCKED;
    };
  }
}
