package dev.berth.sidecar.provisioner;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/// Deletes volumes that were made and are not what was asked for (PROV-70, PROV-95).
final class CleanUp {
  private static final int ATTEMPTS = 5;

  private final Function<Duration, ControllerCalls> calls;
  private final Duration timeout;
  private final Time time;

  /// @param calls calls that may take so long
  /// @param timeout for all attempts together
  CleanUp(Function<Duration, ControllerCalls> calls, Duration timeout, Time time) {
    this.calls = calls;
    this.timeout = timeout;
    this.time = time;
  }

  /// @param name of the PersistentVolume that it would have got
  /// @return what is left to say about it, for people; empty: it has gone
  String delete(String name, Volume volume, Map<String, String> secrets) {
    var request =
        DeleteVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .putAllSecrets(secrets)
            .build();
    var end = time.now().plus(timeout);
    var reason = "";
    for (int i = 0; i < ATTEMPTS; i++) {
      var left = Duration.between(time.now(), end);
      if (!left.isPositive()) break;
      try {
        calls.apply(left).deleteVolume(request);
        return "";
      } catch (CsiException failure) {
        reason = failure.getMessage();
      }
    }
    return ". Cleanup of volume %s failed, volume is orphaned: %s".formatted(name, reason);
  }
}
