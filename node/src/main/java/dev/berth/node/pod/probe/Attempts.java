package dev.berth.node.pod.probe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import dev.berth.node.pod.probe.Attempt.Outcome;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ExecSpec;
import dev.berth.node.runtime.ExecSpec.Terminal;
import dev.berth.node.runtime.Execution;
import dev.berth.node.runtime.RefusedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Tries what an action of a probe or a hook says: `exec`, `httpGet`, `tcpSocket`, `grpc`, `sleep`.
public final class Attempts {
  /// Of what a program says, so much is kept.
  private static final int WORDS = 10 * 1024;

  /// An engine that does not listen holds up nobody for longer.
  private static final Duration LETTING_GO = Duration.ofSeconds(5);

  private final ContainerRuntime runtime;

  public Attempts(ContainerRuntime runtime) {
    this.runtime = runtime;
  }

  /// Tries it once, and blocks until it is over.
  ///
  /// @param action a probe, or a lifecycle handler
  /// @param limit how long it may take; then it has failed, and a program is killed
  public Attempt of(JsonNode action, Target target, Duration limit) throws InterruptedException {
    if (action.hasNonNull("exec"))
      return exec(Json.list(action.path("exec").path("command"), JsonNode::asText), target, limit);
    if (action.hasNonNull("httpGet")) return http(action.path("httpGet"), target, limit);
    if (action.hasNonNull("tcpSocket")) return tcp(action.path("tcpSocket"), target, limit);
    if (action.hasNonNull("grpc")) return grpc(action.path("grpc"), target, limit);
    if (action.hasNonNull("sleep")) return sleep(action.path("sleep"), limit);
    return Attempt.failure("missing probe handler");
  }

  private static Attempt sleep(JsonNode sleep, Duration limit) throws InterruptedException {
    var wanted = Duration.ofSeconds(sleep.path("seconds").asLong());
    Thread.sleep(wanted.compareTo(limit) < 0 ? wanted : limit);
    return Attempt.success();
  }

  private Attempt exec(List<String> command, Target target, Duration limit)
      throws InterruptedException {
    if (command.isEmpty()) return Attempt.failure("exec has no command");
    try {
      return limited(() -> run(command, target), limit);
    } catch (TimeoutException _) {
      return Attempt.failure(
          "command timed out: \"%s\" timed out after %s"
              .formatted(String.join(" ", command), text(limit)));
    } catch (IOException | RefusedException failed) {
      return Attempt.failure(String.valueOf(failed.getMessage()));
    }
  }

  /// Interrupted, it kills the program.
  private Attempt run(List<String> command, Target target)
      throws IOException, InterruptedException, RefusedException {
    try (var execution = runtime.exec(target.run(), new ExecSpec(command, Terminal.NONE))) {
      var words = new ByteArrayOutputStream();
      var output = collect(execution.output(), words);
      var errors = collect(execution.error(), words);
      execution.input().close();
      int code = code(execution, CompletableFuture.allOf(output, errors));
      var said = words.toString(StandardCharsets.UTF_8);
      if (code == 0) return new Attempt(Outcome.SUCCEEDED, said);
      return Attempt.failure(said.isBlank() ? "exit code " + code : said.strip());
    } catch (RuntimeException engine) {
      return Attempt.unknown(engine);
    }
  }

  /// What it has said by its end is there; what others go on saying is not waited for.
  private static int code(Execution execution, CompletableFuture<Void> words)
      throws InterruptedException {
    int code = execution.await();
    try {
      words.get(100, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException _) {
      // no more words
    }
    return code;
  }

  /// Reads on when enough is kept: a program must not hang because nobody listens.
  private static CompletableFuture<Void> collect(InputStream stream, ByteArrayOutputStream words) {
    var done = new CompletableFuture<Void>();
    Thread.startVirtualThread(() -> {
      var block = new byte[4096];
      try (stream) {
        for (int count = stream.read(block); count >= 0; count = stream.read(block))
          synchronized (words) {
            words.write(block, 0, Math.min(count, WORDS - Math.min(words.size(), WORDS)));
          }
      } catch (IOException _) {
        // it was killed
      } finally {
        done.complete(null);
      }
    });
    return done;
  }

  private Attempt tcp(JsonNode action, Target target, Duration limit) throws InterruptedException {
    var port = target.port(action.path("port"));
    if (port.isEmpty()) return noPort(action);
    var host = Json.text(action, "host");
    try {
      limited(() -> connect(host, target, port.getAsInt()), limit).close();
      return Attempt.success();
    } catch (UnaskedException engine) {
      return Attempt.unknown(engine);
    } catch (TimeoutException | IOException failed) {
      return Attempt.failure(dial(host, target, port.getAsInt(), failed));
    } catch (RefusedException failed) {
      return Attempt.failure(String.valueOf(failed.getMessage()));
    }
  }

  private Attempt http(JsonNode action, Target target, Duration limit) throws InterruptedException {
    var port = target.port(action.path("port"));
    if (port.isEmpty()) return noPort(action);
    var host = Json.text(action, "host");
    var request =
        new HttpRequest(action, host.isEmpty() ? target.address() : host, port.getAsInt());
    try {
      int status =
          limited(
              () -> {
                try (var channel = connect(host, target, port.getAsInt())) {
                  channel.socket().setSoTimeout((int) Math.max(1, limit.toMillis()));
                  return request.status(channel.socket());
                }
              },
              limit);
      return status >= 200 && status < 400
          ? Attempt.success()
          : Attempt.failure("HTTP probe failed with statuscode: " + status);
    } catch (UnaskedException engine) {
      return Attempt.unknown(engine);
    } catch (TimeoutException | IOException failed) {
      return Attempt.failure(
          "Get \"%s\": %s".formatted(request.url(), dial(host, target, port.getAsInt(), failed)));
    } catch (RefusedException failed) {
      return Attempt.failure(String.valueOf(failed.getMessage()));
    }
  }

  private Attempt grpc(JsonNode action, Target target, Duration limit) throws InterruptedException {
    var port = target.port(action.path("port"));
    if (port.isEmpty()) return noPort(action);
    try {
      return limited(
          () -> {
            try (var channel = connect("", target, port.getAsInt())) {
              channel.socket().setSoTimeout((int) Math.max(1, limit.toMillis()));
              return GrpcHealth.check(
                  channel.socket().getInputStream(),
                  channel.socket().getOutputStream(),
                  "%s:%d".formatted(target.address(), port.getAsInt()),
                  Json.text(action, "service"));
            }
          },
          limit);
    } catch (UnaskedException engine) {
      return Attempt.unknown(engine);
    } catch (TimeoutException | SocketTimeoutException late) {
      return Attempt.failure(
          "timeout: health rpc did not complete within %s".formatted(text(limit)));
    } catch (IOException failed) {
      return Attempt.failure(dial("", target, port.getAsInt(), failed));
    } catch (RefusedException failed) {
      return Attempt.failure(String.valueOf(failed.getMessage()));
    }
  }

  private static Attempt noPort(JsonNode action) {
    return Attempt.failure("couldn't find port: " + action.path("port").asText());
  }

  /// Of another host if the author names one.
  private SocketChannel connect(String host, Target target, int port) throws IOException {
    if (!host.isEmpty()) return SocketChannel.open(new InetSocketAddress(host, port));
    try {
      return runtime.connect(target.run().podUid(), port);
    } catch (RuntimeException engine) {
      throw new UnaskedException(engine);
    }
  }

  /// It is not known where the pod listens, and so not whether it does.
  private static final class UnaskedException extends IOException {
    private static final long serialVersionUID = 1;

    UnaskedException(RuntimeException engine) {
      super(engine.getMessage(), engine);
    }
  }

  private static String dial(String host, Target target, int port, Exception failed) {
    var name = host.isEmpty() ? target.address() : host;
    // Either of the two watches may be the first.
    return failed instanceof TimeoutException || failed instanceof SocketTimeoutException
        ? "context deadline exceeded"
        : "dial tcp %s:%d: %s".formatted(name, port, failed.getMessage());
  }

  private static String text(Duration limit) {
    return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + "s" : limit.toMillis() + "ms";
  }

  /// Work that fails in one of two ways.
  @FunctionalInterface
  private interface Work<T> {
    T get() throws IOException, InterruptedException, RefusedException;
  }

  /// On a thread of its own, which is interrupted when the time is over: that closes its sockets.
  /// Interrupted itself, it waits until that thread has let go of them: who gives an attempt up is
  /// told that nothing of it is under way any more.
  private static <T> T limited(Work<T> work, Duration limit)
      throws InterruptedException, TimeoutException, IOException, RefusedException {
    var result = new CompletableFuture<T>();
    var thread =
        Thread.startVirtualThread(() -> {
          try {
            result.complete(work.get());
          } catch (Exception failed) {
            result.completeExceptionally(failed);
          }
        });
    try {
      return result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      var cause = failed.getCause();
      if (cause instanceof IOException io) throw io;
      if (cause instanceof RefusedException refused) throw refused;
      throw new IOException(String.valueOf(failed.getMessage()), failed);
    } catch (InterruptedException givenUp) {
      thread.interrupt();
      thread.join(LETTING_GO);
      throw givenUp;
    } finally {
      thread.interrupt();
    }
  }
}
