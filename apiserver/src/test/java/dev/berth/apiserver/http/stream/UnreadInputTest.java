package dev.berth.apiserver.http.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A program that reads nothing of what its client sends, and a client that leaves in the middle of
/// it: as `kubectl exec -i` with a file, and Ctrl-C.
@Timeout(90)
class UnreadInputTest {
  /// Whoever reads and writes waits until it is closed.
  private static final class Sleeper implements PodStreams.Process {
    final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public OutputStream input() {
      return new OutputStream() {
        @Override
        public void write(int b) throws IOException {
          untilClosed();
          throw new IOException("killed");
        }
      };
    }

    @Override
    public InputStream output() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          untilClosed();
          return -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          return read();
        }
      };
    }

    @Override
    public InputStream error() {
      return output();
    }

    @Override
    public void resize(int columns, int rows) {}

    @Override
    public int await() throws InterruptedException {
      closed.await();
      return 137;
    }

    @Override
    public void close() {
      closed.countDown();
    }

    private void untilClosed() throws IOException {
      try {
        closed.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new IOException(stopped);
      }
    }
  }

  @Test
  @SuppressWarnings("try") // it leaves before the end
  void theProgramGoesWithItsClient() throws Exception {
    var program = new Sleeper();
    var begun = new CompletableFuture<Void>();
    try (var listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var client = new Socket(listening.getInetAddress(), listening.getLocalPort());
        var server = listening.accept()) {
      var wanted =
          new Wanted(
              true,
              true,
              false,
              () -> {
                begun.complete(null);
                return program;
              });
      var in = server.getInputStream();
      var out = server.getOutputStream();
      Thread.startVirtualThread(() -> SpdyStreams.program(in, out, wanted, false, () -> {}));
      open(client.getOutputStream());
      begun.get(30, TimeUnit.SECONDS);
      var sending = Thread.startVirtualThread(() -> sendWithoutEnd(client));
      // More than anybody keeps: the client cannot send on.
      assertThat(sending.join(Duration.ofSeconds(3))).isFalse();
      var answers = new DataInputStream(client.getInputStream());
      while (answers.available() > 0) answers.skipNBytes(answers.available());
      client.close();
      assertThat(program.closed.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void sendWithoutEnd(Socket client) {
    var frame = ByteBuffer.allocate(8 + 32768).putInt(3).putInt(32768).array();
    try {
      while (true) client.getOutputStream().write(frame);
    } catch (IOException left) {
      // it was closed
    }
  }

  /// The streams of errors, input and output, in this order: 1, 3 and 5.
  private static void open(OutputStream out) throws IOException {
    var deflater = new Deflater();
    int stream = 1;
    for (var type : new String[] {"error", "stdin", "stdout"}) {
      var plain = new ByteArrayOutputStream();
      plain.writeBytes(ByteBuffer.allocate(4).putInt(1).array());
      for (var text : new String[] {"streamtype", type}) {
        plain.writeBytes(ByteBuffer.allocate(4).putInt(text.length()).array());
        plain.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
      }
      deflater.setInput(plain.toByteArray());
      var block = new byte[4096];
      int count = deflater.deflate(block, 0, block.length, Deflater.SYNC_FLUSH);
      out.write(
          ByteBuffer.allocate(18 + count)
              .putInt(0x80030001)
              .putInt(10 + count)
              .putInt(stream)
              .putInt(0)
              .putShort((short) 0)
              .put(block, 0, count)
              .array());
      stream += 2;
    }
    out.flush();
    deflater.end();
  }
}
