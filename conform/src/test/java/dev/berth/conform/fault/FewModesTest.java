package dev.berth.conform.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.conform.Conformance;
import dev.berth.conform.DiskUnderTest;
import dev.berth.conform.check.Outcome;
import dev.berth.conform.report.Listener;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.Settings.Shape;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A driver need not know every access mode: what asks for one that it has no volumes for is
/// skipped, for it is right to refuse (CAP-03).
class FewModesTest {
  @ParameterizedTest
  @CsvSource({
    "publish.otherwise, SINGLE_NODE_READER_ONLY",
    "stage.otherwise, SINGLE_NODE_READER_ONLY",
    "node-publish.single-writer, SINGLE_NODE_SINGLE_WRITER",
    "node-publish.multi-writer, SINGLE_NODE_MULTI_WRITER"
  })
  void aModeThatTheDriverDoesNotKnowIsNotAskedFor(String check, Mode unknown) throws IOException {
    try (var disk = DiskUnderTest.start();
        var driver = new FaultyDriver(disk, without(unknown))) {
      var settings = disk.settings(Shape.USUAL, driver.socket(), Optional.empty());
      var report =
          new Conformance(settings, new Listener() {}).run(Conformance.checks(List.of(check)));
      assertThat(report.results())
          .singleElement()
          .satisfies(it -> assertThat(it.outcome()).isInstanceOf(Outcome.Skipped.class));
    }
  }

  /// ERR-05: the two calls have two codes for it.
  private static Fault without(Mode mode) {
    return Fault.all(
        Fault.refusing(
            Rpcs.CREATE_VOLUME,
            Code.INVALID_ARGUMENT,
            CreateVolumeRequest.class,
            request ->
                request.getVolumeCapabilitiesList().stream().anyMatch(use -> has(use, mode))),
        Fault.refusing(
            Rpcs.NODE_STAGE_VOLUME,
            Code.FAILED_PRECONDITION,
            NodeStageVolumeRequest.class,
            request -> has(request.getVolumeCapability(), mode)));
  }

  private static boolean has(VolumeCapability use, Mode mode) {
    return use.getAccessMode().getMode() == mode;
  }
}
