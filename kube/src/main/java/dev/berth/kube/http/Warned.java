package dev.berth.kube.http;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What servers warn of in answers (API-21): told once each, since a loop that sends the same
/// request all day is warned all day.
final class Warned {
  private static final Logger log = LoggerFactory.getLogger(Warned.class);

  /// How many different texts are remembered; a server that has more of them is told no longer.
  private static final int MOST = 1000;

  /// `299 - "text"`, perhaps with a date behind it; a header may hold several.
  private static final Pattern WARNING =
      Pattern.compile("\\b(\\d{3}) \\S+ \"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"(?: \"[^\"]*+\")?");

  /// The code of what is meant for whoever asked; others are about caches on the way.
  private static final String LASTING = "299";

  private final Consumer<String> teller;
  private final Set<String> told = new HashSet<>();

  Warned(Consumer<String> teller) {
    this.teller = teller;
  }

  /// For programs that nobody sits in front of.
  static Warned intoLog() {
    return new Warned(text -> log.warn("the API server warns: {}", text));
  }

  void hear(List<String> headers) {
    for (var header : headers) {
      var each = WARNING.matcher(header);
      while (each.find()) if (each.group(1).equals(LASTING)) tell(words(each.group(2)));
    }
  }

  /// Without the quotes' escapes, and without what a terminal would take for a command.
  private static String words(String quoted) {
    return quoted.replaceAll("\\\\(.)", "$1").replaceAll("\\p{Cntrl}", "");
  }

  private void tell(String text) {
    synchronized (told) {
      if (told.size() >= MOST || !told.add(text)) return;
    }
    teller.accept(text);
  }
}
