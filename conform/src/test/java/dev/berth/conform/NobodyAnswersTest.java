package dev.berth.conform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.conform.report.Listener;
import dev.berth.conform.trial.Settings;
import dev.berth.conform.trial.Settings.Sockets;
import dev.berth.driver.DriverServer;
import dev.berth.example.FolderDriver;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run against nobody ends with the first call, and not with one failure a check.
class NobodyAnswersTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void aSocketThatIsSilentEndsTheRun() throws IOException {
    var socket = folder.resolve("silent.sock");
    try (var _ = silent(socket)) {
      assertThatThrownBy(() -> run(new Sockets(socket, socket), 1))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("nobody answers at " + socket + " within 1 s");
    }
    try (var left = Files.list(folder)) {
      assertThat(left).containsExactly(socket);
    }
  }

  @Test
  void aSilentSocketOfTheNodeAloneEndsItToo() throws IOException {
    var socket = folder.resolve("csi.sock");
    var node = folder.resolve("node.sock");
    try (var _ = DriverServer.start(socket, FolderDriver.of(folder.resolve("pool"), "a"));
        var _ = silent(node)) {
      assertThatThrownBy(() -> run(new Sockets(socket, node), 10)) // a cold driver is slow
          .hasMessageStartingWith("nobody answers at " + node + " within 10 s");
    }
  }

  @Test
  void aSocketOfTheNodeThatIsNotThereEndsItToo() throws IOException {
    var socket = folder.resolve("csi.sock");
    try (var _ = DriverServer.start(socket, FolderDriver.of(folder.resolve("pool"), "a"))) {
      assertThatThrownBy(() -> run(new Sockets(socket, folder.resolve("none.sock")), 60))
          .hasMessageStartingWith("no Node service answers: ");
    }
  }

  private void run(Sockets sockets, int seconds) throws IOException {
    var settings =
        Settings.of(sockets.controller(), folder).with(sockets).with(Duration.ofSeconds(seconds));
    new Conformance(settings, new Listener() {}).run(Conformance.checks());
  }

  /// Takes connections, as the kernel does for whoever listens, and never says a word.
  private static ServerSocketChannel silent(Path socket) throws IOException {
    return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(socket));
  }
}
