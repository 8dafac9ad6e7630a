package dev.berth.node.runtime.cri;

import com.google.protobuf.ByteString;
import dev.berth.node.runtime.Execution;
import dev.berth.node.runtime.cri.v1.ExecSyncRequest;
import dev.berth.node.runtime.cri.v1.ExecSyncResponse;
import io.grpc.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/// A further program in a container of an engine, which runs it to its end and tells then what it
/// has written: enough for probes and hooks. It reads nothing and has no terminal.
final class CriExecution implements Execution {
  /// As shells say of what could not be run.
  private static final int NOT_RUN = 126;

  private static final Duration LONGEST = Duration.ofDays(1);

  private final Context.CancellableContext context = Context.current().withCancellation();
  private final CompletableFuture<ExecSyncResponse> answer = new CompletableFuture<>();

  CriExecution(CriConnection engine, String key, List<String> command) {
    var request = ExecSyncRequest.newBuilder().setContainerId(key).addAllCmd(command).build();
    Thread.startVirtualThread(() ->
        context.run(() -> {
          try {
            answer.complete(
                engine.runtime(
                    "run " + command.getFirst() + " in the container",
                    LONGEST,
                    stub -> stub.execSync(request)));
          } catch (CriException failed) {
            answer.complete(
                ExecSyncResponse.newBuilder()
                    .setExitCode(NOT_RUN)
                    .setStderr(ByteString.copyFromUtf8(failed.getMessage() + "\n"))
                    .build());
          }
        }));
  }

  @Override
  public OutputStream input() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("a program that a container engine runs reads nothing here");
      }
    };
  }

  @Override
  public InputStream output() {
    return new Later(ExecSyncResponse::getStdout);
  }

  @Override
  public InputStream error() {
    return new Later(ExecSyncResponse::getStderr);
  }

  @Override
  public void resize(int columns, int rows) {
    // it has no terminal
  }

  @Override
  public int await() throws InterruptedException {
    try {
      return answer.get().getExitCode();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("an answer that is always given", impossible);
    }
  }

  /// An engine ends a program that nobody waits for.
  @Override
  public void close() {
    context.cancel(null);
  }

  /// What is there when the program has ended.
  private final class Later extends InputStream {
    private final Function<ExecSyncResponse, ByteString> part;
    private int read;

    Later(Function<ExecSyncResponse, ByteString> part) {
      this.part = part;
    }

    @Override
    public int read() {
      var bytes = part.apply(answer.join());
      return read < bytes.size() ? bytes.byteAt(read++) & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      var bytes = part.apply(answer.join());
      if (length == 0) return 0;
      int count = Math.min(length, bytes.size() - read);
      if (count <= 0) return -1;
      bytes.copyTo(target, read, offset, count);
      read += count;
      return count;
    }
  }
}
