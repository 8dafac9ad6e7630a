package dev.berth.cli.nodeplugin;

import dev.berth.cli.Problem;
import dev.berth.csi.client.CsiException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/// A process that serves until it is told to end: by SIGTERM it ends well (REG-04), also if that
/// comes while it begins.
public final class UntilTold {
  /// For what is about to be served when SIGTERM comes: well below what a kubelet grants.
  private static final int SECONDS_TO_BEGIN = 2;

  private UntilTold() {}

  /// What is served; `close` takes it away again, and does not throw.
  public interface Served {
    void close();

    /// Done if there is no use in going on, with what to say.
    default CompletableFuture<String> failed() {
      return new CompletableFuture<>();
    }
  }

  /// What begins to serve.
  public interface Start {
    Served begin() throws IOException, InterruptedException;
  }

  /// Does not return.
  ///
  /// @throws Problem if it cannot begin, or fails
  public static int serve(Start start) throws InterruptedException {
    var begun = new CompletableFuture<Served>();
    var code = new AtomicInteger();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(begun, code.get()), "stop"));
    try {
      var served = begin(start);
      begun.complete(served);
      throw new Problem(served.failed().join());
    } catch (Problem problem) {
      code.set(problem.exitCode());
      throw problem;
    } finally {
      begun.completeExceptionally(new IllegalStateException("it has not begun"));
    }
  }

  private static Served begin(Start start) throws InterruptedException {
    try {
      return start.begin();
    } catch (IOException | CsiException | IllegalArgumentException cannot) {
      throw new Problem(String.valueOf(cannot.getMessage()));
    }
  }

  private static void end(CompletableFuture<Served> begun, int code) {
    try {
      begun.get(SECONDS_TO_BEGIN, TimeUnit.SECONDS).close();
    } catch (ExecutionException | TimeoutException | InterruptedException nothingServed) {
      // Nothing to take away: what is served appears at once, when its driver has said its name.
    } finally {
      Runtime.getRuntime().halt(code); // told to end, and ended: not 143
    }
  }
}
