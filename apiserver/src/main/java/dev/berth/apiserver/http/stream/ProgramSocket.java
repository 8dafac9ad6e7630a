package dev.berth.apiserver.http.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// A program over a WebSocket: the first byte of each message says which stream it belongs to. How
/// the program ended is the last message, a `Status` on the stream of errors.
final class ProgramSocket extends Socket {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int INPUT = 0;
  private static final int OUTPUT = 1;
  private static final int ERROR = 2;
  private static final int STATUS = 3;
  private static final int RESIZE = 4;

  /// Only since v5: the next byte says which stream has come to its end.
  private static final int CLOSE = 255;

  private final Wanted wanted;
  private final CompletableFuture<PodStreams.Process> started = new CompletableFuture<>();
  private int channel;
  private volatile @Nullable Typing typing; // begun by one message after the other
  private volatile boolean left;

  ProgramSocket(Wanted wanted, Runnable gone) {
    super(gone);
    this.wanted = wanted;
  }

  @Override
  void opened() {
    PodStreams.Process process;
    try {
      process = wanted.start().start();
    } catch (IOException | RuntimeException refused) {
      started.cancel(false);
      tell(ProgramStatus.notStarted(refused));
      end();
      return;
    }
    try (process) {
      if (!started.complete(process)) return; // the client has left meanwhile
      carry(process);
    } catch (IOException _) {
      // the client has left, or could not send its input's end
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    end();
  }

  private void carry(PodStreams.Process process) throws IOException, InterruptedException {
    tell(ProgramStatus.exited(new Carrying(words()).carry(process, wanted)));
  }

  private Carrying.Client words() {
    return new Carrying.Client() {
      @Override
      public void output(byte[] bytes, int count) throws IOException {
        send(message(OUTPUT, bytes, count));
      }

      @Override
      public void error(byte[] bytes, int count) throws IOException {
        send(message(ERROR, bytes, count));
      }
    };
  }

  private static ByteBuffer message(int stream, byte[] bytes, int count) {
    return ByteBuffer.allocate(count + 1).put((byte) stream).put(bytes, 0, count).flip();
  }

  @Override
  void received(byte[] bytes, boolean first) throws IOException {
    if (first && bytes.length == 0) return;
    if (first) channel = bytes[0] & 0xff;
    var rest = first ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    switch (channel) {
      case INPUT -> type(rest);
      case RESIZE -> resize(rest);
      case CLOSE -> {
        if (rest.length == 1 && rest[0] == INPUT) typed(Typing::end);
      }
      default -> {} // streams that are ours
    }
  }

  private void type(byte[] bytes) throws IOException {
    if (wanted.input() && bytes.length > 0) typed(typing -> typing.type(bytes));
  }

  private interface Input {
    void into(Typing typing) throws IOException;
  }

  private void typed(Input input) throws IOException {
    var begun = typing;
    if (begun == null) {
      var process = process();
      if (process.isEmpty()) return;
      begun = Typing.into(process.get().input(), this::ping);
      typing = begun;
      if (left) begun.abandon(); // who closed it may have seen none
    }
    input.into(begun);
  }

  private void resize(byte[] bytes) throws IOException {
    JsonNode size = JSON.readTree(bytes);
    if (size == null) return;
    process().ifPresent(it -> it.resize(size.path("Width").asInt(), size.path("Height").asInt()));
  }

  /// What comes before the program has started waits for it.
  ///
  /// @return empty: it was not started. The client is being told so, which is not to be cut off
  private Optional<PodStreams.Process> process() throws IOException {
    try {
      return Optional.of(started.get());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    } catch (ExecutionException | CancellationException never) {
      return Optional.empty();
    }
  }

  @Override
  void closed() {
    left = true;
    if (!started.cancel(false) && !started.isCancelled()) started.join().close();
    var begun = typing;
    if (begun != null) begun.abandon();
  }

  private void tell(byte[] status) {
    try {
      send(message(STATUS, status, status.length));
    } catch (IOException _) {
      // the client has left
    }
  }
}
