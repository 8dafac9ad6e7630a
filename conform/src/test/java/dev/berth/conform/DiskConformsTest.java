package dev.berth.conform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.conform.check.Outcome;
import dev.berth.conform.check.Result;
import dev.berth.conform.report.Listener;
import dev.berth.conform.report.Report;
import dev.berth.conform.report.TextReport;
import dev.berth.conform.report.TextReport.Progress;
import dev.berth.conform.trial.Access;
import dev.berth.conform.trial.Settings.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Our own driver passes every check, but for those that say nothing about it.
class DiskConformsTest {
  private static final Map<String, String> NOTHING_TO_ASK =
      Map.of(
          "capability.controller-only", "every capability is advertised",
          "capability.node-only", "every capability is advertised",
          "publish.readonly-unsupported", "PUBLISH_READONLY is advertised",
          "expand.offline", "VolumeExpansion OFFLINE is not advertised");

  @Test
  void itPassesWithMounts() throws IOException {
    passes(Shape.USUAL, Map.of("node-expand.online", "the file system does not grow in use"));
  }

  @Test
  void itPassesWithBlocks() throws IOException {
    passes(
        Shape.USUAL.with(Access.BLOCK),
        Map.of(
            "secret.mount-flags", "block volumes have no mount flags",
            "node-publish.mount-group", "block volumes have no files"));
  }

  @Test
  void itPassesWithAFileSystemThatGrowsInUse() throws IOException {
    var size = 512L << 20; // mkfs.xfs makes nothing below 300 MiB
    passes(new Shape(Access.MOUNT, "xfs", size, 2 * size), Map.of());
  }

  private static void passes(Shape shape, Map<String, String> alsoSkipped) throws IOException {
    try (var disk = DiskUnderTest.start()) {
      var told = new ByteArrayOutputStream();
      var report = new Conformance(disk.settings(shape), text(told)).run(Conformance.checks());
      assertThat(report.allWell()).as(told.toString(StandardCharsets.UTF_8)).isTrue();
      assertThat(skipped(report))
          .allSatisfy((id, reason) ->
              assertThat(reason)
                  .contains(NOTHING_TO_ASK.getOrDefault(id, alsoSkipped.getOrDefault(id, "?"))));
      assertThat(disk.mounts()).isEmpty();
      assertThat(disk.images()).isEmpty();
      assertThat(disk.foldersOfRuns()).isEmpty();
    }
  }

  private static Listener text(ByteArrayOutputStream told) {
    return new TextReport(
        new PrintStream(told, true, StandardCharsets.UTF_8),
        (_, words) -> words,
        Progress.NOT_SHOWN);
  }

  private static Map<String, String> skipped(Report report) {
    return report.results().stream()
        .filter(it -> it.outcome() instanceof Outcome.Skipped)
        .collect(Collectors.toMap(it -> it.check().id(), DiskConformsTest::reason));
  }

  private static String reason(Result result) {
    return result.outcome() instanceof Outcome.Skipped(var reason) ? reason : "";
  }
}
