package dev.berth.conform.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.conform.Conformance;
import dev.berth.conform.DiskUnderTest;
import dev.berth.conform.check.Check;
import dev.berth.conform.check.Outcome;
import dev.berth.conform.report.Listener;
import dev.berth.conform.trial.Settings.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every check fails on a driver that is wrong in just what it is about. That it passes on the
/// right one is held by `DiskConformsTest`.
class FaultsTest {
  static final List<Row> rows =
      Stream.of(
              MissingRefusals.rows(),
              WrongSelf.rows(),
              WrongVolumes.rows(),
              WrongCopies.rows(),
              WrongPlaces.rows(),
              WrongHealths.rows(),
              WrongWords.rows(),
              WrongTimes.rows())
          .flatMap(List::stream)
          .toList();

  @ParameterizedTest(name = "{0}")
  @FieldSource("rows")
  void aFaultIsFound(Row row) throws IOException {
    try (var disk = DiskUnderTest.start();
        var driver = new FaultyDriver(disk, row.fault())) {
      var log = Files.createFile(disk.folder().resolve(WrongWords.LOG));
      var settings = disk.settings(Shape.USUAL, driver.socket(), Optional.of(log));
      var report =
          new Conformance(settings, new Listener() {})
              .run(Conformance.checks(List.of(row.check())));
      assertThat(report.results()).hasSize(1);
      assertThat(report.results().getFirst().outcome()).isInstanceOf(Outcome.Failed.class);
    }
  }

  @Test
  void everyCheckHasAFault() {
    assertThat(rows.stream().map(Row::check).distinct())
        .containsExactlyInAnyOrderElementsOf(Conformance.checks().stream().map(Check::id).toList());
  }
}
