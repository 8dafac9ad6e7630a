package dev.berth.conform;

import dev.berth.conform.check.Check;
import dev.berth.conform.check.Outcome;
import dev.berth.conform.check.Result;
import dev.berth.conform.report.Listener;
import dev.berth.conform.report.Report;
import dev.berth.conform.subject.Subjects;
import dev.berth.conform.trial.Advertised;
import dev.berth.conform.trial.DeviationException;
import dev.berth.conform.trial.Line;
import dev.berth.conform.trial.Settings;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.StoppedException;
import dev.berth.conform.trial.Trial;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Asks a driver all that the specification asks of it, one check after the other.
public final class Conformance {
  private final Settings settings;
  private final Listener listener;
  private final Wishes wishes = new Wishes();

  /// The check whose things are to be taken back if the run is cut short.
  private final AtomicReference<@Nullable Trial> current = new AtomicReference<>();

  private volatile boolean stopping;

  public Conformance(Settings settings, Listener listener) {
    this.settings = settings;
    this.listener = listener;
  }

  /// All the checks there are.
  public static List<Check> checks() {
    return Subjects.all();
  }

  /// Those of the checks that are asked for.
  ///
  /// @param names ids or subjects; none: all checks
  /// @throws IllegalArgumentException if there is no such check
  public static List<Check> checks(List<String> names) {
    var all = checks();
    if (names.isEmpty()) return all;
    for (var name : names)
      if (all.stream().noneMatch(check -> isMeant(check, name)))
        throw new IllegalArgumentException(
            "there is no check or subject %s; --list shows them".formatted(name));
    return all.stream()
        .filter(check -> names.stream().anyMatch(name -> isMeant(check, name)))
        .toList();
  }

  private static boolean isMeant(Check check, String name) {
    return check.id().equals(name) || check.subject().equals(name);
  }

  /// Makes the checks. What each made is taken back before the next begins, and at the latest when
  /// the process is told to end.
  ///
  /// @throws IOException if the run cannot begin or says nothing: nobody answers, there is no place
  ///   for folders, or the driver refuses the parameters or the file system for its volumes
  public Report run(List<Check> checks) throws IOException {
    var begun = Instant.now();
    var folder = Files.createTempDirectory(settings.folder(), "berth-conform-");
    try (var line = new Line(settings)) {
      var advertised = Advertised.read(line, settings);
      listener.begins(advertised.driver(), checks.size());
      var results = results(checks, advertised, line, folder);
      var report = new Report(advertised.driver(), results, Duration.between(begun, Instant.now()));
      listener.ends(report);
      return report;
    } finally {
      removeIfEmpty(folder);
    }
  }

  private List<Result> results(List<Check> checks, Advertised advertised, Line line, Path folder)
      throws IOException {
    var hook = new Thread(() -> cutShort(folder), "conform-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      var results = new ArrayList<Result>();
      var gone = Optional.<Check>empty();
      for (var check : checks) {
        if (stopping) break;
        listener.begins(check);
        var result =
            gone.isPresent()
                ? skipped(check, "the driver went away during " + gone.get().id())
                : result(check, new Trial(settings, advertised, line, folder), line);
        if (gone.isEmpty() && !line.isServed()) gone = Optional.of(check);
        results.add(result);
        listener.done(result);
      }
      return results;
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException _) {
        // The process is ending, and the hook at work.
      }
    }
  }

  private static Result skipped(Check check, String reason) {
    return new Result(check, new Outcome.Skipped(reason), Duration.ZERO, List.of());
  }

  private Result result(Check check, Trial trial, Line line) throws IOException {
    var begun = Instant.now();
    current.set(trial);
    var outcome = outcome(check, trial);
    var refusal =
        outcome instanceof Outcome.Failed
            ? wishes.refusal(trial)
            : Optional.<Wishes.Refused>empty();
    // Crashed perhaps, and somebody may start it again.
    if (!line.isServed())
      outcome =
          new Outcome.Failed(
              "a driver that goes on",
              line.comesBack() ? "it went away, and came back" : "it went away",
              trial.exchanges());
    var left = line.isServed() ? trial.cleanUp() : trial.leaveBehind();
    current.set(null);
    if (refusal.isPresent()) throw new IOException(refused(refusal.get(), left));
    return new Result(check, outcome, Duration.between(begun, Instant.now()), left);
  }

  private static String refused(Wishes.Refused refused, List<String> left) {
    return "the driver refuses %s: %s; mend %s%s"
        .formatted(
            refused.what(),
            refused.words(),
            refused.option(),
            left.isEmpty() ? "" : "; left behind: " + String.join("; ", left));
  }

  private static Outcome outcome(Check check, Trial trial) {
    try {
      for (var ability : check.needs()) trial.needs(ability);
      check.body().ask(trial);
      return new Outcome.Passed();
    } catch (SkipException skipped) {
      return new Outcome.Skipped(skipped.reason());
    } catch (DeviationException wrong) {
      return new Outcome.Failed(wrong.expected(), wrong.found(), trial.exchanges());
    } catch (IOException broken) {
      return new Outcome.Failed(
          "a volume whose files can be used", broken.toString(), trial.exchanges());
    } catch (StoppedException stopped) {
      return new Outcome.Skipped("the run was stopped");
    }
  }

  /// Ctrl-C: the check at work begins nothing new, and its things go.
  private void cutShort(Path folder) {
    stopping = true;
    var trial = current.get();
    if (trial == null) return;
    trial.stop();
    trial.cleanUp().forEach(left -> System.err.println("berth conform: left behind: " + left));
    try {
      removeIfEmpty(folder);
    } catch (IOException e) {
      System.err.println("berth conform: left behind: " + e.getMessage());
    }
  }

  private static void removeIfEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException kept) {
      // What is in it was reported with the check that left it.
    }
  }
}
