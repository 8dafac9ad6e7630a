package dev.berth.node.plugin;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/// A CSI driver that has told the node of itself.
///
/// @param registration its registration socket
/// @param endpoint socket of its CSI services
/// @param version of the registration API, the newest that it offered
/// @param nodeId its own name of the node
/// @param topology where it places the node; its keys become node labels
/// @param maxVolumes how many of its volumes fit on the node; 0: no limit
/// @param confirmed whether it has been told that registration is complete
/// @param asked when it was last asked for all this, whether or not it answered
public record Plugin(
    String name,
    Path registration,
    Path endpoint,
    PluginVersion version,
    String nodeId,
    Map<String, String> topology,
    long maxVolumes,
    boolean confirmed,
    Instant asked) {
  public Plugin {
    topology = Map.copyOf(topology);
  }

  Plugin confirm() {
    return new Plugin(
        name, registration, endpoint, version, nodeId, topology, maxVolumes, true, asked);
  }

  /// It has told anew how many of its volumes fit.
  Plugin counted(long volumes, Instant now) {
    return new Plugin(
        name, registration, endpoint, version, nodeId, topology, volumes, confirmed, now);
  }
}
