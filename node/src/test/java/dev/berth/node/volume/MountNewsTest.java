package dev.berth.node.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Ref;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.volume.MountNews.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// What a pod's author reads of his volumes in events.
class MountNewsTest {
  private static final Ref POD = World.WANTED.want().pod().ref();
  private final IOException trouble = new IOException("the array is away");

  private final List<Notice> told = new ArrayList<>();
  @AutoClose private final SystemTime time = new SystemTime("news");
  private final MountNews news = new MountNews(told::add, time);

  @Test
  void whatFailsOnTheWayInIsToldInAKubeletsWords() { // NOPX-06
    var want = World.WANTED.want();
    news.failed(want, Step.STAGE, trouble);
    news.failed(want, Step.PUBLISH, trouble);
    assertThat(told)
        .containsExactly(
            Notice.warning(
                POD,
                "FailedMount",
                "MountVolume.MountDevice failed for volume \"pv-1\" : the array is away"),
            Notice.warning(
                POD,
                "FailedMount",
                "MountVolume.SetUp failed for volume \"pv-1\" : the array is away"));
  }

  @Test
  void ofADeviceItIsAMap() { // NOPX-06
    var device =
        World.WANTED
            .with(Kinds.CLAIM, World.CLAIM.replace("volumeName", "volumeMode: Block, volumeName"))
            .with(Kinds.VOLUME, World.VOLUME.replace("spec:\n", "spec:\n  volumeMode: Block\n"))
            .with(
                Kinds.POD,
                World.POD.replace(
                    "volumeMounts: [{name: data, mountPath: /data}]",
                    "volumeDevices: [{name: data, devicePath: /dev/data}]"))
            .want();
    news.failed(device, Step.STAGE, trouble);
    news.failed(device, Step.PUBLISH, trouble);
    assertThat(told).extracting(Notice::reason).containsOnly("FailedMapVolume");
    assertThat(told)
        .extracting(Notice::message)
        .containsExactly(
            "MapVolume.SetUpDevice failed for volume \"pv-1\" : the array is away",
            "MapVolume.MapPodDevice failed for volume \"pv-1\" : the array is away");
  }

  @Test
  void eachPhaseIsToldWithItsDuration() { // NRUN-17
    news.done(World.WANTED.want(), "VolumeStaged", "staged", time.now().minusMillis(250));
    assertThat(told).extracting(Notice::about).containsExactly(POD);
    assertThat(told.getFirst().message())
        .matches("driver disk\\.berth\\.dev staged volume pv-1 in (2[5-9]|[3-9]\\d|\\d{3,})\\d ms");
  }
}
