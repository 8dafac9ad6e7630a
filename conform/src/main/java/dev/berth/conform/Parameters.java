package dev.berth.conform;

import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.StoppedException;
import dev.berth.conform.trial.Trial;
import io.grpc.Status;
import java.util.Optional;

/// Whether the driver refuses the parameters that its user gave. It may well be right to, and then
/// every check with a volume would fail and blame the driver.
final class Parameters {
  private boolean lookedInto;

  /// To be asked when a check has failed. Looks into it once a run: a plain volume is made with the
  /// parameters and, if that is refused, without them.
  ///
  /// @param failed may make volumes: it cleans up later
  /// @return the driver's words if it is the parameters that it refuses
  Optional<String> refusal(Trial failed) {
    if (lookedInto || failed.settings().maps().volume().isEmpty() || !failed.volumeWasInvalid())
      return Optional.empty();
    lookedInto = true;
    try {
      return ask(failed);
    } catch (StoppedException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> ask(Trial failed) {
    var request = failed.requests().volume();
    var given = failed.send(Rpcs.CREATE_VOLUME, request.build());
    if (given.code() != Status.Code.INVALID_ARGUMENT) return Optional.empty();
    var none =
        failed.send(
            Rpcs.CREATE_VOLUME,
            request.setName(failed.requests().name()).clearParameters().build());
    // The same words without any parameter: it is something else that the driver does not like.
    var same = none.code() == given.code() && none.words().equals(given.words());
    return same ? Optional.empty() : Optional.of(given.words());
  }
}
