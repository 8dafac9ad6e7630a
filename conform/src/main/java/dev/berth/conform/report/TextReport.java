package dev.berth.conform.report;

import dev.berth.conform.check.Check;
import dev.berth.conform.check.Outcome;
import dev.berth.conform.check.Result;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Tells a run to a person, check by check as they are made. Those that were skipped come at the
/// end of their subject, a line for each reason: a driver may lack what a hundred checks are about.
public final class TextReport implements Listener {
  /// What a word means; how it looks is the terminal's business.
  public enum Tone {
    GOOD,
    BAD,
    FAINT
  }

  /// Gives words their look.
  @FunctionalInterface
  public interface Paint {
    String paint(Tone tone, String words);
  }

  /// Whether a person watches, to whom progress is shown that then goes away.
  public enum Progress {
    SHOWN,
    NOT_SHOWN
  }

  private static final int LONGEST = 600;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintStream out;
  private final Paint paint;
  private final Progress progress;

  /// The skipped checks of the subject, by their reasons.
  private final Map<String, List<Result>> skipped = new LinkedHashMap<>();

  private String subject = "";
  private int count;
  private int all;

  public TextReport(PrintStream out, Paint paint, Progress progress) {
    this.out = out;
    this.paint = paint;
    this.progress = progress;
  }

  @Override
  public void begins(String driver, int checks) {
    all = checks;
    out.println(driver + ": " + checks + " checks");
  }

  @Override
  public void begins(Check check) {
    count++;
    if (progress == Progress.NOT_SHOWN) return;
    out.print(paint.paint(Tone.FAINT, "%d of %d: %s".formatted(count, all, check.id())));
    out.flush();
  }

  @Override
  public void done(Result result) {
    if (progress == Progress.SHOWN) out.print(CLEAR_LINE);
    var check = result.check();
    if (!check.subject().equals(subject)) {
      tellSkipped();
      subject = check.subject();
      out.println(subject);
    }
    switch (result.outcome()) {
      case Outcome.Passed _ -> line(Tone.GOOD, "ok  ", check);
      case Outcome.Skipped(var reason) -> {
        skipped.computeIfAbsent(reason, _ -> new ArrayList<>()).add(result);
        return;
      }
      case Outcome.Failed failed -> {
        line(Tone.BAD, "FAIL", check);
        tell(check, failed);
      }
    }
    result.left().forEach(left -> detail("left", left));
  }

  private void tellSkipped() {
    skipped.forEach((reason, results) -> {
      out.printf(
          "  %s  %d because %s: %s%n",
          paint.paint(Tone.FAINT, "skip"),
          results.size(),
          onOneLine(reason),
          results.stream().map(it -> it.check().id()).collect(Collectors.joining(", ")));
      for (var result : results) result.left().forEach(left -> detail("left", left));
    });
    skipped.clear();
  }

  private void line(Tone tone, String word, Check check) {
    out.printf("  %s  %-30s %s%n", paint.paint(tone, word), check.id(), check.title());
  }

  private void tell(Check check, Outcome.Failed failed) {
    for (var exchange : failed.exchanges()) {
      detail("sent", exchange.rpc() + " " + exchange.sent());
      detail("answered", exchange.answered());
    }
    detail("expected", failed.expected());
    detail("but", failed.found());
    detail("rule", check.rule());
    detail("remedy", check.remedy());
  }

  private void detail(String what, String words) {
    out.printf(
        "        %s %s%n", paint.paint(Tone.FAINT, "%-9s".formatted(what)), onOneLine(words));
  }

  private static String onOneLine(String words) {
    var line = words.replace('\n', ' ').strip();
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
  }

  @Override
  public void ends(Report report) {
    tellSkipped();
    out.println();
    report.left().forEach(left -> out.println(paint.paint(Tone.BAD, "left behind: ") + left));
    out.println(
        paint.paint(
                report.allWell() ? Tone.GOOD : Tone.BAD,
                "%d passed, %d failed, %d skipped"
                    .formatted(report.passed(), report.failed(), report.skipped()))
            + " in %s s".formatted(Report.seconds(report.took())));
  }
}
