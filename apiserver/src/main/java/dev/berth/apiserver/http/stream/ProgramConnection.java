package dev.berth.apiserver.http.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.apiserver.http.stream.SpdyConnection.Message;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A program over SPDY/3.1 (`v4.channel.k8s.io`): the client opens a stream for each of what it
/// wants, and the program starts when all of them are there. How the program ended is the last word
/// on the stream of errors.
final class ProgramConnection {
  private static final Logger log = LoggerFactory.getLogger(ProgramConnection.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STATUS = "error";
  private static final String INPUT = "stdin";
  private static final String OUTPUT = "stdout";
  private static final String ERROR = "stderr";
  private static final String SIZES = "resize";

  private final SpdyConnection client;
  private final Wanted wanted;
  private final Set<String> expected;
  private final Runnable hangUp;

  /// Their numbers by what they are for.
  private final Map<String, Integer> streams = new ConcurrentHashMap<>();

  private final CompletableFuture<PodStreams.Process> started = new CompletableFuture<>();
  private @Nullable Typing typing; // of the thread that serves

  /// @param terminal whether the program gets one, whose window has sizes
  /// @param hangUp says that nothing more comes
  ProgramConnection(SpdyConnection client, Wanted wanted, boolean terminal, Runnable hangUp) {
    this.client = client;
    this.wanted = wanted;
    this.hangUp = hangUp;
    this.expected = new LinkedHashSet<>(Set.of(STATUS));
    if (wanted.input()) expected.add(INPUT);
    if (wanted.output()) expected.add(OUTPUT);
    if (wanted.error()) expected.add(ERROR);
    if (terminal) expected.add(SIZES);
  }

  /// Carries until the client leaves.
  void serve() {
    try {
      for (var next = client.next(); next.isPresent(); next = client.next()) deal(next.get());
    } catch (IOException gone) {
      log.debug("a program's streams", gone);
    } finally {
      if (!started.cancel(false) && !started.isCancelled()) started.join().close();
      if (typing != null) typing.abandon();
    }
  }

  private void deal(Message message) throws IOException {
    switch (message) {
      case Message.Opened(int stream, var headers, _) ->
          open(stream, headers.getOrDefault("streamtype", ""));
      case Message.Data(int stream, var bytes, boolean last) -> {
        if (is(INPUT, stream)) type(bytes, last);
        else if (is(SIZES, stream)) resize(bytes);
      }
      case Message.Reset(int stream) -> {
        if (is(INPUT, stream)) type(new byte[0], true);
      }
    }
  }

  private boolean is(String type, int stream) {
    return Integer.valueOf(stream).equals(streams.get(type));
  }

  private void open(int stream, String type) throws IOException {
    if (!expected.contains(type) || streams.putIfAbsent(type, stream) != null) {
      client.reset(stream);
      return;
    }
    client.accept(stream);
    if (streams.size() == expected.size()) Thread.startVirtualThread(this::run);
  }

  private void run() {
    try {
      finish(end());
    } catch (IOException _) {
      // the client has left
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    hangUp.run();
  }

  private byte[] end() throws IOException, InterruptedException {
    PodStreams.Process process;
    try {
      process = wanted.start().start();
    } catch (IOException | RuntimeException refused) {
      started.cancel(false);
      return ProgramStatus.notStarted(refused);
    }
    try (process) {
      if (!started.complete(process)) throw new IOException("the client has left meanwhile");
      return ProgramStatus.exited(new Carrying(words()).carry(process, wanted));
    }
  }

  private Carrying.Client words() {
    return new Carrying.Client() {
      @Override
      public void output(byte[] bytes, int count) throws IOException {
        client.data(number(OUTPUT), bytes, count, false);
      }

      @Override
      public void error(byte[] bytes, int count) throws IOException {
        client.data(number(ERROR), bytes, count, false);
      }
    };
  }

  private void finish(byte[] status) throws IOException {
    for (var type : Set.of(OUTPUT, ERROR))
      if (expected.contains(type)) client.data(number(type), new byte[0], 0, true);
    client.data(number(STATUS), status, status.length, true);
  }

  private int number(String type) {
    var number = streams.get(type);
    if (number == null) throw new IllegalStateException("no stream " + type + " is open");
    return number;
  }

  private void type(byte[] bytes, boolean last) throws IOException {
    if (typing == null) {
      var process = process();
      if (process.isEmpty()) return;
      typing = Typing.into(process.get().input(), client::ping);
    }
    typing.type(bytes);
    if (last) typing.end();
  }

  private void resize(byte[] bytes) throws IOException {
    if (bytes.length == 0) return;
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
}
