package dev.berth.cli.nodeplugin;

import dev.berth.cli.Problem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/// The end of a process that serves until it is told to end: by SIGTERM it ends well (REG-04).
final class UntilTold {
  private UntilTold() {}

  /// Does not return.
  ///
  /// @param close what is served; must not throw
  /// @param failed done if there is no use in going on, with what to say
  /// @throws Problem then
  static int serve(Runnable close, CompletableFuture<String> failed) {
    var code = new AtomicInteger();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  close.run();
                  Runtime.getRuntime().halt(code.get()); // told to end, and ended: not 143
                },
                "stop"));
    var why = failed.join();
    code.set(1);
    throw new Problem(why);
  }
}
