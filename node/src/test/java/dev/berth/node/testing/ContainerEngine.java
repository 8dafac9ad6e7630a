package dev.berth.node.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.socket.SocketPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// containerd as the distribution has it, with everything in a folder of its own
/// (`interop/containerd`).
public final class ContainerEngine implements AutoCloseable {
  /// Its one image.
  public static final String IMAGE = "localhost/busybox:1";

  private static final int SKIPPED = 77;

  private final Path folder;
  private final SocketPath socket;

  private ContainerEngine(Path folder, SocketPath socket) {
    this.folder = folder;
    this.socket = socket;
  }

  /// Skips the test where it cannot run.
  public static ContainerEngine start() throws IOException, InterruptedException {
    var folder = Files.createTempDirectory(Path.of("/tmp"), "ce");
    return new ContainerEngine(folder, new SocketPath(Path.of(script("up", folder))));
  }

  public SocketPath socket() {
    return socket;
  }

  /// Ends the engine, whose containers run on, and starts it again.
  public void restart() throws IOException, InterruptedException {
    stop();
    script("up", folder);
  }

  /// Ends the engine; its containers run on.
  public void stop() throws IOException, InterruptedException {
    script("stop", folder);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    script("down", folder);
  }

  private static String script(String verb, Path folder) throws IOException, InterruptedException {
    var script = root().resolve("interop/containerd").toString();
    var said = folder.resolveSibling(folder.getFileName() + ".said");
    var process =
        new ProcessBuilder(script, verb, folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    int code = process.waitFor();
    var words = Files.readString(said, StandardCharsets.UTF_8).strip();
    Files.delete(said);
    assumeTrue(code != SKIPPED, words);
    if (code != 0) throw new IOException(words);
    return words.substring(words.lastIndexOf('\n') + 1);
  }

  private static Path root() {
    var folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("interop/containerd")))
      folder = Objects.requireNonNull(folder.getParent());
    return folder;
  }
}
