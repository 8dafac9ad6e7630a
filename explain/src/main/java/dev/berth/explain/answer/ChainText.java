package dev.berth.explain.answer;

import dev.berth.kube.loop.Outlook;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Ref;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// An explanation as people read it; [ChainJson] is for programs.
public final class ChainText {
  private static final Pattern BREAK = Pattern.compile("\\s*\\R\\s*");

  private ChainText() {}

  /// One line a link, the last with where to look and what to do.
  public static List<String> lines(Explanation explanation, Instant now) {
    var lines = new ArrayList<String>();
    if (explanation.chain().isEmpty()) lines.add(explanation.subject() + ": nothing waits");
    else lines.addAll(chain(explanation, now));
    for (var other : explanation.others()) {
      lines.add("And beside it:");
      lines.addAll(chain(other, now));
    }
    for (var warning : explanation.warnings())
      lines.add("Danger: " + warning.about() + ": " + warning.message());
    for (var note : explanation.notes())
      lines.add("Note: " + note.sentence() + " (" + note.state() + ")");
    lines.addAll(unseen(explanation.gaps()));
    lines.replaceAll(ChainText::inOneLine);
    return lines;
  }

  /// Messages are what anybody has written: a line of theirs must not pass for one of the answer's.
  private static String inOneLine(String line) {
    return BREAK.matcher(line).replaceAll(" ⏎ ");
  }

  /// What may not be read, and the rights for it.
  public static List<String> unseen(List<Gap> gaps) {
    if (gaps.isEmpty()) return List.of();
    var kinds =
        gaps.stream()
            .map(gap ->
                gap.resource().groupResource()
                    + (gap.extent() == Gap.Extent.ELSEWHERE ? " of other namespaces" : ""))
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return List.of(
        "May not be read, and could change the answer: " + kinds, "Rights: " + Gap.remedy(gaps));
  }

  private static List<String> chain(Explanation explanation, Instant now) {
    var lines = new ArrayList<String>();
    int depth = 0;
    for (var link : explanation.chain()) {
      var indent = depth == 0 ? "" : "  ".repeat(depth - 1) + "└ ";
      lines.add(indent + sentence(link, now));
      depth++;
    }
    var indent = "  ".repeat(depth - 1);
    lines.addAll(below(indent, explanation.chain().getLast(), now));
    for (var near : explanation.near()) lines.add(indent + near);
    lines.add(indent + state(explanation));
    for (var report : explanation.reports())
      lines.add(
          indent
              + "Reported %s ago by %s: %s: %s"
                  .formatted(
                      age(Duration.between(report.at(), now)),
                      report.component(),
                      report.reason(),
                      report.message()));
    return lines;
  }

  /// By which it can be found in explain.md, and how bad it is.
  private static String state(Explanation explanation) {
    return "State: %s, %s"
        .formatted(
            explanation.state().orElse(States.UNKNOWN),
            explanation.own().name().toLowerCase(Locale.ROOT));
  }

  private static String sentence(Link link, Instant now) {
    return switch (link) {
      case Link.Waits(var subject, _, var wait) ->
          subject + " waits until " + wait.until() + since(wait.since(), now);
      case Link.Acts(var subject, var component, var effect) ->
          subject + ": the " + component + " is at it (" + words(effect) + ")";
      case Link.Fails(var subject, var component, var again, var last) ->
          again
                  .map(effect ->
                      "%s: the %s fails and tries again (%s): "
                          .formatted(subject, component, words(effect)))
                  .orElse(subject + " has failed: ")
              + last.message()
              + since(last.since(), now);
      case Link.Blind(var subject, var component, var gaps) ->
          "%s: what the %s waits for cannot be told without %s"
              .formatted(
                  subject,
                  component,
                  gaps.stream()
                      .map(gap -> gap.resource().groupResource())
                      .distinct()
                      .sorted()
                      .collect(Collectors.joining(", ")));
    };
  }

  /// Where it stands, and what to do.
  private static List<String> below(String indent, Link link, Instant now) {
    return switch (link) {
      case Link.Acts _, Link.Blind _ -> List.of();
      case Link.Waits(_, var component, var wait) ->
          below(
              indent,
              where(wait.on(), wait.field()),
              component,
              Stream.concat(bound(wait).stream(), next(wait, now).stream()),
              check(wait),
              wait.remedy());
      case Link.Fails(_, var component, _, var last) ->
          below(
              indent,
              where(last.on(), last.field())
                  + last.reported()
                      .map(at -> ", reported " + age(Duration.between(at, now)) + " ago")
                      .orElse(""),
              component,
              Stream.empty(),
              Optional.empty(),
              Optional.of(last.remedy()));
    };
  }

  private static List<String> below(
      String indent,
      String where,
      String component,
      Stream<String> deadlines,
      Optional<String> check,
      Optional<String> remedy) {
    return Stream.of(
            Stream.of(where + " (says the " + component + ")"),
            deadlines,
            check.map(first -> "Danger: " + first).stream(),
            remedy.map(whatToDo -> "What to do: " + whatToDo).stream())
        .flatMap(Function.identity())
        .map(line -> indent + line)
        .toList();
  }

  /// How long it lasts where all is well (XPL-30).
  private static Optional<String> bound(Wait wait) {
    return usual(wait).map(longest -> "Usual: at most " + age(longest));
  }

  static Optional<Duration> usual(Wait wait) {
    return wait.outlook() instanceof Outlook.Passes(var usual) ? usual : Optional.empty();
  }

  /// When it is decided anew though nothing has changed (XPL-07).
  private static Optional<String> next(Wait wait, Instant now) {
    return wait.again()
        .filter(now::isBefore)
        .map(at -> "Next: decided anew in " + age(Duration.between(now, at)) + ", at " + at);
  }

  static Optional<String> check(Wait wait) {
    return wait.outlook() instanceof Outlook.Endangers(var first)
        ? Optional.of(first)
        : Optional.empty();
  }

  private static String where(Ref on, String field) {
    return field.isEmpty() ? on.toString() : on + ", " + field;
  }

  private static String since(Optional<Instant> since, Instant now) {
    return since.map(began -> " (" + age(Duration.between(began, now)) + ")").orElse("");
  }

  public static String age(Duration age) {
    if (age.toSeconds() < 60) return Math.max(0, age.toSeconds()) + " s";
    if (age.toMinutes() < 60) return age.toMinutes() + " m " + age.toSecondsPart() + " s";
    if (age.toHours() < 24) return age.toHours() + " h " + age.toMinutesPart() + " m";
    return age.toDays() + " d " + age.toHoursPart() + " h";
  }

  /// An effect's name as words: `CreateVolume` becomes `create volume`.
  static String words(Object effect) {
    return effect
        .getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }
}
