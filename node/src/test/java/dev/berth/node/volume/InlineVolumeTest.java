package dev.berth.node.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.node.volume.MountEffect.Forget;
import dev.berth.node.volume.MountEffect.Publish;
import dev.berth.node.volume.MountEffect.Unpublish;
import dev.berth.node.volume.need.Needs;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Publication;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// Volumes that a driver makes for one pod (NCSI-11).
class InlineVolumeTest {
  private static final String POD =
      World.POD.replace(
          "persistentVolumeClaim: {claimName: data}",
          "csi: {driver: disk.berth.dev, readOnly: true, volumeAttributes: {size: big}}");
  private static final World WORLD = World.WANTED.with(Kinds.POD, POD);
  private static final World SERVED = WORLD.with(Kinds.CSI_DRIVER, driver("Ephemeral"));

  private static String driver(String modes) {
    return "{metadata: {name: disk.berth.dev}, spec: {podInfoOnMount: true, volumeLifecycleModes: [%s]}}"
        .formatted(modes);
  }

  private static Want want() {
    return new Needs(WORLD.objects()).wants(World.read(Kinds.POD, POD)).findFirst().orElseThrow();
  }

  private static VolumeName name() {
    return want().name();
  }

  private static Object decide(World world) {
    return new MountDecision().decide(world.view(), name());
  }

  @Test
  void itIsPublishedAtOnceNeitherAttachedNorStaged() { // NCSI-11, NLAY-03
    assertThat(name().handle()).matches("csi-[0-9a-f]{64}");
    assertThat(want().spec()).isEqualTo("data");
    assertThat(want().readOnly()).isTrue();
    assertThat(decide(SERVED))
        .isEqualTo(new Act(new Publish(want(), true, Optional.empty(), Optional.empty())));
  }

  @Test
  void itIsNotReportedInUse() { // NVM-12
    assertThat(SERVED.view().wanted()).containsExactly(name());
    assertThat(SERVED.view().wantedByClaims()).isEmpty();
    var published = published(SERVED);
    assertThat(published.actual().report(published.view().wantedByClaims(), _ -> true)).isEmpty();
  }

  private static World published(World world) {
    return world.with(actual ->
        actual.with(
            actual
                .volume(name())
                .with(Form.INLINE)
                .with("pod-1", new Publication.Present("data", World.NOW))));
  }

  @Test
  void itGoesWithItsPod() {
    var gone = published(SERVED.without(Kinds.POD, POD));
    assertThat(decide(gone)).isEqualTo(new Act(new Unpublish(name(), "pod-1")));
    var unpublished = gone.with(actual -> actual.with(actual.volume(name()).without("pod-1")));
    assertThat(decide(unpublished)).isEqualTo(new Act(new Forget(name())));
  }

  @Test
  void aDriverThatDoesNotSayThatItCanIsNotAsked() { // CD-01
    var undescribed = WORLD.without(Kinds.CSI_DRIVER, "metadata: {name: disk.berth.dev}");
    assertThat(decide(undescribed)).matches(tells("(no CSIDriver object)"));
    assertThat(decide(WORLD.with(Kinds.CSI_DRIVER, driver("Persistent"))))
        .matches(
            tells(
                "volume mode \"Ephemeral\" not supported by driver disk.berth.dev (only supports"
                    + " [\"Persistent\"])"));
  }

  private static Predicate<Object> tells(String words) {
    return step -> step instanceof Wait wait && wait.toString().contains(words);
  }
}
