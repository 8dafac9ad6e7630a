package dev.berth.cli.terminal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Where the command prints. Colour only if a person reads it and has not asked for none
/// (NO_COLOR). Names and messages come from whoever may write objects: what would steer the
/// terminal is shown and not sent.
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

  /// Also the marks that turn the direction of writing: a line would read as another one.
  private static final Pattern STEERS =
      Pattern.compile(
          "[\\p{Cntrl}\\x{80}-\\x{9f}\\x{61c}\\x{200e}\\x{200f}\\x{202a}-\\x{202e}\\x{2066}-\\x{2069}"
              + "&&[^\\n\\t]]");

  /// The same, but for the tones of [#in].
  private static final Pattern STEERS_AND_IS_NO_TONE =
      Pattern.compile("(?!\\x{1b}\\[(0|2|31|32)m)" + STEERS.pattern());

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
    out.println(shown(text));
  }

  private String shown(String text) {
    return (colour ? STEERS_AND_IS_NO_TONE : STEERS)
        .matcher(text)
        .replaceAll(it -> "\\\\u%04x".formatted((int) it.group().charAt(0)));
  }

  /// In one line.
  private String cell(String text) {
    return shown(text).replace("\n", "\\n");
  }

  public String in(Tone tone, String text) {
    return colour && tone != Tone.PLAIN ? tone.code + text + "\u001b[0m" : text;
  }

  /// Prints rows in columns, three spaces apart, as kubectl does.
  public void table(List<List<String>> asked) {
    var rows = asked.stream().map(row -> row.stream().map(this::cell).toList()).toList();
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
