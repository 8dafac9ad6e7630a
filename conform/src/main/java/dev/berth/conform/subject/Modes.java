package dev.berth.conform.subject;

import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static io.grpc.Status.Code.INVALID_ARGUMENT;

import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Volumes for modes that not every driver has (CAP-03).
final class Modes {
  /// A volume for all of these at once, so that only the use of it can be wrong.
  ///
  /// @throws SkipException if the driver makes none such
  static Volume volumeFor(Trial trial, Mode... modes) {
    var request = trial.requests().volume().clearVolumeCapabilities();
    uses(trial, modes).forEach(request::addVolumeCapabilities);
    var answer = trial.send(CREATE_VOLUME, request.build());
    if (answer.code() == INVALID_ARGUMENT)
      throw new SkipException(
          "the driver has no volumes for "
              + Arrays.stream(modes).map(Mode::name).collect(Collectors.joining(" with ")));
    trial.require(answer.ok(), "OK or INVALID_ARGUMENT", answer.code());
    return answer.message().orElseThrow().getVolume();
  }

  private static Stream<VolumeCapability> uses(Trial trial, Mode... modes) {
    return Arrays.stream(modes).map(trial.requests()::use);
  }

  private Modes() {}
}
