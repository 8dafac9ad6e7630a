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
/// @param reconcile how often a driver that lists its volumes is asked where they are attached
/// @param pageSize how many volumes it is asked for at a time; 0: it chooses
public record AttacherOptions(
    String defaultFsType,
    int attaching,
    int detaching,
    Duration timeout,
    Pace pace,
    Duration reconcile,
    int pageSize) {
  public static final Duration USUAL_RECONCILE = Duration.ofMinutes(1);

  public static final AttacherOptions DEFAULT =
      new AttacherOptions("", 100, 100, Duration.ofSeconds(15), Pace.SIDECAR, USUAL_RECONCILE, 0);

  public AttacherOptions {
    if (!reconcile.isPositive() || pageSize < 0)
      throw new IllegalArgumentException(
          "volumes are listed every %s, %d at a time; give a time, and 0 or more"
              .formatted(reconcile, pageSize));
    if (attaching < 1 || detaching < 1)
      throw new IllegalArgumentException(
          "attaching %d and detaching %d at a time; both must be at least 1"
              .formatted(attaching, detaching));
  }
}
