package dev.berth.node.testing;

import dev.berth.node.runtime.Container;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ExecSpec;
import dev.berth.node.runtime.Execution;
import dev.berth.node.runtime.RefusedException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/// Containers in memory, which end when the test says so. One whose mounts are not there is an
/// error of the agent.
public final class MemoryRuntime implements ContainerRuntime {
  private final Map<ContainerId, Container> containers = new ConcurrentHashMap<>();
  private final List<EndListener> listeners = new CopyOnWriteArrayList<>();
  private final List<ContainerSpec> started = new CopyOnWriteArrayList<>();

  private final List<ContainerId> asked = new CopyOnWriteArrayList<>();
  private final List<ContainerId> killed = new CopyOnWriteArrayList<>();
  private final List<ContainerId> executing = new CopyOnWriteArrayList<>();
  private final Set<ContainerId> deaf = ConcurrentHashMap.newKeySet();
  private final Set<ContainerId> hanging = ConcurrentHashMap.newKeySet();
  private final MemoryDriver driver;

  /// @param driver what containers have mounted is its
  public MemoryRuntime(MemoryDriver driver) {
    this.driver = driver;
    driver.usedBy(this::uses);
  }

  private boolean uses(String target) {
    return started.stream()
        .filter(spec -> mounts(spec).contains(target))
        .anyMatch(
            spec -> containers.get(spec.id()) instanceof Container(_, ContainerState.Running _, _));
  }

  private static List<String> mounts(ContainerSpec spec) {
    return spec.mounts().stream()
        .map(mount -> mount.source().toString())
        .filter(source -> source.contains("kubernetes.io~csi"))
        .toList();
  }

  /// Everything that was ever started.
  public List<ContainerSpec> started() {
    return List.copyOf(started);
  }

  /// What runs under this id does not end when it is asked to.
  public void deafen(ContainerId id) {
    deaf.add(id);
  }

  /// What runs under this id hangs in the kernel: it does not even die of being killed, until
  /// [#release].
  public void hang(ContainerId id) {
    deafen(id);
    hanging.add(id);
  }

  public void release(ContainerId id) {
    hanging.remove(id);
  }

  /// Who was asked to end, and how often.
  public List<ContainerId> asked() {
    return List.copyOf(asked);
  }

  /// Who ran still and was killed.
  public List<ContainerId> killed() {
    return List.copyOf(killed);
  }

  /// The agent dies; who listened hears nothing more.
  public void forgetListeners() {
    listeners.clear();
  }

  /// The program ends by itself.
  public void end(ContainerId id, int exitCode) {
    containers.computeIfPresent(
        id,
        (_, container) ->
            container.state() instanceof ContainerState.Running(var since)
                ? new Container(id, new ContainerState.Exited(since, Instant.now(), exitCode))
                : container);
    for (var listener : listeners) Thread.startVirtualThread(() -> listener.ended(id));
  }

  @Override
  public void listen(EndListener listener) {
    listeners.add(listener);
  }

  @Override
  public void requireImage(String image) throws RefusedException {
    if (!image.equals("host"))
      throw new RefusedException(RefusedException.Reason.ERR_IMAGE_NEVER_PULL, "no image " + image);
  }

  @Override
  public Container start(ContainerSpec spec) throws RefusedException {
    requireImage(spec.image());
    if (spec.engine().runAsNonRoot() && spec.user().uid() == 0)
      throw new RefusedException(
          RefusedException.Reason.CREATE_CONTAINER_CONFIG_ERROR, spec.rootRefusal());
    return containers.computeIfAbsent(
        spec.id(),
        id -> {
          if (started.stream().anyMatch(earlier -> earlier.id().equals(id)))
            driver.violations().add("started twice: " + id);
          if (!driver.mounts().containsAll(mounts(spec)))
            driver.violations().add("started without its volumes: " + id);
          started.add(spec);
          return new Container(id, new ContainerState.Running(Instant.now()));
        });
  }

  @Override
  public List<Container> list() {
    return new ArrayList<>(containers.values());
  }

  @Override
  public Optional<Container> find(ContainerId id) {
    return Optional.ofNullable(containers.get(id));
  }

  @Override
  public void terminate(ContainerId id) {
    asked.add(id);
    if (!deaf.contains(id) && runs(id)) end(id, 143);
  }

  @Override
  public void kill(ContainerId id) throws StillRunningException {
    if (hanging.contains(id)) throw new StillRunningException(id);
    if (!runs(id)) return;
    killed.add(id);
    end(id, 137);
  }

  /// In whose containers a further program runs: each until it is killed.
  public List<ContainerId> executing() {
    return List.copyOf(executing);
  }

  @Override
  public Execution exec(ContainerId id, ExecSpec spec) {
    var killed = new CountDownLatch(1);
    executing.add(id);
    return new Execution() {
      @Override
      public OutputStream input() {
        return OutputStream.nullOutputStream();
      }

      @Override
      public InputStream output() {
        return InputStream.nullInputStream();
      }

      @Override
      public InputStream error() {
        return InputStream.nullInputStream();
      }

      @Override
      public void resize(int columns, int rows) {}

      @Override
      public int await() throws InterruptedException {
        killed.await();
        return 137;
      }

      @Override
      public void close() {
        executing.remove(id);
        killed.countDown();
      }
    };
  }

  private boolean runs(ContainerId id) {
    return containers.get(id) instanceof Container(_, ContainerState.Running _, _);
  }

  @Override
  public void remove(ContainerId id) {
    containers.remove(id);
  }

  @Override
  public String terminationMessage(ContainerId id) {
    return "";
  }

  @Override
  public void close() {
    listeners.clear();
  }
}
