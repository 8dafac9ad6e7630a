package dev.berth.cli.nodeagent;

import dev.berth.cli.Problem;
import dev.berth.csi.socket.SocketPath;
import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.cri.CriException;
import dev.berth.node.runtime.cri.CriRuntime;
import dev.berth.node.runtime.host.HostRuntime;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The runtime of a node's containers, at work.
///
/// @param version of an engine, as the Node shows it; empty: the built-in one
record OpenRuntime(ContainerRuntime runtime, Optional<String> version) {
  private static final Logger log = LoggerFactory.getLogger(OpenRuntime.class);

  /// Finds the containers of an earlier agent, and says who runs them.
  static OpenRuntime of(RuntimeChoice choice, Layout layout)
      throws IOException, InterruptedException {
    if (choice.endpoint().equals(RuntimeChoice.BUILT_IN)) {
      choice.note(layout);
      log.info(
          "containers are run by the built-in runtime, from the image host and imported ones, {}",
          choice.why());
      return new OpenRuntime(HostRuntime.open(layout, List.of()), Optional.empty());
    }
    try {
      var engine = CriRuntime.open(layout, SocketPath.ofEndpoint(choice.endpoint()));
      choice.note(layout);
      var version = engine.version();
      log.info("containers are run by {} at {}, {}", version, choice.endpoint(), choice.why());
      return new OpenRuntime(engine, Optional.of(version));
    } catch (CriException unanswered) {
      throw new Problem(
          "no container engine serves CRI at %s: %s; start it, or give another --container-runtime-endpoint"
              .formatted(choice.endpoint(), unanswered.getMessage()));
    }
  }
}
