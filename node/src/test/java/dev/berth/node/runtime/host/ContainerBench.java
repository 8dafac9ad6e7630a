package dev.berth.node.runtime.host;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.Machine;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.tool.Tools;
import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.ContainerSpec.Root;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.Program;
import dev.berth.node.runtime.RefusedException;
import dev.berth.node.runtime.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A node's root in a temporary directory, and a runtime over it whose containers all end with the
/// test.
final class ContainerBench {
  final Path directory;
  final Layout layout;
  final Mounts mounts = Mounts.ofThisMachine();
  final Set<ContainerId> ended = ConcurrentHashMap.newKeySet();
  HostRuntime runtime;

  private ContainerBench(Path directory) throws InterruptedException {
    this.directory = directory;
    this.layout = new Layout(directory.resolve("node"));
    this.runtime = opened();
  }

  /// Skips the test where containers cannot run.
  static ContainerBench open() throws IOException, InterruptedException {
    new Machine(Tools.ofThisMachine()).whyNoContainers().ifPresent(why -> assumeTrue(false, why));
    return new ContainerBench(Files.createTempDirectory("berth-run").toRealPath());
  }

  /// The runtime of the next process of the agent.
  HostRuntime reopened() throws InterruptedException {
    runtime.close();
    runtime = opened();
    return runtime;
  }

  private HostRuntime opened() throws InterruptedException {
    var opened = HostRuntime.open(layout, List.of());
    opened.listen(ended::add);
    return opened;
  }

  Path log() {
    return directory.resolve("log");
  }

  /// A shell script in a container with default settings.
  ContainerSpec script(String script) {
    return spec(new ContainerId("pod-1", "app", 0), script, log());
  }

  static ContainerSpec spec(ContainerId id, String script, Path log) {
    return new ContainerSpec(
        id,
        "host",
        "web-0",
        new Program(List.of("sh", "-c", script), Map.of(), ""),
        User.ROOT,
        Rights.ORDINARY,
        Root.WRITABLE,
        List.of(),
        List.of(),
        log,
        Optional.of("/dev/termination-log"));
  }

  /// Runs it to its end and gives back its log.
  String run(ContainerSpec spec) throws RefusedException {
    runtime.start(spec);
    awaitEnd(spec.id());
    return logged();
  }

  ContainerState.Exited awaitEnd(ContainerId id) {
    await().atMost(Duration.ofSeconds(10)).until(() -> ended.contains(id));
    return (ContainerState.Exited) runtime.find(id).orElseThrow().state();
  }

  void awaitLog(String text) {
    await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> Files.exists(log()) && logged().contains(text));
  }

  String logged() {
    try {
      return Files.readString(log());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  Path make(String name) throws IOException {
    return Files.createDirectories(directory.resolve(name));
  }

  /// Ends all containers and deletes the directory, never through a mount.
  void close() throws IOException, InterruptedException {
    for (var container : runtime.list()) runtime.remove(container.id());
    runtime.close();
    for (var mount : mounts.table().under(directory)) mounts.unmount(mount.target(), Unmount.LAZY);
    if (!mounts.table().under(directory).isEmpty())
      throw new IllegalStateException("still mounted below " + directory);
    try (var paths = Files.walk(directory)) {
      for (var path : paths.sorted((a, b) -> b.compareTo(a)).toList()) Files.delete(path);
    }
  }
}
