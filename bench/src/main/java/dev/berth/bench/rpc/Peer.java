package dev.berth.bench.rpc;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.v1.NodeGetInfoRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// A driver that is measured.
///
/// @param processes whose memory counts: the driver's, and its sidecars' if they are others
record Peer(String name, CsiConnection connection, String nodeId, List<Long> processes) {
  static final Duration PATIENCE = Duration.ofMinutes(2);

  Peer {
    processes = List.copyOf(processes);
  }

  /// Reads `NAME=unix:///PATH` or `NAME=unix:///PATH=PID,PID`.
  static Peer of(String argument) {
    var words = argument.split("=", -1);
    if (words.length < 2)
      throw new IllegalArgumentException(argument + " is not NAME=unix:///PATH[=PID,PID...]");
    var connection = CsiConnection.open(SocketPath.ofEndpoint(words[1]).path());
    var info = connection.node(PATIENCE).nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
    var processes =
        words.length < 3
            ? List.<Long>of()
            : Arrays.stream(words[2].split(",", -1)).map(Long::valueOf).toList();
    return new Peer(words[0], connection, info.getNodeId(), processes);
  }

  /// Resident memory of all its processes, in MiB.
  double residentMebibytes() throws IOException {
    return mebibytes("VmRSS:");
  }

  /// The most resident memory since [#forgetPeak], in MiB.
  double peakMebibytes() throws IOException {
    return mebibytes("VmHWM:");
  }

  void forgetPeak() throws IOException {
    for (var process : processes)
      Files.writeString(Path.of("/proc/" + process + "/clear_refs"), "5"); // see proc(5)
  }

  private double mebibytes(String key) throws IOException {
    var kibibytes = 0L;
    for (var process : processes)
      for (var line : Files.readAllLines(Path.of("/proc/" + process + "/status")))
        if (line.startsWith(key)) kibibytes += Long.parseLong(line.replaceAll("[^0-9]", ""));
    return kibibytes / 1024.0;
  }
}
