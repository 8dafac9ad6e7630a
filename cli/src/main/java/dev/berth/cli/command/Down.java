package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.option.HomeOption;
import dev.berth.cli.session.Leftovers;
import dev.berth.cli.stack.Stack;
import dev.berth.cli.terminal.Terminal;
import dev.berth.linux.process.ProcessDescriptor;
import dev.berth.linux.process.ProcessIdentity;
import dev.berth.linux.process.ProcessWatch;
import dev.berth.linux.process.Signal;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    var stack = home.home();
    try {
      var running = stack.running();
      if (running.isPresent()) end(running.get());
      else if (stack.hasLeftovers()) takeOver();
      else {
        tell("berth is not up in " + stack.folder());
        return 0;
      }
      Leftovers.check(stack);
    } catch (IOException unreadable) {
      throw new Problem(
          "cannot look into %s: %s; use sudo, or be the user who started the stack"
              .formatted(stack.folder(), unreadable.getMessage()));
    }
    tell("down in " + Terminal.text(Duration.ofNanos(System.nanoTime() - begun)));
    return 0;
  }

  private static void tell(String line) {
    Terminal.standard().line(line);
  }

  /// Containers and mounts outlive a stack that was killed: only nodes can end them in order.
  private void takeOver() throws InterruptedException {
    tell("the stack was killed, or left mounts; starting its nodes once more, to end in order");
    Stack.end(home.home(), home.home().nodesBefore());
  }

  private void end(ProcessIdentity process) throws InterruptedException {
    var ended = new CountDownLatch(1);
    try (var watch = new ProcessWatch()) {
      watch.watch(process, ended::countDown);
      terminate(process);
      if (ended.await(timeout, TimeUnit.SECONDS)) return;
    }
    throw new Problem(
        "the stack (pid "
            + process.pid()
            + ") has not ended in "
            + timeout
            + " s; "
            + home.home().processLog()
            + " says what it waits for");
  }

  private static void terminate(ProcessIdentity process) {
    try (var stack = ProcessDescriptor.open(process).orElse(null)) {
      if (stack != null) stack.send(Signal.TERM); // else it has ended just now
    } catch (LinuxException refused) {
      throw new Problem(
          "may not end the stack (pid %d): %s; use sudo, or be the user who started it"
              .formatted(process.pid(), refused.getMessage()));
    }
  }
}
