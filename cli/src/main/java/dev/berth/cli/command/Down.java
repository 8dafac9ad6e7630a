package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.terminal.Terminal;
import java.io.IOException;
import java.time.Duration;
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
  public Integer call() throws IOException, InterruptedException {
    var terminal = Terminal.standard();
    var running = home.home().running();
    if (running.isEmpty()) {
      terminal.line("berth is not up in " + home.home().folder());
      return 0;
    }
    var process = running.get();
    long begun = System.nanoTime();
    process.destroy();
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
    terminal.line("down in " + Terminal.text(Duration.ofNanos(System.nanoTime() - begun)));
    return 0;
  }
}
