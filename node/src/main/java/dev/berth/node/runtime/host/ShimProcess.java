package dev.berth.node.runtime.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Starts the shim of a container and follows it up to the point where the container runs.
final class ShimProcess {
  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final String STARTED = "started\n";
  private static final String SCRIPT = resource("shim.sh");

  private ShimProcess() {}

  /// Returns when the container's first process runs, in name spaces that are held by it from then
  /// on.
  ///
  /// @param program what the container begins with
  /// @throws IOException it does not, and will not; the message is the shim's
  static void start(ContainerFolder folder, Path launcher, byte[] program, Path log)
      throws IOException {
    var onlyRoot =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Files.write(Files.createFile(folder.program(), onlyRoot), program);
    Files.write(Files.createFile(folder.copy(), onlyRoot), LogProgram.bytes());
    Files.writeString(Files.createFile(folder.exit(), onlyRoot), "    ");
    Files.writeString(Files.createFile(folder.shim(), onlyRoot), SCRIPT);
    var builder =
        new ProcessBuilder(
            List.of(
                "setsid", // so that it survives what is sent to our group, such as Ctrl-C
                "/bin/sh",
                folder.shim().toString(),
                folder.directory().toString(),
                launcher.toString(),
                log.toString()));
    builder.environment().clear();
    builder.environment().putAll(Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL", "C"));
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    var process = builder.start();
    try (var errors = process.getErrorStream()) {
      var said = said(errors);
      if (!said.endsWith(STARTED)) throw new IOException(said.strip());
    }
  }

  /// What comes up to [#STARTED], or up to the end.
  private static String said(InputStream errors) throws IOException {
    var said = new CompletableFuture<String>();
    Thread.startVirtualThread(() -> {
      var text = new StringBuilder();
      try {
        for (int c = errors.read(); c >= 0; c = errors.read()) {
          text.append((char) c);
          if (text.length() >= STARTED.length()
              && text.indexOf(STARTED, text.length() - STARTED.length()) >= 0) break;
        }
        said.complete(text.toString());
      } catch (IOException broken) {
        said.completeExceptionally(broken);
      }
    });
    try {
      return said.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException _) {
      throw new IOException("no word from the shim within " + DEADLINE.toSeconds() + " s");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    } catch (java.util.concurrent.ExecutionException broken) {
      throw new IOException("the shim's words were lost", broken.getCause());
    }
  }

  private static String resource(String name) {
    try (var stream = ShimProcess.class.getResourceAsStream(name)) {
      if (stream == null) throw new IllegalStateException(name + " is not among the resources");
      return new String(stream.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
