package dev.berth.conform;

import dev.berth.conform.trial.Answer;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.StoppedException;
import dev.berth.conform.trial.Trial;
import io.grpc.Status;
import java.util.Optional;

/// Whether the driver refuses what its user asked for: the parameters of its volumes, or their file
/// system. It may well be right to, and then every check with a volume would fail and blame the
/// driver.
final class Wishes {
  private boolean lookedInto;

  /// What is refused, in words.
  ///
  /// @param what is refused
  /// @param option to mend
  /// @param words of the driver
  record Refused(String what, String option, String words) {}

  /// To be asked when a check has failed. Looks into it once a run: a plain volume is made as its
  /// user wishes and, if that is refused, without one wish after the other.
  ///
  /// @param failed may make volumes: it cleans up later
  /// @return what the driver refuses, if it is a wish
  Optional<Refused> refusal(Trial failed) {
    if (lookedInto || !failed.volumeWasInvalid()) return Optional.empty();
    lookedInto = true;
    try {
      return ask(failed);
    } catch (StoppedException _) {
      return Optional.empty();
    }
  }

  private static Optional<Refused> ask(Trial failed) {
    var settings = failed.settings();
    var request = failed.requests().volume();
    var given = failed.send(Rpcs.CREATE_VOLUME, request.build());
    if (given.code() != Status.Code.INVALID_ARGUMENT) return Optional.empty();
    var plain = request.clone().setName(failed.requests().name());
    if (!settings.maps().volume().isEmpty()
        && isAboutWish(
            given, failed.send(Rpcs.CREATE_VOLUME, plain.clone().clearParameters().build())))
      return Optional.of(new Refused("your parameters", "--parameter", given.words()));
    if (settings.shape().fsType().isEmpty()) return Optional.empty();
    for (var use : plain.getVolumeCapabilitiesBuilderList())
      if (use.hasMount()) use.getMountBuilder().clearFsType();
    return isAboutWish(given, failed.send(Rpcs.CREATE_VOLUME, plain.build()))
        ? Optional.of(
            new Refused(
                "file system type " + settings.shape().fsType(), "--fs-type", given.words()))
        : Optional.empty();
  }

  /// The same words without the wish: it is something else that the driver does not like.
  private static boolean isAboutWish(Answer<?> with, Answer<?> without) {
    return without.code() != with.code() || !without.words().equals(with.words());
  }
}
