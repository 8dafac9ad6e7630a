package dev.berth.sidecar;

import static dev.berth.sidecar.testing.Objects.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.kube.lease.Deposed;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.LeaderOnly;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.rights.Right;
import dev.berth.sidecar.rights.Rights;
import dev.berth.sidecar.testing.SmallDriver;
import dev.berth.sidecar.testing.SocketDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// ONE-19: whoever has lost the Lease begins no call, however long ago it was decided on.
class LeaderOnlyTest {
  @TempDir Path folder;

  @Test
  void aCallThatWaitedForItsTurnIsNotMadeAnyMore() throws Exception {
    var driver = new SmallDriver();
    var leads = new AtomicBoolean(true);
    try (var _ = new SocketDriver(folder.resolve("csi.sock"), PLAIN, driver);
        var connection = CsiConnection.open(folder.resolve("csi.sock"))) {
      var calls = connection.through(new LeaderOnly(leads::get)).controller(Duration.ofSeconds(10));
      calls.createVolume(CreateVolumeRequest.newBuilder().setName("one").build());
      leads.set(false);
      var two = CreateVolumeRequest.newBuilder().setName("two").build();
      assertThatThrownBy(() -> calls.createVolume(two)).isInstanceOf(Deposed.class);
    }
    assertThat(driver.volumes()).hasSize(1);
  }

  /// ONE-23: as a ClusterRole has it.
  @Test
  void aRightIsSaidAsAClusterRoleSaysIt() {
    assertThat(Right.to("patch", Resources.ATTACHMENTS).of("status"))
        .hasToString("patch volumeattachments/status.storage.k8s.io");
    assertThat(Right.to("list", Resources.CLAIMS)).hasToString("list persistentvolumeclaims");
    assertThat(Rights.needed(Sidecar.ATTACHER)) // ATT-96: no update anywhere
        .noneMatch(right -> right.verb().equals("update"));
    assertThat(Rights.needed(Sidecar.ATTACHER)) // ATT-01: nor does it make or delete anything
        .noneMatch(right -> right.verb().equals("create") || right.verb().equals("delete"));
    // VH-10, VH-18: it says how volumes are, and touches nothing
    assertThat(Rights.needed(Sidecar.HEALTH_MONITOR)).extracting(Right::verb).containsOnly("list");
    assertThat(Rights.needed(Sidecar.PROVISIONER)) // PROV-189
        .doesNotContain(Right.to("patch", Resources.CLAIMS));
  }
}
