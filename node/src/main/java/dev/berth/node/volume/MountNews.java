package dev.berth.node.volume;

import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.time.Time;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Form;
import java.time.Duration;
import java.time.Instant;

/// What a pod's author is told of his volumes: each phase with its duration, so that slow storage
/// can be blamed on the right step (NRUN-17), and what failed on the way in (NOPX-06). What fails
/// on the way out gives no event.
record MountNews(EventRecorder events, Time time) {
  /// Of which part of the way in something is told.
  enum Step {
    STAGE("MountVolume.MountDevice", "MapVolume.SetUpDevice"),
    PUBLISH("MountVolume.SetUp", "MapVolume.MapPodDevice");

    private final String ofFiles;
    private final String ofDevices;

    Step(String ofFiles, String ofDevices) {
      this.ofFiles = ofFiles;
      this.ofDevices = ofDevices;
    }
  }

  void failed(Want want, Step step, Exception failure) {
    boolean device = want.form() == Form.DEVICE;
    events.tell(
        Notice.warning(
            want.pod().ref(),
            device ? Reasons.FAILED_MAP_VOLUME : Reasons.FAILED_MOUNT,
            "%s failed for volume \"%s\" : %s"
                .formatted(
                    device ? step.ofDevices : step.ofFiles, want.spec(), failure.getMessage())));
  }

  /// @param began when the driver was asked
  void done(Want want, String reason, String done, Instant began) {
    var millis = Duration.between(began, time.now()).toMillis();
    events.tell(
        Notice.normal(
            want.pod().ref(),
            reason,
            "driver %s %s volume %s in %d ms"
                .formatted(want.source().driver(), done, want.spec(), millis)));
  }

  /// NCSI-13: whoever finds that he may not write has to be able to find out why.
  void otherGroup(Want want, FsGroup wanted, String given) {
    if (given.isEmpty() || given.equals(wanted.text())) return;
    events.tell(
        Notice.warning(
            want.pod().ref(),
            Reasons.OTHER_GROUP,
            "volume %s belongs to group %s on this node, for a pod that had it before asked for that fsGroup; group %s of this pod is not given its files, its containers are in group %s as well. Give all pods of the claim one fsGroup"
                .formatted(want.spec(), given, wanted.text(), given)));
  }
}
