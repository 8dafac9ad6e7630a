package dev.berth.apiserver.core.custom.rule;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;

/// Reads patterns of texts, in RE2 as upstream: other languages have some that take for ever to
/// match (API-122).
public final class Patterns {
  /// As in Go; the library itself writes out `((a{1000}){1000}){1000}`.
  private static final int MOST_REPETITIONS = 1000;

  private static final Pattern COUNTS = Pattern.compile("^\\{([0-9]{1,9})(,([0-9]{0,9}))?\\}");

  private Patterns() {}

  /// @throws PatternSyntaxException if it cannot be read
  public static Pattern of(String text) {
    if (repetitions(text) > MOST_REPETITIONS)
      throw new PatternSyntaxException("invalid repeat count", text);
    return Pattern.compile(text);
  }

  /// How often the innermost part is repeated.
  private static long repetitions(String text) {
    var around = new ArrayDeque<Long>();
    long here = 1;
    long last = 1;
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      int next = next(text, at);
      var counts = COUNTS.matcher(text.substring(at, Math.min(text.length(), at + 24)));
      if (c == '(') {
        around.push(here);
        here = 1;
      } else if (c == ')' && !around.isEmpty()) {
        last = here;
        here = Math.max(here, around.pop());
      } else if (c == '{' && counts.find()) {
        var most = counts.group(3);
        last *= Long.parseLong(most == null || most.isEmpty() ? counts.group(1) : most);
        here = Math.max(here, last);
        next = at + counts.end();
      } else {
        last = 1;
      }
      at = next;
      if (here > MOST_REPETITIONS) return here;
    }
    return here;
  }

  /// After an escape, a quotation, a class or a character.
  private static int next(String text, int at) {
    if (text.startsWith("\\Q", at)) {
      int end = text.indexOf("\\E", at);
      return end < 0 ? text.length() : end + 2;
    }
    if (text.charAt(at) == '\\') return at + 2;
    if (text.charAt(at) != '[') return at + 1;
    int end = at + (text.startsWith("[^", at) ? 3 : 2);
    while (end < text.length() && text.charAt(end) != ']') end += text.charAt(end) == '\\' ? 2 : 1;
    return end + 1;
  }
}
