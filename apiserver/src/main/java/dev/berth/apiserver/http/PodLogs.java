package dev.berth.apiserver.http;

import dev.berth.apiserver.http.stream.PodStreams;
import dev.berth.kube.object.ObjectKey;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/// Where the logs of containers come from: the node agents.
public interface PodLogs {
  /// No node agent is at hand.
  PodLogs NONE =
      (pod, container, _) -> {
        throw new UnavailableException(
            "no node agent serves the log of container \"%s\" in pod \"%s\""
                .formatted(container, pod.name()));
      };

  /// Opens the log of a container, which the pod is known to have.
  ///
  /// @return the log in UTF-8, lines ended by `\n`; a read blocks while a followed log has nothing
  ///   new, and ends when another thread closes the stream
  /// @throws UnavailableException if there is no log to show
  InputStream open(ObjectKey pod, String container, Options options) throws IOException;

  /// What else the same agents do with containers.
  default PodStreams streams() {
    return PodStreams.NONE;
  }

  /// Which part of a log, and in what form.
  ///
  /// @param follow whether to go on as the log grows, until the container ends
  /// @param previous of the container before the last restart
  /// @param timestamps whether each line begins with its time in RFC 3339
  /// @param tailLines the last lines only; empty: all
  /// @param limitBytes most bytes to show; empty: any number
  /// @param since only lines from then on
  record Options(
      boolean follow,
      boolean previous,
      boolean timestamps,
      OptionalLong tailLines,
      OptionalLong limitBytes,
      Optional<Instant> since) {}

  /// There is no log to show; the message says why, to a person.
  final class UnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    public UnavailableException(String message) {
      super(message);
    }
  }
}
