package dev.berth.sidecar.attacher;

import dev.berth.kube.loop.Pace;
import java.time.Duration;

/// How the attacher works.
///
/// @param defaultFsType for volumes that name none; empty: the driver chooses
/// @param attaching how many volumes may be attached at the same time
/// @param detaching how many may be detached at the same time; its own bound, so that a burst of
///   detachments keeps no pod from starting (ATT-19)
/// @param timeout how long attaching or detaching may take
/// @param pace how often failures are tried again
public record AttacherOptions(
    String defaultFsType, int attaching, int detaching, Duration timeout, Pace pace) {
  public static final AttacherOptions DEFAULT =
      new AttacherOptions("", 100, 100, Duration.ofSeconds(15), Pace.SIDECAR);

  public AttacherOptions {
    if (attaching < 1 || detaching < 1)
      throw new IllegalArgumentException(
          "attaching %d and detaching %d at a time; both must be at least 1"
              .formatted(attaching, detaching));
  }
}
