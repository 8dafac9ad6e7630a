package dev.berth.linux.tool;

import dev.berth.linux.process.ProgramPipes;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// [Tools] by starting processes.
final class InstalledTools implements Tools {
  private static final List<String> FOLDERS =
      List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/local/bin");

  /// Programs at once: more of them only take memory and processors from each other.
  private static final Semaphore PLACES =
      new Semaphore(Math.max(4, 2 * Runtime.getRuntime().availableProcessors()), true);

  /// A program that takes longer gives its place up: the repair of a large disk, or one that hangs
  /// in a dead device, keeps nobody waiting.
  private static final Duration IN_PLACE = Duration.ofSeconds(10);

  /// How long those are waited for who still write when the program has ended.
  private static final long REST_MILLIS = 1000;

  @Override
  public boolean has(String program) {
    return find(program).isPresent();
  }

  @Override
  public Result run(List<String> command, Duration deadline) {
    var program = command.getFirst();
    var attempt = String.join(" ", command);
    var file =
        find(program)
            .orElseThrow(() ->
                new LinuxException(
                    attempt, new Failure.ToolMissing(program, Tools.packageOf(program))));
    var builder = new ProcessBuilder(new ArrayList<>(command));
    builder.command().set(0, file.toString());
    builder.environment().clear();
    builder.environment().put("LC_ALL", "C");
    builder.environment().put("PATH", String.join(":", FOLDERS));
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    try {
      return result(attempt, builder, deadline);
    } catch (IOException broken) {
      throw new LinuxException(
          attempt, new Failure.ToolFailed(127, String.valueOf(broken.getMessage())));
    }
  }

  private static Result result(String attempt, ProcessBuilder builder, Duration deadline)
      throws IOException {
    // others may hold the ends of a program that is dead, or cannot die: we let go of ours
    try (var pipes = new ProgramPipes()) {
      pipes.input().close();
      builder.redirectOutput(pipes.programsOutput().toFile());
      builder.redirectError(pipes.programsError().toFile());
      Process process;
      CompletableFuture<String> output;
      CompletableFuture<String> errors;
      boolean soon;
      PLACES.acquireUninterruptibly();
      try {
        process = builder.start();
        pipes.started();
        output = collect(pipes.output());
        errors = collect(pipes.error());
        soon = ended(process, deadline.compareTo(IN_PLACE) < 0 ? deadline : IN_PLACE);
      } finally {
        PLACES.release();
      }
      if (!soon && !ended(process, deadline.minus(IN_PLACE))) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new LinuxException(attempt, new Failure.TimedOut(deadline));
      }
      finish(pipes);
      return new Result(process.exitValue(), output.join(), errors.join());
    }
  }

  /// What the program has left in its pipes is read, whatever the caller is interrupted for.
  private static void finish(ProgramPipes pipes) {
    try {
      pipes.finish(REST_MILLIS);
    } catch (InterruptedException _) {
      try {
        pipes.finish(REST_MILLIS);
      } catch (InterruptedException again) {
        // what has come by now is all that is told
      }
      Thread.currentThread().interrupt();
    }
  }

  /// Waits also while being interrupted: half a file system is worse than a late stop (CON-04).
  private static boolean ended(Process process, Duration deadline) {
    long end = System.nanoTime() + deadline.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  /// Reads to the end: a program whose pipe is closed or full does not come to its own.
  private static CompletableFuture<String> collect(InputStream stream) {
    var text = new CompletableFuture<String>();
    Thread.ofVirtual()
        .start(() -> {
          try (stream) {
            var kept = new BothEnds();
            stream.transferTo(kept);
            text.complete(kept.text());
          } catch (IOException | RuntimeException | Error lost) { // somebody waits for it
            text.complete("(output lost: " + lost.getMessage() + ")");
          }
        });
    return text;
  }

  private static Optional<Path> find(String program) {
    return FOLDERS.stream()
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
