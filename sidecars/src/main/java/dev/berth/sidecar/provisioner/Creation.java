package dev.berth.sidecar.provisioner;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.Volume;
import dev.berth.sidecar.source.Source;
import io.grpc.Status;
import java.util.Map;

/// The call for a volume, and whether its answer is what was asked for.
final class Creation {
  private final String driver;
  private final ControllerCalls calls;
  private final CleanUp cleanUp;

  Creation(String driver, ControllerCalls calls, CleanUp cleanUp) {
    this.driver = driver;
    this.calls = calls;
    this.cleanUp = cleanUp;
  }

  /// The volume that the driver has made.
  ///
  /// @throws CsiException if it failed, or made another than it was asked for
  Volume create(VolumePlan plan, Map<String, String> texts) {
    var answer = calls.createVolume(plan.request(texts));
    var volume = answer.getVolume();
    // PROV-96, but as ERR-07 has it: there may be a volume
    if (volume.getVolumeId().isEmpty())
      throw new CsiException(
          Status.Code.ABORTED,
          "CreateVolume of driver %s answered without a volume id: there may be a volume %s"
              .formatted(driver, plan.intent().volume()));
    var source = plan.intent().source();
    // PROV-70
    if (source.isPresent() && !isFilledFrom(volume, source.get()))
      throw new CsiException(
          Status.Code.ABORTED,
          (volume.hasContentSource()
                  ? "volume content source is not the one that was asked for"
                  : "volume content source missing")
              + cleanUp.delete(plan.intent().volume(), volume, texts));
    long asked = plan.claim().request().toLong();
    if (volume.getCapacityBytes() == 0 || volume.getCapacityBytes() >= asked) return volume;
    throw new CsiException(
        Status.Code.ABORTED, // created again at the next look, PROV-95
        "created volume capacity %d less than requested capacity %d%s"
            .formatted(
                volume.getCapacityBytes(),
                asked,
                cleanUp.delete(plan.intent().volume(), volume, texts)));
  }

  private static boolean isFilledFrom(Volume volume, Source source) {
    return volume.hasContentSource() && volume.getContentSource().equals(source.told());
  }
}
