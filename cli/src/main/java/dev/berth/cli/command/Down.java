package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.stack.Stack;
import dev.berth.cli.stack.StackOptions;
import dev.berth.cli.terminal.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "down",
    description =
        "Stops the stack: ends containers, unmounts every volume, keeps all data and objects.",
    footer = {"", "Example:", "  berth down"})
final class Down implements Callable<Integer> {
  @Mixin private HomeOption home = new HomeOption();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long to wait for the stack to end; default: ${DEFAULT-VALUE}.")
  private long timeout = 120;

  @Override
  public Integer call() throws InterruptedException {
    long begun = System.nanoTime();
    try {
      var running = home.home().running();
      if (running.isPresent()) end(running.get());
      else if (home.home().wasKilled()) takeOver();
      else {
        tell("berth is not up in " + home.home().folder());
        return 0;
      }
    } catch (IOException unreadable) {
      throw new Problem(
          "cannot look into %s: %s; use sudo, or be the user who started the stack"
              .formatted(home.home().folder(), unreadable.getMessage()));
    }
    tell("down in " + Terminal.text(Duration.ofNanos(System.nanoTime() - begun)));
    return 0;
  }

  private static void tell(String line) {
    Terminal.standard().line(line);
  }

  /// Containers and mounts outlive a stack that was killed: only a stack can end them in order.
  private void takeOver() throws InterruptedException {
    tell("the stack was killed; starting it once more, to end in order");
    var options = new StackOptions(home.home(), home.home().nodesBefore(), 0, List.of());
    try (var _ = Stack.start(options)) {
      // closing is all there is to do
    }
  }

  private void end(ProcessHandle process) throws InterruptedException {
    if (!process.destroy())
      throw new Problem(
          "may not end the stack (pid %d); use sudo, or be the user who started it"
              .formatted(process.pid()));
    try {
      process.onExit().get(timeout, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      throw new Problem(
          "the stack (pid "
              + process.pid()
              + ") has not ended in "
              + timeout
              + " s; "
              + home.home().processLog()
              + " says what it waits for");
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("a process that ends cannot fail to", impossible);
    }
  }
}
