package dev.berth.node.drain;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.model.VolumeName;
import java.util.Map;

/// What there is to do when enough has been waited for.
public sealed interface DrainEffect extends Effect {
  /// Tells whoever ordered it what came of it.
  ///
  /// @param left what is still mounted, and what keeps it so
  record Finish(Map<VolumeName, String> left) implements DrainEffect {
    public Finish {
      left = Map.copyOf(left);
    }
  }
}
