package dev.berth.node.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.loop.Outlook;
import dev.berth.kube.model.Kinds;
import dev.berth.node.volume.need.Need;
import dev.berth.node.volume.need.Needs;
import org.junit.jupiter.api.Test;

/// Volumes that are devices have no place here yet.
class RawBlockTest {
  @Test
  void theRemedySaysWhatHasToGoBeforeAnythingCanBeCreated() {
    var pod =
        World.POD.replace(
            "volumeMounts: [{name: data, mountPath: /data}]",
            "volumeDevices: [{name: data, devicePath: /dev/data}]");
    var volume = World.VOLUME.replace("spec:\n", "spec:\n  volumeMode: Block\n");
    var world = World.WANTED.with(Kinds.POD, pod).with(Kinds.VOLUME, volume);
    var needs = new Needs(world.objects()).of(World.read(Kinds.POD, pod));
    assertThat(needs)
        .singleElement()
        .isInstanceOfSatisfying(
            Need.Unknown.class,
            need -> {
              assertThat(need.until().remedy())
                  .hasValueSatisfying(remedy ->
                      assertThat(remedy)
                          .startsWith("berth delete pod/web pvc/data -n ns; then create"));
              assertThat(need.until().outlook()).isInstanceOf(Outlook.Endangers.class);
            });
  }
}
