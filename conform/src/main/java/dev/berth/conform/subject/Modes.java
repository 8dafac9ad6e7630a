package dev.berth.conform.subject;

import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static io.grpc.Status.Code.INVALID_ARGUMENT;

import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.CreateVolumeRequest;
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
    var answer = trial.send(CREATE_VOLUME, request(trial, modes));
    if (answer.code() == INVALID_ARGUMENT)
      throw new SkipException(
          "the driver has no volumes for "
              + Arrays.stream(modes).map(Mode::name).collect(Collectors.joining(" with ")));
    trial.require(answer.ok(), "OK or INVALID_ARGUMENT", answer.code());
    return answer.message().orElseThrow().getVolume();
  }

  /// CAP-04: of the two modes that come with SINGLE_NODE_MULTI_WRITER, the one that a driver with
  /// that capability cannot do without.
  static Volume multiWriter(Trial trial) {
    var answer = trial.send(CREATE_VOLUME, request(trial, Mode.SINGLE_NODE_MULTI_WRITER));
    trial.require(
        answer.ok(),
        "a volume for SINGLE_NODE_MULTI_WRITER, which every ReadWriteOnce claim asks for where the"
            + " capability of that name is advertised",
        answer.code());
    return answer.message().orElseThrow().getVolume();
  }

  /// @throws SkipException if the driver has only the other of the two modes
  static Volume singleWriter(Trial trial) {
    try {
      return volumeFor(trial, Mode.SINGLE_NODE_SINGLE_WRITER);
    } catch (SkipException none) {
      multiWriter(trial);
      throw none;
    }
  }

  private static CreateVolumeRequest request(Trial trial, Mode... modes) {
    var request = trial.requests().volume().clearVolumeCapabilities();
    uses(trial, modes).forEach(request::addVolumeCapabilities);
    return request.build();
  }

  private static Stream<VolumeCapability> uses(Trial trial, Mode... modes) {
    return Arrays.stream(modes).map(trial.requests()::use);
  }

  private Modes() {}
}
