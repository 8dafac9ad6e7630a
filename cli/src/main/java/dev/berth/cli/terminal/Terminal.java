package dev.berth.cli.terminal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Where the command prints. Colour only if a person reads it and has not asked for none
/// (NO_COLOR).
public final class Terminal {
  /// What a piece of text means; how it looks is the terminal's business.
  public enum Tone {
    PLAIN(""),
    GOOD("\u001b[32m"),
    BAD("\u001b[31m"),
    FAINT("\u001b[2m");

    private final String code;

    Tone(String code) {
      this.code = code;
    }
  }

  private final PrintStream out;
  private final boolean colour;

  public Terminal(PrintStream out, boolean colour) {
    this.out = out;
    this.colour = colour;
  }

  /// The process's standard output.
  public static Terminal standard() {
    return new Terminal(System.out, person() && System.getenv("NO_COLOR") == null);
  }

  /// Whether a person reads what the process prints.
  @SuppressWarnings("SystemConsoleNull") // it is null again in 25 where there is no terminal
  public static boolean person() {
    var console = System.console();
    return console != null && console.isTerminal();
  }

  public void line(String text) {
    out.println(text);
  }

  public String in(Tone tone, String text) {
    return colour && tone != Tone.PLAIN ? tone.code + text + "\u001b[0m" : text;
  }

  /// Prints rows in columns, three spaces apart, as kubectl does.
  public void table(List<List<String>> rows) {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    var widths = new int[columns];
    for (var row : rows)
      for (int column = 0; column < row.size(); column++)
        widths[column] = Math.max(widths[column], row.get(column).length());
    for (var row : rows) {
      var line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        var cell = row.get(column);
        line.append(cell);
        if (column < row.size() - 1) line.repeat(' ', widths[column] - cell.length() + 3);
      }
      out.println(line.toString().stripTrailing());
    }
  }

  /// `41 ms`, `1.2 s`, `4 m 10 s`.
  public static String text(Duration duration) {
    if (duration.toMillis() < 1000) return duration.toMillis() + " ms";
    if (duration.toSeconds() < 60)
      return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    if (duration.toMinutes() < 60)
      return duration.toMinutes() + " m " + duration.toSecondsPart() + " s";
    return duration.toHours() + " h " + duration.toMinutesPart() + " m";
  }
}
