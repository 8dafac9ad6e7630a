package dev.berth.cli.command;

import dev.berth.sidecar.nodeplugin.StartupTaint;
import dev.berth.sidecar.nodeplugin.StartupTaint.Attempt;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the start-up taint off a driver's node in a process of its own that ends with that
/// (PRA-03): a client of Kubernetes would cost the driver's process 60 MB for as long as it runs,
/// and be needed for seconds.
final class TaintRemoval {
  private static final Logger log = LoggerFactory.getLogger(TaintRemoval.class);

  /// Does nothing where it is not wanted.
  static Attempt begin(String driver) {
    if (!StartupTaint.isWanted(System.getenv())) return () -> {};
    var launcher = System.getenv("BERTH_LAUNCHER");
    if (launcher == null) return StartupTaint.begin(driver); // then there is no second process
    try {
      var process =
          new ProcessBuilder(launcher, "driver", "startup-taint", "--driver", driver)
              .inheritIO()
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "startup-taint-stop"));
      return process::destroy;
    } catch (IOException cannot) {
      log.warn("the start-up taint may be left: {}", cannot.getMessage());
      return () -> {};
    }
  }

  private TaintRemoval() {}
}
