package dev.berth.driver.process;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the start-up taint off a driver's node in a process of its own that ends with that
/// (PRA-03): a client of Kubernetes would cost the driver's process 60 MB for as long as it runs,
/// and be needed for seconds.
final class TaintRemoval implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TaintRemoval.class);

  private final @Nullable Process process;

  private TaintRemoval(@Nullable Process process) {
    this.process = process;
  }

  static TaintRemoval none() {
    return new TaintRemoval(null);
  }

  /// Begins where the driver is on a node of a cluster, whose name `CSI_NODE_NAME` then is, and
  /// `DISABLE_TAINT_WATCHER` is not `true`. What comes of it is in the log only: a driver without
  /// its taint removed serves all the same.
  ///
  /// @param environment names in `BERTH_LAUNCHER` the command that can do it
  static TaintRemoval begin(String driver, Map<String, String> environment) {
    var wanted =
        !environment.getOrDefault("CSI_NODE_NAME", "").isEmpty()
            && !environment.getOrDefault("DISABLE_TAINT_WATCHER", "").equals("true");
    if (!wanted) return none();
    var launcher = environment.getOrDefault("BERTH_LAUNCHER", "");
    if (launcher.isEmpty()) {
      log.info(
          "BERTH_LAUNCHER names no berth command: the taint {}/agent-not-ready is for somebody"
              + " else to remove",
          driver);
      return none();
    }
    var command = new ProcessBuilder(launcher, "driver", "startup-taint", "--driver", driver);
    command.environment().putAll(environment);
    try {
      var process = command.redirectErrorStream(true).start();
      process.getOutputStream().close();
      // A platform thread: it sits in a blocking read, for seconds to minutes.
      Thread.ofPlatform().daemon().name("startup-taint").start(() -> tell(process));
      return new TaintRemoval(process);
    } catch (IOException cannot) {
      log.warn("the start-up taint may be left: {}", cannot.getMessage());
      return none();
    }
  }

  private static void tell(Process process) {
    try (var lines = process.inputReader()) {
      lines.lines().forEach(line -> log.info("startup-taint: {}", line));
      var code = process.waitFor();
      if (code != 0) log.warn("the start-up taint may be left: its removal ended with {}", code);
    } catch (IOException | RuntimeException cut) {
      log.debug("the removal of the start-up taint was cut off", cut);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Ends the attempt: without the driver nobody must let pods come. Does nothing afterwards.
  @Override
  public void close() {
    if (process != null) process.destroyForcibly();
  }
}
