package dev.berth.node.volume;

import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.fact.Topic;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.VolumeName;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/// Counts what fails in a row with each volume, for those who have to decide how long to wait for
/// it.
public final class Refusals implements Effects<MountEffect> {
  public static final Topic<PMap<VolumeName, Refusal>> TOPIC =
      new Topic<>("the volumes with which something fails", HashTreePMap.empty());

  private final Effects<MountEffect> effects;
  private final Told<PMap<VolumeName, Refusal>> told = new Told<>(TOPIC);

  public Refusals(Effects<MountEffect> effects) {
    this.effects = effects;
  }

  /// @param effect what failed
  /// @param inARow how often it did
  /// @param why it failed the last time
  public record Refusal(String effect, int inARow, String why) {
    @Override
    public String toString() {
      return effect + " failed: " + why;
    }
  }

  public Source<PMap<VolumeName, Refusal>> source() {
    return told;
  }

  @Override
  public void carryOut(MountEffect effect) throws Exception {
    try {
      effects.carryOut(effect);
    } catch (Exception refused) {
      told.change(all -> all.plus(effect.name(), next(all.get(effect.name()), effect, refused)));
      throw refused;
    }
    told.change(all -> all.minus(effect.name()));
  }

  private static Refusal next(@Nullable Refusal last, MountEffect effect, Exception refused) {
    var name = effect.getClass().getSimpleName();
    int before = last != null && last.effect().equals(name) ? last.inARow() : 0;
    return new Refusal(name, before + 1, String.valueOf(refused.getMessage()));
  }
}
