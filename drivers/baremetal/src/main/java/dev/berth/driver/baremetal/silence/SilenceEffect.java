package dev.berth.driver.baremetal.silence;

import dev.berth.driver.baremetal.object.AvailableCapacity;
import dev.berth.driver.baremetal.object.BareMetalNode;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effect;
import java.time.Instant;
import java.util.List;

/// What a controller does about nodes that do not answer.
public sealed interface SilenceEffect extends Effect {
  /// Notes a sign of life.
  record Hear(String node, Heard.Beat beat) implements SilenceEffect {}

  /// Notes no more of a node that has no object.
  record Forget(String node) implements SilenceEffect {}

  /// Asks the server itself for a sign of life, of which a watch may not have told.
  ///
  /// @param at when this was decided
  record Ask(BareMetalNode node, Heard.Beat beat, Instant at) implements SilenceEffect {}

  /// Says that nothing can be had on a drive now.
  record Withdraw(String node, AvailableCapacity capacity) implements SilenceEffect {}

  /// Says that nobody knows how a drive is.
  record Doubt(String node, Drive drive, DriveState state, List<Notice> notices)
      implements SilenceEffect {
    public Doubt {
      notices = List.copyOf(notices);
    }
  }

  /// Says the same of a volume.
  record Miss(String node, LocalVolume volume, Notice notice) implements SilenceEffect {}
}
