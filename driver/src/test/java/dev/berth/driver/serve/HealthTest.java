package dev.berth.driver.serve;

import static dev.berth.csi.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.v1.ControllerGetVolumeHealthRequest;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.ControllerListVolumeHealthRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.NodeGetStorageHealthRequest;
import dev.berth.csi.v1.NodeGetVolumeHealthRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.StorageHealthErrorType;
import dev.berth.csi.v1.VolumeHealth;
import dev.berth.csi.v1.VolumeHealth.VolumeHealthEntry;
import dev.berth.csi.v1.VolumeHealthErrorType;
import dev.berth.driver.model.Ailment;
import dev.berth.driver.model.BackendAilment;
import dev.berth.driver.model.Condition;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One method of a driver answers callers by CSI 1.12 and by 1.13 (VH-05 to VH-07).
class HealthTest {
  private static final Condition SICK =
      Condition.of(
          List.of(
              new Ailment(Ailment.Kind.DEGRADED, "DriveSlow", "its drive is slow"),
              new Ailment(Ailment.Kind.DATA_LOSS, "DriveFailed", "its drive is dead")));

  private final ToyDriver driver = new ToyDriver();
  private Served served;

  @BeforeEach
  void serve() throws IOException {
    served = Served.of(driver);
  }

  @AfterEach
  void close() throws IOException {
    served.close();
  }

  private static VolumeHealth health(String id) {
    return VolumeHealth.newBuilder()
        .setVolumeId(id)
        .addHealthStatuses(
            VolumeHealthEntry.newBuilder()
                .setStatus(VolumeHealthErrorType.DEGRADED)
                .setReason("DriveSlow")
                .setMessage("its drive is slow"))
        .addHealthStatuses(
            VolumeHealthEntry.newBuilder()
                .setStatus(VolumeHealthErrorType.DATA_LOSS)
                .setReason("DriveFailed")
                .setMessage("its drive is dead"))
        .build();
  }

  private VolumeHealth asked(String id) {
    return served
        .controller()
        .controllerGetVolumeHealth(
            ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(id).build())
        .getVolumeHealth();
  }

  @Test
  void theControllersViewIsToldByBothProtocols() {
    var id = served.create(wanted("one"));
    assertThat(asked(id)).isEqualTo(VolumeHealth.newBuilder().setVolumeId(id).build());
    driver.controller.conditions.put(id, SICK);
    assertThat(asked(id)).isEqualTo(health(id));
    var condition =
        served
            .controller()
            .controllerGetVolume(ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build())
            .getStatus()
            .getVolumeCondition();
    assertThat(condition.getAbnormal()).isTrue();
    assertThat(condition.getMessage()).isEqualTo("its drive is slow; its drive is dead");
  }

  @Test
  void theListHasThoseThatAreNotWell() { // PAG-01
    var sick = new ArrayList<VolumeHealth>();
    for (var each = 0; each < 9; each++) {
      var id = served.create(wanted("volume-" + each));
      if (each % 3 != 0) continue;
      driver.controller.conditions.put(id, SICK);
      sick.add(health(id));
    }
    var found = new ArrayList<VolumeHealth>();
    var token = "";
    do {
      var page =
          served
              .controller()
              .controllerListVolumeHealth(
                  ControllerListVolumeHealthRequest.newBuilder()
                      .setMaxEntries(1)
                      .setStartingToken(token)
                      .build());
      assertThat(page.getEntriesList()).hasSize(1);
      found.addAll(page.getEntriesList());
      token = page.getNextToken();
    } while (!token.isEmpty());
    assertThat(found).containsExactlyInAnyOrderElementsOf(sick);
    assertRefused(
        Code.ABORTED,
        "starting_token",
        () ->
            served
                .controller()
                .controllerListVolumeHealth(
                    ControllerListVolumeHealthRequest.newBuilder()
                        .setStartingToken("invalid-token")
                        .build()));
  }

  @Test
  void whatIsMissingOrUnknownIsRefused() {
    assertRefused(Code.INVALID_ARGUMENT, "volume_id", () -> asked(""));
    assertRefused(Code.NOT_FOUND, "", () -> asked("unknown"));
    assertRefused(Code.INVALID_ARGUMENT, "volume_id", () -> onNode("", "", ""));
    assertRefused(
        Code.INVALID_ARGUMENT, "volume_publish_path", () -> onNode("known", "some/path", ""));
  }

  private VolumeHealth onNode(String id, String published, String staged) {
    return served
        .node()
        .nodeGetVolumeHealth(
            NodeGetVolumeHealthRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePublishPath(published)
                .setStagingTargetPath(staged)
                .build())
        .getVolumeHealth();
  }

  @Test
  void theNodesViewIsToldByBothProtocols() {
    driver.node.condition = SICK;
    assertThat(onNode("known", "/target", "/staging")).isEqualTo(health("known"));
    assertThat(onNode("known", "", "/staging")).isEqualTo(health("known"));
    assertThat(onNode("known", "", "")).isEqualTo(health("known"));
    assertThat(driver.node.asked)
        .containsExactly(
            Optional.of(Path.of("/target")), Optional.of(Path.of("/staging")), Optional.empty());
    var stats =
        served
            .node()
            .nodeGetVolumeStats(
                NodeGetVolumeStatsRequest.newBuilder()
                    .setVolumeId("known")
                    .setVolumePath("/target")
                    .build());
    assertThat(stats.getVolumeCondition().getAbnormal()).isTrue();
  }

  @Test
  void aVolumeThatCouldNotBePublishedIsLookedAtWhereItIsStaged() { // VH-17
    driver.node.condition = SICK;
    driver.node.absent = Set.of(Path.of("/target"));
    assertThat(onNode("known", "/target", "/staging")).isEqualTo(health("known"));
    assertRefused(Code.NOT_FOUND, "", () -> onNode("known", "/target", ""));
  }

  @Test
  void theStorageOfANodeIsTold() {
    var request = NodeGetStorageHealthRequest.getDefaultInstance();
    assertThat(served.node().nodeGetStorageHealth(request).getBackendHealthList()).isEmpty();
    driver.node.ailments =
        List.of(
            BackendAilment.degraded("PathLost", "one path of two"),
            BackendAilment.unreachable("NoPath", "no path"));
    assertThat(served.node().nodeGetStorageHealth(request).getBackendHealthList())
        .containsExactly(
            StorageBackendHealth.newBuilder()
                .setStatus(StorageHealthErrorType.STORAGE_DEGRADED)
                .setReason("PathLost")
                .setMessage("one path of two")
                .build(),
            StorageBackendHealth.newBuilder()
                .setStatus(StorageHealthErrorType.STORAGE_UNREACHABLE)
                .setReason("NoPath")
                .setMessage("no path")
                .build());
  }

  @Test
  void aSnapshotOfADriverWithoutTopologyOfSnapshotsIsNotPlaced() { // TOP-04
    var id = served.create(wanted("one"));
    var request = CreateSnapshotRequest.newBuilder().setName("cut").setSourceVolumeId(id);
    request.getAccessibilityRequirementsBuilder().addRequisiteBuilder().putSegments("zone", "a");
    assertRefused(
        Code.INVALID_ARGUMENT,
        "accessibility_requirements",
        () -> served.controller().createSnapshot(request.build()));
  }

  @Test
  void whatNobodyCanUnderstandIsNoCondition() { // VH-06, CND-01
    assertThatThrownBy(() -> new Ailment(Ailment.Kind.DEGRADED, "drive slow", "slow"))
        .hasMessageContaining("DriveSlow");
    assertThatThrownBy(() -> new Ailment(Ailment.Kind.DEGRADED, "DriveSlow", " "))
        .hasMessageContaining("without words");
    var twice = new Ailment(Ailment.Kind.DEGRADED, "DriveSlow", "slow");
    assertThatThrownBy(() -> Condition.of(List.of(twice, twice))).hasMessageContaining("twice");
  }
}
