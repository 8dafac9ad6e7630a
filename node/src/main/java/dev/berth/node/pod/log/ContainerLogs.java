package dev.berth.node.pod.log;

import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.LogFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// Reads what containers have written, also while they write it. The lines are the containers' own,
/// whatever format the log is kept in.
public final class ContainerLogs {
  private static final int ATTEMPTS = 5;

  private final LogLayout layout;
  private final ContainerRuntime runtime;
  private final Map<ContainerId, Set<WatchService>> followers = new ConcurrentHashMap<>();

  /// @param runtime tells when there is nothing more to come
  public ContainerLogs(LogLayout layout, ContainerRuntime runtime) {
    this.layout = layout;
    this.runtime = runtime;
    runtime.listen(this::ended);
  }

  /// Which part of a log.
  ///
  /// @param previous the run before the latest
  /// @param follow whether to go on until the container has ended
  /// @param tailLines how many of the last lines; empty: all
  /// @param limitBytes how much at most; empty: all
  /// @param timestamps whether each line begins with its time
  /// @param since only lines from then on; empty: all
  public record Part(
      boolean previous,
      boolean follow,
      OptionalLong tailLines,
      OptionalLong limitBytes,
      boolean timestamps,
      Optional<Instant> since) {
    public static final Part ALL =
        new Part(false, false, OptionalLong.empty(), OptionalLong.empty());

    /// The container's own words, from whenever they are.
    public Part(boolean previous, boolean follow, OptionalLong tailLines, OptionalLong limitBytes) {
      this(previous, follow, tailLines, limitBytes, false, Optional.empty());
    }

    boolean asksTimes() {
      return timestamps || since.isPresent();
    }
  }

  /// Times are asked for, and the log has none.
  public static final class TimelessException extends IOException {
    private static final long serialVersionUID = 1;

    TimelessException() {
      super(
          "logs are kept as containers write them, without times; ask without --timestamps and"
              + " --since");
    }
  }

  /// Opens a container's log. A read of one that is followed blocks while there is nothing new, and
  /// ends when the container has ended or another thread closes the stream.
  ///
  /// @throws NoSuchFileException if the container has no such run on this node
  /// @throws TimelessException if times are asked for and there are none
  public InputStream open(String namespace, String pod, String podUid, String container, Part part)
      throws IOException {
    if (runtime.logFormat() == LogFormat.CRI) {
      var whole = new Part(part.previous(), part.follow(), part.tailLines(), OptionalLong.empty());
      return new CriLines(
          kept(namespace, pod, podUid, container, whole),
          part.timestamps(),
          part.since(),
          part.limitBytes().orElse(Long.MAX_VALUE));
    }
    if (part.asksTimes()) throw new TimelessException();
    return kept(namespace, pod, podUid, container, part);
  }

  private InputStream kept(String namespace, String pod, String podUid, String container, Part part)
      throws IOException {
    var run = run(namespace, pod, podUid, container, part.previous());
    for (int attempt = 0; ; attempt++) {
      try {
        return open(new LogFiles(layout.file(namespace, pod, run)), run, part);
      } catch (NoSuchFileException putAside) {
        if (attempt == ATTEMPTS) throw putAside; // and not renamed under our hands
      }
    }
  }

  private InputStream open(LogFiles files, ContainerId run, Part part) throws IOException {
    var start =
        part.tailLines().isPresent()
            ? files.tail(part.tailLines().getAsLong())
            : new LogFiles.Start(files.all().getFirst(), 0);
    var log = files.open(start.file());
    try {
      log.channel().position(start.position());
      long limit = part.limitBytes().orElse(Long.MAX_VALUE);
      if (!part.follow()) return new LogStream(files, log, Optional.empty(), limit, () -> {});
      var growth = watch(files.folder(), run);
      return new LogStream(files, log, Optional.of(growth), limit, () -> unfollow(run, growth));
    } catch (IOException | RuntimeException failure) {
      log.channel().close();
      throw failure;
    }
  }

  private ContainerId run(
      String namespace, String pod, String podUid, String container, boolean previous)
      throws IOException {
    var any = new ContainerId(podUid, container, 0);
    int latest = latest(layout.directory(namespace, pod, any));
    int wanted = previous ? latest - 1 : latest;
    if (wanted < 0)
      throw new NoSuchFileException(
          "%scontainer \"%s\" in pod \"%s\" not found"
              .formatted(previous ? "previous terminated " : "", container, pod));
    return new ContainerId(podUid, container, wanted);
  }

  /// Number of the latest run; below 0: there is none.
  private static int latest(Path directory) throws IOException {
    try (Stream<Path> logs = Files.list(directory)) {
      return logs.map(log -> log.getFileName().toString())
          .filter(name -> name.matches("[0-9]{1,9}\\.log"))
          .mapToInt(name -> Integer.parseInt(name.substring(0, name.indexOf('.'))))
          .max()
          .orElse(-1);
    } catch (NoSuchFileException _) {
      return -1;
    }
  }

  private WatchService watch(Path directory, ContainerId run) throws IOException {
    var growth = directory.getFileSystem().newWatchService();
    directory.register(
        growth, StandardWatchEventKinds.ENTRY_MODIFY, StandardWatchEventKinds.ENTRY_CREATE);
    followers.computeIfAbsent(run, _ -> ConcurrentHashMap.newKeySet()).add(growth);
    if (!runs(run)) growth.close(); // after it was added: an end in between is told
    return growth;
  }

  private void unfollow(ContainerId run, WatchService growth) {
    followers.computeIfPresent(
        run,
        (_, others) -> {
          others.remove(growth);
          return others.isEmpty() ? null : others;
        });
  }

  private boolean runs(ContainerId run) {
    return runtime
        .find(run)
        .filter(container -> container.state() instanceof ContainerState.Running)
        .isPresent();
  }

  private void ended(ContainerId run) {
    for (var watch : followers.getOrDefault(run, Set.of())) {
      try {
        watch.close();
      } catch (IOException _) {
        // nobody waits on it any more
      }
    }
  }
}
