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
import org.junit.jupiter.params.provider.ValueSource;

/// A driver need not know every access mode: what asks for one that it has no volumes for is
/// skipped, for it is right to refuse (CAP-03).
class FewModesTest {
  @ParameterizedTest
  @CsvSource({
    "publish.otherwise, SINGLE_NODE_READER_ONLY",
    "stage.otherwise, SINGLE_NODE_READER_ONLY",
    "node-publish.single-writer, SINGLE_NODE_SINGLE_WRITER"
  })
  void aModeThatTheDriverDoesNotKnowIsNotAskedFor(String check, Mode unknown) throws IOException {
    assertThat(outcome(check, without(unknown))).isInstanceOf(Outcome.Skipped.class);
  }

  /// CAP-04: who advertises SINGLE_NODE_MULTI_WRITER is asked for it by every ReadWriteOnce claim.
  @ParameterizedTest
  @ValueSource(strings = {"node-publish.multi-writer", "node-publish.single-writer"})
  void theModeThatIsAdvertisedHasToBeServed(String check) throws IOException {
    var neither = without(Mode.SINGLE_NODE_MULTI_WRITER, Mode.SINGLE_NODE_SINGLE_WRITER);
    assertThat(outcome(check, neither))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            it -> assertThat(it.expected()).contains("every ReadWriteOnce claim asks for"));
  }

  private static Outcome outcome(String check, Fault fault) throws IOException {
    try (var disk = DiskUnderTest.start();
        var driver = new FaultyDriver(disk, fault)) {
      var settings = disk.settings(Shape.USUAL, driver.socket(), Optional.empty());
      var report =
          new Conformance(settings, new Listener() {}).run(Conformance.checks(List.of(check)));
      assertThat(report.results()).hasSize(1);
      return report.results().getFirst().outcome();
    }
  }

  /// ERR-05: the two calls have two codes for it.
  private static Fault without(Mode... modes) {
    return Fault.all(
        Fault.refusing(
            Rpcs.CREATE_VOLUME,
            Code.INVALID_ARGUMENT,
            CreateVolumeRequest.class,
            request ->
                request.getVolumeCapabilitiesList().stream().anyMatch(use -> has(use, modes))),
        Fault.refusing(
            Rpcs.NODE_STAGE_VOLUME,
            Code.FAILED_PRECONDITION,
            NodeStageVolumeRequest.class,
            request -> has(request.getVolumeCapability(), modes)));
  }

  private static boolean has(VolumeCapability use, Mode... modes) {
    return List.of(modes).contains(use.getAccessMode().getMode());
  }
}
