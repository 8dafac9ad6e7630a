package dev.berth.linux.check;

import java.time.Duration;

/// How often volumes are looked after.
///
/// @param look between two looks at what the kernel says by itself, which cost the drives nothing
/// @param probe between two uses of one volume
/// @param again until the next use if the last left a doubt
/// @param silent how long a device may have work and finish none of it
/// @param held how long a use may last while the device has nothing to do, as of a frozen file
///   system
public record Pace(Duration look, Duration probe, Duration again, Duration silent, Duration held) {
  /// An error that the kernel tells of is known within 5 s, any other within two probes.
  public static final Pace USUAL =
      new Pace(
          Duration.ofSeconds(4),
          Duration.ofMinutes(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofMinutes(2));
}
