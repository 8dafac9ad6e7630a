package dev.berth.cli.stack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/// How the lines of a log look.
public enum LogFormat {
  /// A line each for people; a failure's trace follows it.
  TEXT("text") {
    @Override
    String line(LogRecord entry, String message) {
      return "%s %s %s: %s\n%s"
          .formatted(
              TIME.format(entry.getInstant()),
              entry.getLevel().getName(),
              entry.getLoggerName(),
              message,
              trace(entry).orElse(""));
    }
  },

  /// An object each, with the keys of Kubernetes' own JSON logs: `ts` in milliseconds, `caller`,
  /// `msg`, and `v`, which what went wrong has not.
  JSON("json") {
    @Override
    String line(LogRecord entry, String message) {
      var line = JsonNodeFactory.instance.objectNode();
      line.put("ts", millis(entry.getInstant())).put("caller", entry.getLoggerName());
      line.put("msg", message);
      int level = entry.getLevel().intValue();
      if (level < Level.SEVERE.intValue())
        line.put("v", level < Level.INFO.intValue() ? DECISIONS : 0);
      trace(entry).ifPresent(trace -> line.put("err", trace));
      return line + "\n";
    }
  };

  static final int DECISIONS = 4;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final String title;

  LogFormat(String title) {
    this.title = title;
  }

  /// As `--logging-format` names it; empty: there is no such format.
  public static Optional<LogFormat> of(String title) {
    for (var each : values()) if (each.title.equals(title)) return Optional.of(each);
    return Optional.empty();
  }

  abstract String line(LogRecord entry, String message);

  Formatter formatter() {
    return new Formatter() {
      @Override
      public String format(LogRecord entry) {
        return line(entry, formatMessage(entry));
      }
    };
  }

  private static BigDecimal millis(Instant moment) {
    return BigDecimal.valueOf(moment.getEpochSecond() * 1_000_000 + moment.getNano() / 1_000, 3);
  }

  private static Optional<String> trace(LogRecord entry) {
    if (entry.getThrown() == null) return Optional.empty();
    var trace = new StringWriter();
    entry.getThrown().printStackTrace(new PrintWriter(trace));
    return Optional.of(trace.toString());
  }
}
