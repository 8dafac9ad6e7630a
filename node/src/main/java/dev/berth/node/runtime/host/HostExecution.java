package dev.berth.node.runtime.host;

import dev.berth.linux.file.Rooted;
import dev.berth.linux.process.ProcessIdentity;
import dev.berth.linux.process.ProgramPipes;
import dev.berth.linux.terminal.PseudoTerminal;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ExecSpec;
import dev.berth.node.runtime.Execution;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.RefusedException.Reason;
import dev.berth.node.runtime.host.DevicePolicy.Group;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// A further program of a container, held by a process of this one.
final class HostExecution implements Execution {
  /// Takes what is to be done out of the folder and becomes the launcher.
  private static final String SCRIPT = "exec 3<\"$1\" && rm -f \"$1\" && exec \"$2\"";

  /// How long what a program has left to others is waited for, once it has ended itself.
  private static final long REST_MILLIS = 500;

  private final Process process;
  private final ProgramPipes pipes;
  private final HeldSpaces spaces;
  private final Optional<PseudoTerminal> terminal;

  private HostExecution(
      Process process, ProgramPipes pipes, HeldSpaces spaces, Optional<PseudoTerminal> terminal) {
    this.process = process;
    this.pipes = pipes;
    this.spaces = spaces;
    this.terminal = terminal;
    Thread.startVirtualThread(this::settle);
  }

  /// @param first the container's first process
  /// @param spec of the program
  static Execution start(
      ContainerFolder folder,
      Path launcher,
      ProcessIdentity first,
      ContainerSpec spec,
      Optional<Group> group,
      ExecSpec.Terminal wanted)
      throws IOException, RefusedException {
    var spaces = HeldSpaces.of(first).orElseThrow(() -> notRunning(folder.id()));
    Optional<PseudoTerminal> terminal = Optional.empty();
    try {
      var root = Path.of("/proc/" + first.pid() + "/root");
      var file = ProgramLookup.find(spec, new Rooted(root));
      if (wanted == ExecSpec.Terminal.OWN)
        terminal = Optional.of(PseudoTerminal.in(root, spec.user().uid()));
      var program =
          ExecProgram.of(spec, file, spaces, group, terminal.map(PseudoTerminal::programsEnd));
      var pipes = new ProgramPipes();
      try {
        var process = launch(folder, launcher, program, pipes);
        return new HostExecution(process, pipes, spaces, terminal);
      } catch (IOException | RuntimeException failed) {
        pipes.close();
        throw failed;
      }
    } catch (ProgramLookup.MissingException missing) {
      spaces.close();
      throw new RefusedException(
          Reason.RUN_CONTAINER_ERROR, String.valueOf(missing.getMessage()), missing);
    } catch (IOException | RuntimeException failed) {
      spaces.close();
      terminal.ifPresent(PseudoTerminal::close);
      throw failed;
    }
  }

  static RefusedException notRunning(ContainerId id) {
    return new RefusedException(
        Reason.RUN_CONTAINER_ERROR, "container \"" + id.name() + "\" is not running");
  }

  private static Process launch(
      ContainerFolder folder, Path launcher, byte[] program, ProgramPipes pipes)
      throws IOException {
    var onlyRoot =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var file = Files.createFile(folder.directory().resolve("exec-" + UUID.randomUUID()), onlyRoot);
    Files.write(file, program);
    var builder =
        new ProcessBuilder(
            List.of("/bin/sh", "-c", SCRIPT, "exec", file.toString(), launcher.toString()));
    builder.environment().clear();
    builder.environment().putAll(Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL", "C"));
    builder.redirectInput(pipes.programsInput().toFile());
    builder.redirectOutput(pipes.programsOutput().toFile());
    builder.redirectError(pipes.programsError().toFile());
    var process = builder.start();
    pipes.started();
    return process;
  }

  /// What went wrong before the program had its terminal is shown there.
  private void settle() {
    try {
      if (terminal.isPresent())
        try (var errors = pipes.error()) {
          var said = new String(errors.readAllBytes(), StandardCharsets.UTF_8);
          if (!said.isEmpty()) terminal.get().show(said);
        }
      process.waitFor();
      spaces.close();
      pipes.finish(REST_MILLIS);
      if (terminal.isEmpty()) return;
      terminal.get().release();
      TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
      terminal.get().close();
    } catch (IOException _) {
      process.destroyForcibly();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public OutputStream input() {
    return terminal.map(PseudoTerminal::typed).orElseGet(pipes::input);
  }

  @Override
  public InputStream output() {
    return terminal.map(PseudoTerminal::shown).orElseGet(pipes::output);
  }

  @Override
  public InputStream error() {
    return terminal.isPresent() ? InputStream.nullInputStream() : pipes.error();
  }

  @Override
  public void resize(int columns, int rows) {
    terminal.ifPresent(it -> it.resize(columns, rows));
  }

  @Override
  public int await() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    pipes.close();
    terminal.ifPresent(PseudoTerminal::close);
  }
}
