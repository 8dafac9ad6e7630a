package dev.berth.sidecar.resizer;

import dev.berth.kube.loop.Pace;
import java.time.Duration;

/// How the resizer works; defaults are upstream's.
///
/// @param timeout how long one call to the driver may take
/// @param pace how often failures are tried again, and how many claims are worked on at once
/// @param slow how long a size that the driver cannot give is left alone (RSZ-53)
/// @param whileUsed whether a driver that refuses to make a used volume larger is asked again only
///   when nobody uses it (RSZ-62)
/// @param noteFormerSize whether a volume whose file system has to follow says how large it was,
///   for whoever binds it meanwhile (RSZ-76): the gate `AnnotateFsResize`
public record ResizerOptions(
    Duration timeout, Pace pace, Duration slow, WhileUsed whileUsed, boolean noteFormerSize) {
  /// What comes of a driver's refusal while the volume is used: `--handle-volume-inuse-error`.
  public enum WhileUsed {
    WAIT,
    ASK_AGAIN
  }

  public static final ResizerOptions DEFAULT =
      new ResizerOptions(
          Duration.ofSeconds(10),
          Pace.SIDECAR.parallel(10),
          Duration.ofMinutes(5),
          WhileUsed.WAIT,
          true);
}
