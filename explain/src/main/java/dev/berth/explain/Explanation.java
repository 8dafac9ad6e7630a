package dev.berth.explain;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Outlook;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.List;

/// Why an object is where it is.
///
/// @param chain from the object down to what blocks; empty: nothing waits
/// @param warnings of what nothing waits for, and what should be known before it is too late
/// @param gaps what was looked for and may not be read: the answer may be another with it
/// @param reports what events tell, where nothing better does
/// @param at when that was so
public record Explanation(
    Ref subject,
    List<Link> chain,
    List<Notice> warnings,
    List<Gap> gaps,
    List<Report> reports,
    Instant at) {
  public Explanation {
    chain = List.copyOf(chain);
    warnings = List.copyOf(warnings);
    gaps = List.copyOf(gaps);
    reports = List.copyOf(reports);
  }

  /// How bad it is, and with which exit code the command ends (XPL-04).
  public enum Verdict {
    /// Nothing waits.
    CLEAR(0),
    /// What it waits for, if anything, may not be read.
    UNREADABLE(3),
    /// It goes on by itself.
    PROGRESS(10),
    /// It may still go on by itself, and should have by now.
    SLOW(11),
    /// It ends only by somebody's act.
    BLOCKED(12),
    /// It ends only by somebody's act, and the obvious act can lose data.
    DANGER(13);

    private final int exitCode;

    Verdict(int exitCode) {
      this.exitCode = exitCode;
    }

    public int exitCode() {
      return exitCode;
    }
  }

  public Verdict verdict() {
    if (chain.isEmpty()) return Verdict.CLEAR;
    return switch (chain.getLast()) {
      case Link.Acts _ -> Verdict.PROGRESS;
      case Link.Blind _ -> Verdict.UNREADABLE;
      case Link.Fails(_, _, _, var last) -> last.verdict();
      case Link.Waits(_, _, var step) -> verdict(step);
    };
  }

  private Verdict verdict(Wait step) {
    return switch (step.outlook()) {
      case Outlook.Endangers _ -> Verdict.DANGER;
      case Outlook.Lasts _ -> Verdict.BLOCKED;
      case Outlook.Passes(var usual) -> {
        var end = usual.flatMap(longest -> step.since().map(began -> began.plus(longest)));
        yield end.filter(at::isAfter).isPresent() ? Verdict.SLOW : Verdict.PROGRESS;
      }
    };
  }
}
