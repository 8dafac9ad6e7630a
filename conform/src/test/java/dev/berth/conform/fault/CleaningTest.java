package dev.berth.conform.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.conform.Conformance;
import dev.berth.conform.DiskUnderTest;
import dev.berth.conform.check.Result;
import dev.berth.conform.report.Listener;
import dev.berth.conform.report.Report;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.Settings;
import dev.berth.conform.trial.Settings.Shape;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Whatever happens, a run leaves nothing behind that the driver can take back.
class CleaningTest {

  @Test
  void whatAnAnswerWasLostOfIsTakenBackToo() throws IOException {
    var calls = new AtomicInteger();
    var losingTheFirst =
        Fault.in(
            Rpcs.CREATE_VOLUME,
            call -> {
              var answer = call.pass();
              if (calls.incrementAndGet() == 1) throw Fault.refusal(Code.UNAVAILABLE, "lost");
              return answer;
            });
    try (var disk = DiskUnderTest.start();
        var driver = new FaultyDriver(disk, losingTheFirst)) {
      var report = run(disk, driver, "volume.created");
      assertThat(report.failed()).isEqualTo(1);
      assertThat(report.left()).isEmpty();
      assertThat(disk.images()).isEmpty();
    }
  }

  @Test
  void aCheckThatFailsHalfWayIsTakenBack() throws IOException {
    var failing = Fault.refusing(Rpcs.NODE_PUBLISH_VOLUME, Code.INTERNAL);
    try (var disk = DiskUnderTest.start();
        var driver = new FaultyDriver(disk, failing)) {
      assertThat(run(disk, driver, "node-publish.again").failed()).isEqualTo(1);
      assertThat(disk.images()).isEmpty();
      assertThat(disk.mounts()).isEmpty();
      assertThat(disk.foldersOfRuns()).isEmpty();
    }
  }

  @Test
  void whatTheDriverDoesNotTakeBackIsTold() throws IOException {
    var keeping = Fault.refusing(Rpcs.DELETE_VOLUME, Code.INTERNAL);
    try (var disk = DiskUnderTest.start();
        var driver = new FaultyDriver(disk, keeping)) {
      var report = run(disk, driver, "volume.created");
      assertThat(report.failed()).isZero();
      assertThat(report.left()).singleElement().asString().contains("DeleteVolume", "INTERNAL");
      assertThat(report.allWell()).isFalse();
    }
  }

  @Test
  void aDriverThatGoesAwayEndsTheRun() throws IOException {
    try (var disk = DiskUnderTest.start();
        var driver = new FaultyDriver(disk, Call::pass)) {
      var settings = disk.settings(Shape.USUAL, driver.socket(), Optional.empty());
      var leaving =
          new Listener() {
            @Override
            public void done(Result result) {
              driver.stop();
            }
          };
      var checks = List.of("identity.name", "volume.created", "volume.distinct");
      var report = new Conformance(settings, leaving).run(Conformance.checks(checks));
      assertThat(report.results())
          .extracting(result -> result.outcome().getClass().getSimpleName())
          .containsExactly("Passed", "Failed", "Skipped");
    }
  }

  @Test
  void aRunThatIsToldToEndTakesItsThingsBack() throws Exception {
    try (var disk = DiskUnderTest.start()) {
      var run =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Run.class.getName(),
                  disk.socket().toString(),
                  disk.folder().toString())
              .inheritIO()
              .start();
      try {
        await().atMost(Duration.ofSeconds(60)).until(() -> !disk.mounts().isEmpty());
        run.destroy(); // SIGTERM; Ctrl-C comes the same way
        assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
      } finally {
        run.destroyForcibly();
      }
      assertThat(disk.mounts()).isEmpty();
      assertThat(disk.images()).isEmpty();
      assertThat(disk.foldersOfRuns()).isEmpty();
    }
  }

  private static Report run(DiskUnderTest disk, FaultyDriver driver, String check)
      throws IOException {
    var settings = disk.settings(Shape.USUAL, driver.socket(), Optional.empty());
    return new Conformance(settings, new Listener() {}).run(Conformance.checks(List.of(check)));
  }

  /// A run of its own process.
  static final class Run {
    public static void main(String[] arguments) throws IOException {
      var settings = Settings.of(Path.of(arguments[0]), Path.of(arguments[1]));
      while (true)
        new Conformance(settings, new Listener() {})
            .run(Conformance.checks(List.of("node-publish", "stage")));
    }

    private Run() {}
  }
}
