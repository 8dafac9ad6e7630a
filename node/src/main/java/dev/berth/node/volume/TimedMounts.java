package dev.berth.node.volume;

import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.time.Time;
import dev.berth.node.volume.MountEffect.Forget;
import dev.berth.node.volume.MountEffect.Grow;
import dev.berth.node.volume.MountEffect.Publish;
import dev.berth.node.volume.MountEffect.Republish;
import dev.berth.node.volume.MountEffect.Stage;
import dev.berth.node.volume.MountEffect.Unpublish;
import dev.berth.node.volume.MountEffect.Unstage;
import dev.berth.node.volume.MountEffect.Verify;
import dev.berth.node.volume.Operations.Outcome;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Form;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Tells how long what is done about volumes takes, as a kubelet counts it: one mount is what is
/// done once for the node and what is done for the pod, together (NVM-20).
public final class TimedMounts implements Effects<MountEffect> {
  private final Effects<MountEffect> effects;
  private final Operations operations;
  private final ActualState state;
  private final Time time;

  /// What staging took of volumes that no pod has had since.
  private final Map<VolumeName, Duration> staged = new ConcurrentHashMap<>();

  public TimedMounts(
      Effects<MountEffect> effects, Operations operations, ActualState state, Time time) {
    this.effects = effects;
    this.operations = operations;
    this.state = state;
    this.time = time;
  }

  @Override
  public void carryOut(MountEffect effect) throws Exception {
    var operation = operation(effect); // before: afterwards the volume's form may be forgotten
    var began = time.elapsed();
    try {
      effects.carryOut(effect);
    } catch (Exception failed) {
      var took = time.elapsed().minus(began);
      operation.ifPresent(name -> tell(effect, name, Outcome.FAILED, took));
      throw failed;
    }
    var took = time.elapsed().minus(began);
    switch (effect) {
      case Stage stage -> staged.merge(stage.name(), took, Duration::plus);
      case Forget forget -> staged.remove(forget.name());
      case Publish publish -> {
        var before = staged.remove(publish.name());
        tell(effect, operation, before == null ? took : took.plus(before));
      }
      case Verify _, Republish _, Grow _, Unpublish _, Unstage _ -> tell(effect, operation, took);
    }
  }

  private void tell(MountEffect effect, Optional<String> operation, Duration took) {
    operation.ifPresent(name -> tell(effect, name, Outcome.DONE, took));
  }

  private void tell(MountEffect effect, String operation, Outcome outcome, Duration took) {
    operations.over(effect.name().driver(), operation, outcome, took);
  }

  /// Empty: a kubelet does not count it.
  private Optional<String> operation(MountEffect effect) {
    return switch (effect) {
      case Verify _ -> Optional.of("verify_controller_attached_volume");
      case Stage stage -> Optional.of(mount(stage.want().form()));
      case Publish publish -> Optional.of(mount(publish.want().form()));
      case Republish(var publish) -> Optional.of(mount(publish.want().form()));
      case Grow _ -> Optional.of("volume_fs_resize");
      case Unpublish _ -> Optional.of(device(effect) ? "unmap_volume" : "volume_unmount");
      case Unstage _ -> Optional.of(device(effect) ? "unmap_device" : "unmount_device");
      case Forget _ -> Optional.empty();
    };
  }

  private static String mount(Form form) {
    return form == Form.DEVICE ? "map_volume" : "volume_mount";
  }

  private boolean device(MountEffect effect) {
    return state.now().volume(effect.name()).form() == Form.DEVICE;
  }
}
