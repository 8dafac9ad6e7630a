package dev.berth.linux.check;

import java.time.Duration;

/// What a watch has done since it began.
///
/// @param sound uses that found the volume working
/// @param failed uses that did not
/// @param notTried uses for which this process had no room
/// @param hung uses that did not come back in time
/// @param leftOut uses that were left out to let a disk sleep
/// @param spent how long all uses took together
public record Figures(
    long sound, long failed, long notTried, long hung, long leftOut, Duration spent) {
  static final Figures NONE = new Figures(0, 0, 0, 0, 0, Duration.ZERO);

  Figures used(Probe.Outcome outcome, long nanos) {
    var all = spent.plusNanos(nanos);
    return switch (outcome) {
      case Probe.Outcome.Sound _ -> new Figures(sound + 1, failed, notTried, hung, leftOut, all);
      case Probe.Outcome.Failed _ -> new Figures(sound, failed + 1, notTried, hung, leftOut, all);
      case Probe.Outcome.NotTried _ -> new Figures(sound, failed, notTried + 1, hung, leftOut, all);
    };
  }

  Figures oneHung() {
    return new Figures(sound, failed, notTried, hung + 1, leftOut, spent);
  }

  Figures oneLeftOut() {
    return new Figures(sound, failed, notTried, hung, leftOut + 1, spent);
  }
}
