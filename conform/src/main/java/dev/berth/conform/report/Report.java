package dev.berth.conform.report;

import dev.berth.conform.check.Outcome;
import dev.berth.conform.check.Result;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// What came of a run.
///
/// @param driver name and version
/// @param results in the order in which the checks were made
public record Report(String driver, List<Result> results, Duration took) {
  public Report {
    results = List.copyOf(results);
  }

  public long passed() {
    return results.stream().filter(it -> it.outcome() instanceof Outcome.Passed).count();
  }

  public long failed() {
    return results.stream().filter(Result::failed).count();
  }

  public long skipped() {
    return results.stream().filter(it -> it.outcome() instanceof Outcome.Skipped).count();
  }

  /// What could not be taken back, by the check that made it.
  public List<String> left() {
    return results.stream()
        .flatMap(result -> result.left().stream().map(it -> result.check().id() + ": " + it))
        .toList();
  }

  /// Nothing failed and nothing was left behind: a driver that leaks has not passed.
  public boolean allWell() {
    return failed() == 0 && left().isEmpty();
  }

  Map<String, List<Result>> bySubject() {
    return results.stream()
        .collect(
            Collectors.groupingBy(
                it -> it.check().subject(), LinkedHashMap::new, Collectors.toList()));
  }

  static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f", duration.toMillis() / 1000.0);
  }
}
