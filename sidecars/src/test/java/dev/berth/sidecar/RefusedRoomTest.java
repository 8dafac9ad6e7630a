package dev.berth.sidecar;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_CAPACITY;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.sidecar.capacity.CapacityOptions;
import dev.berth.sidecar.testing.Bench;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a provisioner that publishes room does when there is too little of it.
class RefusedRoomTest {
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void theDriverIsAskedAnewWhenItHasRefusedAVolume() { // PROV-166
    var capacity =
        new CapacityOptions(
            "shop",
            Optional.empty(),
            CapacityOptions.CENTRAL,
            true,
            Duration.ofMinutes(1),
            1,
            Duration.ofSeconds(10));
    var provisioner =
        SidecarDeciders.of(
                driver(CREATE_DELETE_VOLUME, GET_CAPACITY), SidecarOptions.DEFAULT.with(capacity))
            .parts()
            .getFirst();
    bench.create(storageClass());
    bench.run(provisioner, bench.driver());
    assertThat(calls("GetCapacity")).isEqualTo(1);

    bench.driver().refuses(Code.RESOURCE_EXHAUSTED, "full");
    bench.create(claim());
    bench.time().settle();

    assertThat(calls("CreateVolume")).isEqualTo(1);
    assertThat(calls("GetCapacity")).isEqualTo(2);
  }

  private long calls(String call) {
    return bench.driver().calls().stream().filter(it -> it.startsWith(call)).count();
  }
}
