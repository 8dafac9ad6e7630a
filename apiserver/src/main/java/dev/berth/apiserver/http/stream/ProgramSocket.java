package dev.berth.apiserver.http.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

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

  private static final int BLOCK = 16 * 1024;

  /// After so long without a word from what a program has left to others, its end is told.
  private static final int REST_SECONDS = 2;

  private final Wanted wanted;
  private final CompletableFuture<PodStreams.Process> started = new CompletableFuture<>();

  /// How many messages are on their way to the client, and how many have been.
  private final AtomicInteger sending = new AtomicInteger();

  private final AtomicLong sent = new AtomicLong();
  private int channel;

  ProgramSocket(Wanted wanted) {
    this.wanted = wanted;
  }

  @Override
  void opened() {
    PodStreams.Process process;
    try {
      process = wanted.start().start();
    } catch (IOException | RuntimeException refused) {
      started.cancel(false);
      tell(failure("InternalError", String.valueOf(refused.getMessage())).put("code", 500));
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
    if (!wanted.input()) process.input().close();
    var ended = new CountDownLatch(2);
    copy(process.output(), OUTPUT, wanted.output(), ended);
    copy(process.error(), ERROR, wanted.error(), ended);
    int code = process.await();
    awaitWords(ended);
    tell(code == 0 ? JsonNodeFactory.instance.objectNode().put("status", "Success") : exit(code));
  }

  /// All that the program has written goes out first, however slow the client is.
  private void awaitWords(CountDownLatch ended) throws InterruptedException {
    long before;
    do before = sent.get();
    while (!ended.await(REST_SECONDS, TimeUnit.SECONDS)
        && (sending.get() > 0 || sent.get() != before));
  }

  /// What nobody wants is read all the same: a program must not hang because of it.
  private void copy(InputStream from, int stream, boolean send, CountDownLatch ended) {
    Thread.startVirtualThread(() -> {
      var block = new byte[BLOCK];
      block[0] = (byte) stream;
      try {
        for (int n = from.read(block, 1, BLOCK - 1); n >= 0; n = from.read(block, 1, BLOCK - 1))
          if (send && n > 0) sendOn(ByteBuffer.wrap(Arrays.copyOf(block, n + 1)));
      } catch (IOException _) {
        // the program was killed, or the client has left
      } finally {
        ended.countDown();
      }
    });
  }

  private void sendOn(ByteBuffer words) throws IOException {
    sending.incrementAndGet();
    try {
      send(words);
    } finally {
      sent.incrementAndGet();
      sending.decrementAndGet();
    }
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
        if (rest.length == 1 && rest[0] == INPUT) input().close();
      }
      default -> {} // streams that are ours
    }
  }

  private void type(byte[] bytes) {
    if (!wanted.input() || bytes.length == 0) return;
    try {
      var input = input();
      input.write(bytes);
      input.flush();
    } catch (IOException _) {
      // the program does not read any more
    }
  }

  private OutputStream input() throws IOException {
    return process().input();
  }

  private void resize(byte[] bytes) throws IOException {
    JsonNode size = JSON.readTree(bytes);
    if (size != null) process().resize(size.path("Width").asInt(), size.path("Height").asInt());
  }

  /// What comes before the program has started waits for it.
  private PodStreams.Process process() throws IOException {
    try {
      return started.get();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    } catch (ExecutionException | CancellationException never) {
      throw new IOException("the program was not started", never);
    }
  }

  @Override
  void closed() {
    if (!started.cancel(false) && !started.isCancelled()) started.join().close();
  }

  private void tell(ObjectNode status) {
    status.putObject("metadata");
    try {
      var text = JSON.writeValueAsBytes(status);
      send(ByteBuffer.allocate(text.length + 1).put((byte) STATUS).put(text).flip());
    } catch (IOException _) {
      // the client has left
    }
  }

  private static ObjectNode exit(int code) {
    var status =
        failure(
            "NonZeroExitCode", "command terminated with non-zero exit code: exit status " + code);
    status
        .putObject("details")
        .putArray("causes")
        .addObject()
        .put("reason", "ExitCode")
        .put("message", Integer.toString(code));
    return status;
  }

  private static ObjectNode failure(String reason, String message) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("status", "Failure")
        .put("message", message)
        .put("reason", reason);
  }
}
