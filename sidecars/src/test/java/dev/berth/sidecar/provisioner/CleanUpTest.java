package dev.berth.sidecar.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeResponse;
import dev.berth.csi.v1.Volume;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.SmallDriver;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CleanUpTest {
  @Test
  void allAttemptsToCleanUpHaveOneTimeoutTogether() { // PROV-95
    try (var bench = new Bench()) {
      var driver =
          new SmallDriver() {
            @Override
            public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request) {
              bench.pass(Duration.ofSeconds(4));
              throw new CsiException(Code.UNAVAILABLE, "not now");
            }
          };
      var left = new ArrayList<Duration>();
      var cleanUp =
          new CleanUp(
              timeout -> {
                left.add(timeout);
                return driver;
              },
              Duration.ofSeconds(10),
              bench.time());

      assertThat(cleanUp.delete("pvc-1", Volume.getDefaultInstance(), Map.of()))
          .isEqualTo(
              ". Cleanup of volume pvc-1 failed, volume is orphaned: rpc error: code = Unavailable"
                  + " desc = not now");
      assertThat(left)
          .containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(6), Duration.ofSeconds(2));
    }
  }
}
