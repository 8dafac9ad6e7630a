package dev.berth.node;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.time.Time;
import dev.berth.node.driver.Drivers;
import dev.berth.node.pod.Pods;
import dev.berth.node.pod.local.Local;
import dev.berth.node.pod.local.LocalState;
import dev.berth.node.pod.local.Run;
import dev.berth.node.pod.local.Runs;
import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.volume.InUseReport;
import dev.berth.node.volume.Reconstruction;
import dev.berth.node.volume.VolumeFiles;
import dev.berth.node.volume.Volumes;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.ActualState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// Volumes and pods of one node: three loops over one record of what is mounted and one of what
/// runs. Both records are made from disk and runtime before anything is decided, and a decision
/// sees all of the node's objects or is not made (NREC-06).
///
/// Stopping it, or killing it, stops no container and unmounts nothing (NSHT-03).
public final class NodeAgent {
  /// What its caches must have; pods of other nodes may be left out.
  public static final Set<Kind<?>> KINDS =
      Set.of(Kinds.POD, Kinds.CLAIM, Kinds.VOLUME, Kinds.ATTACHMENT, Kinds.NODE, Kinds.CSI_DRIVER);

  /// So often in a row a driver has to refuse before it is not asked again at the end.
  private static final int REFUSED = 4;

  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private final String node;
  private final Caches caches;
  private final Drivers drivers;
  private final ContainerRuntime runtime;
  private final PodFiles podFiles;
  private final Time time;
  private final CompletableFuture<Map<VolumeName, String>> drained = new CompletableFuture<>();
  private final ActualState actual;
  private final LocalState local;
  private final Volumes volumeDoor;
  private final Loop<VolumeName> volumes;
  private final Loop<String> inUse;
  private final Loop<String> pods;

  /// Looks at what earlier agents have left, and at nothing else yet.
  ///
  /// @param node this node's name
  /// @param address of the node, which its pods share
  /// @param caches of [#KINDS] at least
  /// @throws IOException if the directories of pods or volumes cannot be read
  public NodeAgent(
      String node,
      String address,
      Caches caches,
      Drivers drivers,
      ContainerRuntime runtime,
      VolumeFiles volumeFiles,
      PodFiles podFiles,
      EventRecorder events,
      Time time,
      LoopMetrics metrics)
      throws IOException {
    this.node = node;
    this.caches = caches;
    this.drivers = drivers;
    this.runtime = runtime;
    this.podFiles = podFiles;
    this.time = time;
    this.local = new LocalState(Local.NOTHING);
    // Before the list: an end between the two is told, and told twice does no harm.
    runtime.listen(this::learn);
    for (var container : runtime.list()) learn(container.id());
    for (var uid : podFiles.pods()) local.change(uid, here -> here.withDirectory(uid));
    this.actual = new ActualState(held(Reconstruction.from(volumeFiles), local.now()));
    this.volumeDoor = new Volumes(node, caches.api(), drivers, volumeFiles, actual, events, time);
    var podDoor =
        new Pods(
            node, address, caches.api(), runtime, volumeFiles, podFiles, actual, local, events);
    this.volumes = new Loop<>(volumeDoor, caches, time, events, Pace.CONTROLLER, metrics);
    this.inUse =
        new Loop<>(
            new InUseReport(node, caches.api(), actual),
            caches,
            time,
            events,
            Pace.CONTROLLER,
            metrics);
    this.pods = new Loop<>(podDoor, caches, time, events, Pace.CONTROLLER, metrics);
  }

  /// Begins to work as soon as the caches are filled; returns at once.
  public void start() {
    actual.listen(this::changed);
    local.listen(this::changed);
    drivers.listen(name -> {
      volumeDoor.ofDriver(name, caches.snapshot()).forEach(volumes::look);
      lookWhetherDrained();
    });
    volumes.start();
    inUse.start();
    pods.start();
    inUse.look(node);
    actual.now().volumes().keySet().forEach(volumes::look);
    local.now().directories().forEach(pods::look);
    local.now().runs().keySet().forEach(run -> pods.look(run.podUid()));
  }

  /// Ends all containers and unmounts everything; objects and data stay, and the next agent starts
  /// again what is to run. Before [#stop], where the machine or the stack goes down (NSHT-02).
  ///
  /// @param grace what containers get to end
  /// @param patience what drivers that are missing or refuse get beyond that
  /// @return done when nothing runs, nothing is mounted and that is reported, or patience is at its
  ///   end: what is still mounted then, and what keeps it so
  public CompletableFuture<Map<VolumeName, String>> drain(Duration grace, Duration patience) {
    actual.drain(time.now().plus(grace));
    actual.now().volumes().keySet().forEach(volumes::look);
    local.now().directories().forEach(pods::look);
    lookWhetherDrained();
    time.after(patience, this::lookWhetherStuck);
    return drained
        .thenCompose(
            left -> left.isEmpty() ? inUse.stop().thenApply(_ -> left) : completedFuture(left))
        .thenApplyAsync(this::unmountLocalVolumes, time::start);
  }

  private void lookWhetherDrained() {
    var now = actual.now();
    if (now.draining().isPresent()
        && now.volumes().isEmpty()
        && now.reported().filter(Set::isEmpty).isPresent()
        && !anythingRuns()) drained.complete(Map.of());
  }

  private boolean anythingRuns() {
    return local.now().runs().values().stream().anyMatch(Run::runs);
  }

  /// When everything has had its time: what each volume waits for, or has been refused often enough
  /// for, is told instead of waited for any longer.
  private void lookWhetherStuck() {
    if (drained.isDone()) return;
    var left = new HashMap<VolumeName, String>();
    var failures = volumes.failures();
    boolean moving = anythingRuns();
    for (var name : actual.now().volumes().keySet()) {
      var failure = failures.get(name);
      if (!drivers.names().contains(name.driver())) left.put(name, "its driver is not registered");
      else if (failure != null && failure.inARow() >= REFUSED) left.put(name, failure.text());
      else moving = true;
    }
    // With nothing left only the report is missing, which a full store does not take.
    if (moving) time.after(LOOK_AGAIN, this::lookWhetherStuck);
    else drained.complete(left);
  }

  private Map<VolumeName, String> unmountLocalVolumes(Map<VolumeName, String> left) {
    for (var uid : local.now().directories()) {
      try {
        podFiles.unmount(uid);
      } catch (IOException failure) {
        throw new UncheckedIOException("unmount the volumes of pod " + uid, failure);
      }
    }
    return left;
  }

  /// Starts nothing more; containers and mounts stay.
  ///
  /// @return done when nothing is under way any more
  public CompletableFuture<Void> stop() {
    return CompletableFuture.allOf(volumes.stop(), inUse.stop(), pods.stop());
  }

  /// What is mounted now, as far as is known.
  public Actual mounted() {
    return actual.now();
  }

  /// What each volume waits for, and what went wrong with it last.
  public Loop<VolumeName> volumes() {
    return volumes;
  }

  /// What each pod waits for, by uid, and what went wrong with it last.
  public Loop<String> pods() {
    return pods;
  }

  private void changed(String podUid) {
    pods.look(podUid);
    lookWhetherDrained();
  }

  private void changed(Actual before, Actual after) {
    noteDirectories(before, after);
    Volumes.affected(before, after).forEach(volumes::look);
    Pods.affected(before, after).forEach(pods::look);
    inUse.look(node);
    lookWhetherDrained();
  }

  /// Whoever has a volume published has a directory, even if none of its containers ever starts.
  private void noteDirectories(Actual before, Actual after) {
    for (var state : after.volumes().values())
      for (var uid : state.publications().keySet())
        if (!before.volume(state.name()).publications().containsKey(uid))
          local.change(uid, here -> here.withDirectory(uid));
  }

  private void learn(ContainerId id) {
    var container = runtime.find(id);
    if (container.isEmpty()) return;
    var run = Runs.read(runtime, container.get());
    local.change(id.podUid(), here -> here.with(run));
  }

  /// Containers that run keep their volumes, whatever the objects say (NREC-07, NRUN-12).
  private static Actual held(Actual found, Local local) {
    var held = found;
    for (var run : local.runs().values())
      if (run.runs()) held = held.hold(run.id().podUid(), List.of()).orElse(held);
    return held;
  }
}
