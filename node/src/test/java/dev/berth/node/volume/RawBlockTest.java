package dev.berth.node.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.loop.Act;
import dev.berth.kube.model.Kinds;
import dev.berth.node.volume.MountEffect.Publish;
import dev.berth.node.volume.MountEffect.Stage;
import dev.berth.node.volume.need.Need;
import dev.berth.node.volume.need.Needs;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Staging;
import dev.berth.node.volume.state.VolumeState.Attached;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Volumes that are devices: what differs from those that are mounted.
class RawBlockTest {
  private static final String POD =
      World.POD
          .replace(
              "volumeMounts: [{name: data, mountPath: /data}]",
              "volumeDevices: [{name: data, devicePath: /dev/data}]")
          .replace("nodeName: n", "nodeName: n\n  securityContext: {fsGroup: 7}");
  private static final World WANTED =
      World.ATTACHED
          .with(Kinds.POD, POD)
          .with(Kinds.VOLUME, World.VOLUME.replace("spec:\n", "spec:\n  volumeMode: Block\n"))
          .with(
              Kinds.CSI_DRIVER,
              "{metadata: {name: disk.berth.dev}, spec: {tokenRequests: [{audience: a}]}}")
          .withVolume(volume -> volume.with(new Attached("va-1", Map.of())));

  @Test
  void aDeviceIsStagedAndPublishedWithoutGroupOrTokens() { // NBLK-01, NBLK-04
    var want = WANTED.want();
    assertThat(want.form()).isEqualTo(Form.DEVICE);
    assertThat(new MountDecision().decide(WANTED.view(), World.NAME))
        .isEqualTo(new Act(new Stage(want, Optional.empty())));
    var staged = WANTED.withVolume(volume -> volume.with(new Staging.Present("")));
    assertThat(new MountDecision().decide(staged.view(), World.NAME))
        .isEqualTo(new Act(new Publish(want, false, Optional.empty(), Optional.empty())));
  }

  @Test
  void whatIsMountedIsNoDevice() { // NVM-03
    var world = WANTED.with(Kinds.POD, World.POD);
    assertThat(new Needs(world.objects()).of(World.read(Kinds.POD, World.POD)))
        .singleElement()
        .isInstanceOfSatisfying(
            Need.Unknown.class,
            need ->
                assertThat(need.until().toString())
                    .contains("has volumeMode Block, but is specified in volumeMounts"));
  }
}
