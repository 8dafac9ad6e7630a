package dev.berth.cli.nodeagent;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.Given;
import dev.berth.csi.socket.SocketPath;
import dev.berth.node.layout.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/// Who runs a node's containers: an engine behind a socket, or the built-in runtime. As long as the
/// node has pods it is whoever has run them so far, as a note below its root says: neither runtime
/// sees the other's containers, and would start them a second time.
///
/// @param endpoint `unix://` and a path, or [#BUILT_IN]
record RuntimeChoice(String endpoint, String why) {
  static final String BUILT_IN = "built-in";

  private static final String FLAG = "container-runtime-endpoint";
  private static final String NOTE = "container-runtime";

  /// Where distributions have them.
  private static final List<String> USUAL =
      List.of(
          "unix:///run/containerd/containerd.sock",
          "unix:///run/crio/crio.sock",
          "unix:///var/run/cri-dockerd.sock");

  /// What the command line says; empty: nothing.
  ///
  /// @throws Problem if no socket is named so
  static Optional<String> asked(Given given) {
    if (!given.has(FLAG) || given.find(FLAG).isEmpty()) return Optional.empty();
    var text = given.text(FLAG);
    if (text.equals(BUILT_IN)) return Optional.of(text);
    try {
      return Optional.of("unix://" + SocketPath.ofEndpoint(text).path());
    } catch (IllegalArgumentException wrong) {
      throw new Problem(
          "--%s, or containerRuntimeEndpoint of --config: %s; or %s"
              .formatted(FLAG, wrong.getMessage(), BUILT_IN),
          2);
    }
  }

  /// @throws Problem if another is asked for than the one that has run the node's pods so far
  static RuntimeChoice of(Optional<String> asked, Layout layout) throws IOException {
    var before = before(layout);
    if (before.isPresent() && asked.isPresent() && !asked.equals(before))
      throw new Problem(
          "--%s=%s: the pods below %s are run by %s, and would be started a second time; drain the node first, or leave out the flag"
              .formatted(FLAG, asked.get(), layout.root(), before.get()));
    if (asked.isPresent()) return new RuntimeChoice(asked.get(), "as the command line says");
    if (before.isPresent()) return new RuntimeChoice(before.get(), "as before");
    return USUAL.stream()
        .filter(endpoint -> SocketPath.ofEndpoint(endpoint).isServed())
        .findFirst()
        .map(endpoint -> new RuntimeChoice(endpoint, "which answers there"))
        .orElseGet(() ->
            new RuntimeChoice(
                BUILT_IN, "as no container engine answers at " + String.join(", ", USUAL)));
  }

  /// Who has run the node's pods so far; empty: it has none, or nobody says.
  private static Optional<String> before(Layout layout) throws IOException {
    if (isEmpty(layout.pods())) return Optional.empty();
    try {
      return Optional.of(Files.readString(layout.root().resolve(NOTE)).strip());
    } catch (NoSuchFileException none) {
      // of an agent that knew no other, or of a kubelet
      return hasBuiltIn(layout) ? Optional.of(BUILT_IN) : Optional.empty();
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (var entries = Files.newDirectoryStream(folder)) {
      return !entries.iterator().hasNext();
    } catch (NoSuchFileException none) {
      return true;
    }
  }

  private static boolean hasBuiltIn(Layout layout) throws IOException {
    try (var files = Files.find(layout.pods(), 5, (path, _) -> path.endsWith("shim"))) {
      return files
          .map(file -> layout.pods().relativize(file))
          .anyMatch(it -> it.getNameCount() == 5 && it.getName(1).endsWith("containers"));
    }
  }

  /// Before the first container is started.
  void note(Layout layout) throws IOException {
    var half = layout.root().resolve(NOTE + ".new");
    Files.writeString(half, endpoint + "\n");
    Files.move(half, layout.root().resolve(NOTE), StandardCopyOption.ATOMIC_MOVE);
  }
}
