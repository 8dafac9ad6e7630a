package judge;

import dev.berth.cli.command.Berth;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/// A sidecar that runs: upstream's as a process, ours as a thread of this one, which spares its start.
sealed interface Program {
  /// Its exit code, if it has ended by itself.
  OptionalInt ended();

  void stop() throws InterruptedException;

  record Process(java.lang.Process process) implements Program {
    static Process start(List<String> command, Map<String, String> environment, Path log)
        throws Exception {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.redirectInput(new File("/dev/null"));
      builder.environment().putAll(environment);
      return new Process(builder.start());
    }

    @Override
    public OptionalInt ended() {
      return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    @Override
    public void stop() throws InterruptedException {
      process.destroy();
      if (!process.waitFor(5, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    }
  }

  /// By the command line, as `berth` has it.
  final class Within implements Program {
    private final Thread thread;
    private volatile OptionalInt code = OptionalInt.empty();

    Within(List<String> words) {
      thread =
          Thread.ofPlatform().daemon().start(() -> {
            int ended = Berth.run(words.toArray(String[]::new));
            code = OptionalInt.of(ended);
          });
    }

    @Override
    public OptionalInt ended() {
      return code;
    }

    @Override
    public void stop() throws InterruptedException {
      thread.interrupt();
      thread.join(5000);
    }
  }

  static List<String> words(List<String> first, List<String> rest) {
    var all = new ArrayList<>(first);
    all.addAll(rest);
    return all;
  }
}
