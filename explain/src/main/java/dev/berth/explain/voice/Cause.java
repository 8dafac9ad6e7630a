package dev.berth.explain.voice;

import dev.berth.explain.answer.Explanation.Verdict;
import dev.berth.kube.name.Reasons;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;

/// What a driver's failure means for who waits for it, told by the gRPC code in its message.
public enum Cause {
  /// The driver could not be asked, or has not finished (C12a).
  LATE("look at the driver's process and at what it stores on"),
  /// There is no room (C12c).
  FULL("add room or free some where the driver stores, or ask for less"),
  /// The same request will never be granted (C12b).
  REFUSED("correct what the message names; what cannot be changed has to be created anew"),
  /// The storage behind it could not do it now (C12a, R02, D07): of what is asked of storage, most
  /// drivers answer so whatever has happened, and the next try often succeeds.
  INTERNAL("mend what the message names; it is tried again by itself"),
  /// No code tells, and its words are those of one who was late, in another's way or could not be
  /// reached (N05, C12a, X04).
  UNTOLD("look at what the message names if it goes on; it is tried again by itself"),
  /// All else.
  OTHER("mend what the message names; it is tried again by itself");

  /// How long what may pass is nothing to worry about (XPL-30).
  private static final Duration USUAL = Duration.ofMinutes(5);

  private static final Set<String> OF_STORAGE =
      Set.of(
          Reasons.PROVISIONING_FAILED, Reasons.VOLUME_RESIZE_FAILED, Reasons.VOLUME_FAILED_DELETE);

  /// Words of what passes by itself. All other words may be those of a refusal, of which there is
  /// no list.
  private static final Pattern PASSING =
      Pattern.compile(
          "(?i)timed out|timeout expired|(?:i/o|handshake) timeout|client\\.timeout"
              + "|deadline exceeded|context canceled|connection (?:refused|reset)"
              + "|(?<![\\w/.-])busy(?![\\w/.-]?\\w)|try again|being deleted"
              + "|operation.* (?:in progress|pending|going on|already exists)"
              + "|(?<![\\w/.-])conflict(?! with|[\\w/.-]?\\w)"
              + "|please apply your changes to the latest version|object \"\"/\"\" not registered");

  /// Names that others gave say nothing.
  private static final Pattern QUOTED = Pattern.compile("\"[^\"\\s]*\"");

  private static final Pattern CODE = Pattern.compile("code = (\\w+)");

  private final String remedy;

  Cause(String remedy) {
    this.remedy = remedy;
  }

  /// @param reason of the event that tells it
  static Cause of(String reason, String message) {
    var cause = of(message);
    return cause == INTERNAL && !OF_STORAGE.contains(reason) ? OTHER : cause;
  }

  private static Cause of(String message) {
    var code = CODE.matcher(message);
    if (!code.find()) return passes(message) ? UNTOLD : OTHER;
    return switch (code.group(1)) {
      case "Unavailable", "DeadlineExceeded", "Aborted", "Canceled" -> LATE;
      case "ResourceExhausted" -> FULL;
      case "InvalidArgument", "OutOfRange", "Unimplemented" -> REFUSED;
      case "Internal", "Unknown" -> INTERNAL;
      case String _ -> OTHER;
    };
  }

  private static boolean passes(String message) {
    return PASSING.matcher(QUOTED.matcher(message).replaceAll("\"\"")).find();
  }

  String remedy() {
    return remedy;
  }

  /// @param began when it failed first
  Verdict verdict(Instant began, Instant now) {
    return switch (this) {
      case LATE, FULL, INTERNAL, UNTOLD ->
          now.isBefore(began.plus(USUAL)) ? Verdict.PROGRESS : Verdict.SLOW;
      case REFUSED, OTHER -> Verdict.BLOCKED;
    };
  }
}
