package dev.berth.apiserver.http.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a client types at either end of a program's life.
@Timeout(60)
class ProgramSocketTest {
  private static final byte[] TYPED = "\0x".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SIZE =
      "\4{\"Width\":80,\"Height\":24}".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END_OF_INPUT = {(byte) 255, 0};

  /// A shell whose user has typed something, and no end.
  private static final class Shell implements PodStreams.Process {
    final CountDownLatch read = new CountDownLatch(1);
    final CountDownLatch inputClosed = new CountDownLatch(1);
    final CountDownLatch closed = new CountDownLatch(1);

    @Override
    public OutputStream input() {
      return new OutputStream() {
        @Override
        public void write(int one) {
          read.countDown();
        }

        @Override
        public void close() {
          inputClosed.countDown();
        }
      };
    }

    @Override
    public InputStream output() {
      return InputStream.nullInputStream();
    }

    @Override
    public InputStream error() {
      return InputStream.nullInputStream();
    }

    @Override
    public void resize(int columns, int rows) {}

    @Override
    public int await() throws InterruptedException {
      closed.await();
      return 0;
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  private static ProgramSocket socket(PodStreams.Process process) {
    return new ProgramSocket(new Wanted(true, true, false, () -> process), () -> {});
  }

  @Test
  void nobodyCarriesWhatIsTypedOnceTheSocketIsClosed() throws Exception {
    var shell = new Shell();
    var socket = socket(shell);
    Thread.startVirtualThread(socket::opened);
    socket.received(TYPED, true);
    assertThat(shell.read.await(30, TimeUnit.SECONDS)).isTrue();
    socket.closed();
    assertThat(shell.inputClosed.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whatIsTypedAfterwardsIsReadByNobodyEither() throws Exception {
    var shell = new Shell();
    var socket = socket(shell);
    Thread.startVirtualThread(socket::opened);
    socket.received(SIZE, true); // returns once it has started
    socket.closed();
    socket.received(TYPED, true);
    assertThat(shell.inputClosed.await(30, TimeUnit.SECONDS)).isTrue();
  }

  /// Otherwise the socket is closed for it, maybe before the client is told why nothing started.
  @Test
  void whatIsTypedIntoWhatWasNotStartedIsNoMistake() {
    var wanted =
        new Wanted(
            true,
            true,
            false,
            () -> {
              throw new IOException("no such program");
            });
    var socket = new ProgramSocket(wanted, () -> {});
    socket.opened();
    for (var message : new byte[][] {TYPED, SIZE, END_OF_INPUT})
      assertThatCode(() -> socket.received(message, true)).doesNotThrowAnyException();
  }
}
