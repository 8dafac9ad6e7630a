package dev.berth.csi.socket;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/// Connects to a server before anybody else can, so that it has loaded what its answer takes by the
/// time that others find it: upstream's sidecars give a server one second to say its first word,
/// and then take the driver for lost and end.
final class FirstClient {
  /// HTTP/2: the words that every client begins with, and empty settings.
  private static final String HELLO = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\4\0\0\0\0\0";

  /// What a server's settings begin with.
  private static final int FRAME_HEAD = 9;

  private FirstClient() {}

  /// Returns when the server has said its first word, or has not.
  ///
  /// @return whether it has
  static boolean greet(Path socket, Duration patience) {
    try (var selector = Selector.open();
        var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(ByteBuffer.wrap(HELLO.getBytes(StandardCharsets.US_ASCII)));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      var answer = ByteBuffer.allocate(FRAME_HEAD);
      long end = System.nanoTime() + patience.toNanos();
      while (answer.hasRemaining()) {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0 || selector.select(left) == 0) return false;
        selector.selectedKeys().clear();
        if (channel.read(answer) < 0) return false;
      }
      return true;
    } catch (IOException gone) {
      return false; // somebody else has taken the name away: whoever publishes it finds out
    }
  }
}
