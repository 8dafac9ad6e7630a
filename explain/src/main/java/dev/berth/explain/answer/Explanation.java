package dev.berth.explain.answer;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Outlook;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Ref;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Why an object is where it is.
///
/// @param chain from the object down to what blocks; empty: nothing waits
/// @param states of explain.md, one for each link
/// @param stage in which row of the life cycle it is, L01 to L20; empty: in none
/// @param near volumes or nodes that would do but for one thing, in sentences (XPL-09)
/// @param others why other volumes of a pod are not there, or not as they should be (XPL-02)
/// @param warnings of what nothing waits for, and what should be known before it is too late
/// @param notes of what nothing waits for, and what explains something
/// @param gaps what was looked for and may not be read: the answer may be another with it
/// @param reports what events tell, where nothing better does
/// @param at when that was so
public record Explanation(
    Ref subject,
    List<Link> chain,
    List<String> states,
    Optional<String> stage,
    List<String> near,
    List<Explanation> others,
    List<Notice> warnings,
    List<Note> notes,
    List<Gap> gaps,
    List<Report> reports,
    Instant at) {
  public Explanation {
    chain = List.copyOf(chain);
    states = List.copyOf(states);
    near = List.copyOf(near);
    others = List.copyOf(others);
    if (states.size() != chain.size())
      throw new IllegalArgumentException(states.size() + " states for " + chain.size() + " links");
    warnings = List.copyOf(warnings);
    notes = List.copyOf(notes);
    gaps = List.copyOf(gaps);
    reports = List.copyOf(reports);
  }

  private static final Duration JUST_CREATED = Duration.ofSeconds(2);

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

  /// Of the object and of all that its pod waits for beside.
  public Verdict verdict() {
    return Stream.concat(Stream.of(own()), others.stream().map(Explanation::verdict))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /// This chain with another link before it.
  public Explanation after(Link link, String state) {
    return new Explanation(
        subject,
        Stream.concat(Stream.of(link), chain.stream()).toList(),
        Stream.concat(Stream.of(state), states.stream()).toList(),
        stage,
        near,
        others,
        warnings,
        notes,
        gaps,
        reports,
        at);
  }

  /// This chain as what is first to be told of an object.
  public Explanation of(
      Ref whom,
      Optional<String> row,
      List<Explanation> beside,
      List<Notice> beforeTooLate,
      List<Note> known,
      List<Gap> unseen) {
    return new Explanation(
        whom, chain, states, row, near, beside, beforeTooLate, known, unseen, reports, at);
  }

  /// Of this chain alone.
  public Verdict own() {
    return chain.isEmpty() ? Verdict.CLEAR : verdict(chain.getLast());
  }

  /// The state that blocks; empty: nothing waits.
  public Optional<String> state() {
    return states.isEmpty()
        ? others.stream().flatMap(other -> other.state().stream()).findFirst()
        : Optional.of(states.getLast());
  }

  Verdict verdict(Link link) {
    return switch (link) {
      case Link.Acts _ -> Verdict.PROGRESS;
      case Link.Blind _ -> Verdict.UNREADABLE;
      case Link.Fails(_, _, _, var last) -> last.verdict();
      case Link.Waits(_, _, var step) -> verdict(step);
    };
  }

  private Verdict verdict(Wait step) {
    return switch (step.outlook()) {
      case Outlook.Endangers _ -> Verdict.DANGER;
      case Outlook.Lasts _ -> isNew(step) ? Verdict.PROGRESS : Verdict.BLOCKED;
      case Outlook.Passes(var usual) -> {
        var end = usual.flatMap(longest -> step.since().map(began -> began.plus(longest)));
        yield end.filter(at::isAfter).isPresent() ? Verdict.SLOW : Verdict.PROGRESS;
      }
    };
  }

  /// What is created together comes in some order, which is no reason to worry (XPL-32).
  private boolean isNew(Wait step) {
    return step.since().filter(began -> at.isBefore(began.plus(JUST_CREATED))).isPresent();
  }
}
