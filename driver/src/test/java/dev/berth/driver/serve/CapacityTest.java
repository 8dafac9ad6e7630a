package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.block;
import static dev.berth.driver.testing.Served.mount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How much room there is, and for what (CTL-09, CTL-20).
class CapacityTest {
  private Served served;

  @BeforeEach
  void serve() throws IOException {
    var driver = new ToyDriver();
    driver.usages =
        new UsageSupport(
            Set.of(AccessMode.SINGLE_NODE_WRITER),
            Set.of(),
            Set.of(),
            UsageSupport.MountGroup.NOT_SUPPORTED);
    served = Served.of(driver);
  }

  @AfterEach
  void end() throws IOException {
    served.close();
  }

  private long room(GetCapacityRequest.Builder request) {
    return served.controller().getCapacity(request.build()).getAvailableCapacity();
  }

  @Test
  void whatTheDriverSaysIsTold() {
    var request =
        GetCapacityRequest.newBuilder().addVolumeCapabilities(mount(Mode.SINGLE_NODE_WRITER));
    assertThat(room(request)).isEqualTo(1L << 40);
    var answer = served.controller().getCapacity(request.build());
    assertThat(answer.hasMaximumVolumeSize()).as("unlimited").isFalse();
    assertThat(answer.hasMinimumVolumeSize()).isFalse();
  }

  @Test
  void forWhatCannotBeMadeThereIsNone() {
    var device =
        GetCapacityRequest.newBuilder().addVolumeCapabilities(block(Mode.SINGLE_NODE_WRITER));
    var shared =
        GetCapacityRequest.newBuilder()
            .addVolumeCapabilities(mount(Mode.SINGLE_NODE_WRITER))
            .addVolumeCapabilities(mount(Mode.MULTI_NODE_MULTI_WRITER));
    assertThat(room(device)).isZero();
    assertThat(room(shared)).isZero();
  }

  @Test
  void aPlaceThatCannotBeIsRefused() { // TOP-03
    var where = GetCapacityRequest.newBuilder();
    where.getAccessibleTopologyBuilder().putSegments("zone", "-a-");
    assertRefused(Code.INVALID_ARGUMENT, "malformed", () -> room(where));
  }
}
