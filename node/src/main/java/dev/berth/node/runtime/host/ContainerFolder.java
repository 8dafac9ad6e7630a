package dev.berth.node.runtime.host;

import dev.berth.linux.process.Boot;
import dev.berth.linux.process.ProcessIdentity;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/// The files of one container, which are all that is known of it.
///
/// @param directory `containers/<name>/<attempt>` below the pod's directory
record ContainerFolder(ContainerId id, Path directory) {
  /// What the files and the kernel say together.
  sealed interface Trace {
    /// No shim was there, or it ended before the container's first process ran: nothing has run.
    record NeverStarted() implements Trace {}

    /// The shim is about to start the container, or to give up.
    record Starting(ProcessIdentity shim) implements Trace {}

    /// The container's processes may run.
    record Live(ProcessIdentity shim, ContainerState state) implements Trace {}

    /// They do not.
    record Over(ContainerState state) implements Trace {}
  }

  /// The container's layer of changes, and what the kernel needs beside it.
  Path layer() {
    return directory.resolve("layer");
  }

  /// Where the root is put together, in the container's own name space; empty for everybody else.
  Path root() {
    return directory.resolve("root");
  }

  /// Directories that the container gets in place of the machine's.
  Path scratch(String name) {
    return directory.resolve("scratch").resolve(name);
  }

  /// Where nodes of devices are made, in the container's own name space; empty for everybody else.
  Path devices() {
    return directory.resolve("devices");
  }

  /// An empty file, to be put over others.
  Path empty() {
    return directory.resolve("empty");
  }

  Path terminationMessage() {
    return directory.resolve("message");
  }

  /// Named pipe from the container's processes to the log.
  Path output() {
    return directory.resolve("output");
  }

  Path shim() {
    return directory.resolve("shim");
  }

  /// What the launcher carries out.
  Path program() {
    return directory.resolve("program");
  }

  /// What copies the output to the log.
  Path copy() {
    return directory.resolve("copy");
  }

  /// What further programs of the container need to know.
  Path kept() {
    return directory.resolve("kept");
  }

  /// Which image it runs from, if that is not the machine's own root ([UsedImage]).
  Path image() {
    return directory.resolve("image");
  }

  /// Names of the machine's neighbours, for a root that has none of its own.
  Path copyOf(String file) {
    return directory.resolve("copy-" + file);
  }

  /// Blank until the container has ended.
  Path exit() {
    return directory.resolve("exit");
  }

  Trace trace() {
    var shim = shimIdentity();
    if (shim.isEmpty()) return new Trace.NeverStarted();
    boolean alive = shim.get().isAlive(); // before the files: what it wrote last is there then
    var started = started();
    var exitCode = exitCode();
    if (alive && started.isEmpty()) return new Trace.Starting(shim.get());
    if (started.isEmpty()) return new Trace.NeverStarted();
    var begin = started.get();
    if (exitCode.isPresent())
      return new Trace.Over(
          new ContainerState.Exited(begin, modified(exit()), exitCode.getAsInt()));
    if (alive) return new Trace.Live(shim.get(), new ContainerState.Running(begin));
    return new Trace.Over(new ContainerState.Lost(begin, missed(begin), whyLost(shim.get())));
  }

  private Optional<ProcessIdentity> shimIdentity() {
    return read("running").flatMap(ProcessIdentity::parse);
  }

  private Optional<Instant> started() {
    return read("started")
        .filter(text -> !text.isEmpty())
        .map(_ -> modified(directory.resolve("started")));
  }

  private OptionalInt exitCode() {
    var text = read("exit").orElse("");
    return text.endsWith("\n")
        ? OptionalInt.of(Integer.parseInt(text.strip()))
        : OptionalInt.empty();
  }

  /// The first look at which it was gone is on record, for later ones to say the same.
  private Instant missed(Instant started) {
    var file = directory.resolve("missed");
    try {
      if (!Files.exists(file)) Files.createFile(file);
    } catch (FileAlreadyExistsException _) {
      // another look at the same moment
    } catch (IOException full) {
      return started;
    }
    return modified(file);
  }

  private static String whyLost(ProcessIdentity shim) {
    return shim.bootId().equals(Boot.id())
        ? "the process that watched the container was killed, and the container with it"
        : "the machine was restarted while the container ran";
  }

  private Optional<String> read(String name) {
    try {
      return Optional.of(Files.readString(directory.resolve(name)));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException broken) {
      throw new UncheckedIOException("read the state of container " + id, broken);
    }
  }

  private static Instant modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException broken) {
      throw new UncheckedIOException("read the time of " + file, broken);
    }
  }
}
