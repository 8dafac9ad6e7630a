package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Nobody is told that there is what is just going (CON-01).
class GoingSnapshotsTest {
  private final ToyDriver driver = new ToyDriver();
  private final AtomicInteger met = new AtomicInteger();
  private Served served;
  private String volume = "";

  @BeforeEach
  void serve() throws IOException {
    served = Served.of(driver);
    volume = served.create(wanted("one"));
  }

  @AfterEach
  void end() throws IOException {
    served.close();
  }

  /// While the driver does it.
  private void during(String operation, String holder, Runnable call) {
    driver.hook =
        now -> {
          if (!now.equals(operation)) return;
          assertRefused(Code.ABORTED, "is held by " + holder, call::run);
          met.incrementAndGet();
        };
  }

  @Test
  void aSnapshotIsNotFoundByItsName() {
    var snapshot = cut();
    during("deleteSnapshot", "DeleteSnapshot", this::cut);
    served
        .controller()
        .deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(snapshot).build());
    driver.hook = _ -> {};
    assertThat(met).hasValue(1);
    assertThat(cut()).isNotEqualTo(snapshot);
  }

  @Test
  void norIsAGroup() {
    var group = cutGroup();
    during("deleteGroup", "DeleteVolumeGroupSnapshot", this::cutGroup);
    served
        .groups()
        .deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest.newBuilder().setGroupSnapshotId(group).build());
    driver.hook = _ -> {};
    assertThat(met).hasValue(1);
    assertThat(cutGroup()).isNotEqualTo(group);
  }

  private String cut() {
    return served
        .controller()
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName("s").setSourceVolumeId(volume).build())
        .getSnapshot()
        .getSnapshotId();
  }

  private String cutGroup() {
    return served
        .groups()
        .createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName("g")
                .addSourceVolumeIds(volume)
                .build())
        .getGroupSnapshot()
        .getGroupSnapshotId();
  }
}
