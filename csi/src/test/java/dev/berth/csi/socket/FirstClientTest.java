package dev.berth.csi.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstClientTest {
  @TempDir Path folder;

  @Test
  void aServerSaysItsFirstWord() throws Exception {
    var socket = folder.resolve("csi.sock");
    var server = SocketServer.start(new SocketPath(socket), Takeover.IF_DEAD, List.of(), List.of());
    try {
      assertThat(FirstClient.greet(socket, Duration.ofSeconds(30))).isTrue();
    } finally {
      server.stop(Duration.ZERO);
    }
  }

  @Test
  void oneThatSaysNothingIsNotWaitedForLong() throws Exception {
    var socket = folder.resolve("mute.sock");
    try (var mute = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      mute.bind(UnixDomainSocketAddress.of(socket));
      assertThat(FirstClient.greet(socket, Duration.ofMillis(50))).isFalse();
    }
    assertThat(FirstClient.greet(folder.resolve("none.sock"), Duration.ofSeconds(30))).isFalse();
  }
}
