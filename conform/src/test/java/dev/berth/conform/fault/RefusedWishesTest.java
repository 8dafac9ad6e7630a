package dev.berth.conform.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.conform.Conformance;
import dev.berth.conform.DiskUnderTest;
import dev.berth.conform.check.Result;
import dev.berth.conform.report.Listener;
import dev.berth.conform.report.Report;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.Settings.Maps;
import dev.berth.conform.trial.Settings.Shape;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Parameters and file systems that the driver does not know are its user's mistake, and are told
/// as that.
class RefusedWishesTest {
  private static final Shape EXT5 =
      new Shape(Shape.USUAL.access(), "ext5", Shape.USUAL.size(), Shape.USUAL.grownSize());

  private final List<Result> told = new ArrayList<>();

  @Test
  void wrongParametersEndTheRunInTheDriversWords() throws IOException {
    try (var disk = DiskUnderTest.start();
        var driver = new FaultyDriver(disk, Call::pass)) {
      assertThatThrownBy(() -> run(disk, driver, Shape.USUAL, Map.of("foo", "bar")))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the driver refuses your parameters: ")
          .hasMessageContaining("foo")
          .hasMessageEndingWith("; mend --parameter");
      assertThat(told).extracting(it -> it.check().id()).containsExactly("identity.name");
      assertThat(disk.images()).isEmpty();
      assertThat(disk.foldersOfRuns()).isEmpty();
    }
  }

  @Test
  void aWrongFileSystemDoesToo() throws IOException {
    try (var disk = DiskUnderTest.start();
        var driver = new FaultyDriver(disk, Call::pass)) {
      assertThatThrownBy(() -> run(disk, driver, EXT5, Map.of("allocation", "thin")))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the driver refuses file system type ext5: ")
          .hasMessageEndingWith("; mend --fs-type");
      assertThat(disk.images()).isEmpty();
    }
  }

  @Test
  void aDriverThatRefusesEveryVolumeFails() throws IOException {
    try (var disk = DiskUnderTest.start();
        var driver =
            new FaultyDriver(disk, Fault.refusing(Rpcs.CREATE_VOLUME, Code.INVALID_ARGUMENT))) {
      assertThat(run(disk, driver, Shape.USUAL, Map.of("allocation", "thin")).failed())
          .isEqualTo(2);
    }
  }

  private Report run(
      DiskUnderTest disk, FaultyDriver driver, Shape shape, Map<String, String> parameters)
      throws IOException {
    var settings =
        disk.settings(shape, driver.socket(), Optional.empty())
            .with(new Maps(parameters, Map.of(), Map.of(), Map.of()));
    var listener =
        new Listener() {
          @Override
          public void done(Result result) {
            told.add(result);
          }
        };
    return new Conformance(settings, listener)
        .run(Conformance.checks(List.of("identity.name", "volume.created", "node-publish.again")));
  }
}
