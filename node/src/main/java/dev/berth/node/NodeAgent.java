package dev.berth.node;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Kind;
import dev.berth.kube.time.Time;
import dev.berth.node.drain.DrainEffects;
import dev.berth.node.driver.Drivers;
import dev.berth.node.health.HealthEffects;
import dev.berth.node.health.StorageEffects;
import dev.berth.node.health.Subject;
import dev.berth.node.identity.NodeFacts;
import dev.berth.node.pod.Agent;
import dev.berth.node.pod.Equipment;
import dev.berth.node.pod.Findings;
import dev.berth.node.pod.PodEffects;
import dev.berth.node.pod.local.Local;
import dev.berth.node.pod.local.LocalState;
import dev.berth.node.pod.start.Assembly;
import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.token.PodTokens;
import dev.berth.node.volume.InUseEffects;
import dev.berth.node.volume.LostMountEffects;
import dev.berth.node.volume.MountEffects;
import dev.berth.node.volume.Reconstruction;
import dev.berth.node.volume.Refusals;
import dev.berth.node.volume.TimedMounts;
import dev.berth.node.volume.VolumeCounts;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Lost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Volumes and pods of one node: loops over one record of what is mounted and one of what runs.
/// Both records are made from disk and runtime before anything is decided, and a decision sees all
/// of the node's objects or is not made (NREC-06).
///
/// Stopping it, or killing it, stops no container and unmounts nothing (NSHT-03).
public final class NodeAgent {
  /// What its caches must have; pods of other nodes may be left out.
  public static final Set<Kind<?>> KINDS =
      Set.of(Kinds.POD, Kinds.CLAIM, Kinds.VOLUME, Kinds.ATTACHMENT, Kinds.NODE, Kinds.CSI_DRIVER);

  private final String node;
  private final Supplier<Snapshot> snapshot;
  private final PodFiles podFiles;
  private final Time time;
  private final ActualState mounted;
  private final LocalState running;
  private final DrainEffects drain;
  private final PodEffects starting;
  private final Loop<VolumeName> volumes;
  private final Loop<String> inUse;
  private final Loop<String> pods;
  private final Loop<String> draining;
  private final Loop<Subject> health;
  private final Loop<String> storage;

  /// None where all notes can be read: later none gets lost.
  private final List<Loop<Lost>> lost;

  /// Looks at what earlier agents have left, and at nothing else yet.
  ///
  /// @throws IOException if the directories of pods or volumes cannot be read
  public NodeAgent(NodeFacts facts, Equipment equipment, Drivers drivers, Surroundings around)
      throws IOException {
    this.node = facts.name();
    this.snapshot = around.caches()::snapshot;
    var api = around.caches().api();
    this.podFiles = equipment.pods();
    this.time = around.time();
    var kept = equipment.runtime().pods();
    this.running = new LocalState(equipment.runtime(), directories(kept));
    this.mounted =
        new ActualState(held(Reconstruction.from(equipment.volumes()), running.now(), kept));
    running.noteDirectories(mounted.source());
    this.drain = new DrainEffects(mounted);
    var tokens = new PodTokens(api, time::now);
    var findings = new Findings(mounted, running, drain.source());
    var mounting =
        new Refusals(
            new TimedMounts(
                new MountEffects(
                    node,
                    api,
                    drivers,
                    equipment.volumes(),
                    mounted,
                    around.events(),
                    time,
                    tokens),
                around.operations(),
                mounted,
                time));
    var assembly =
        new Assembly(
            api,
            podFiles,
            tokens,
            facts.address().getHostAddress(),
            facts.capacity(),
            around.server());
    this.starting = new PodEffects(api, assembly, equipment, findings, around.events(), time);

    var asking = new HealthEffects(api, drivers, equipment.volumes(), mounted, time);
    var behind = new StorageEffects(api, drivers, time);
    var sources =
        Sources.of(
            Stream.of(
                    new Told<>(Agent.TOPIC, Agent.at(facts.address())),
                    mounted.source(),
                    running.source(),
                    drivers.source(),
                    drivers.registrations(),
                    drain.source(),
                    equipment.runtime().images(),
                    mounting.source(),
                    asking.source(),
                    behind.source())
                .map(source -> around.hearing().of(source))
                .toList());
    var deciders = NodeDeciders.of(facts);
    this.volumes = around.loop(new Controller<>(deciders.volumes(), mounting), sources);
    this.inUse =
        around.loop(
            new Controller<>(deciders.inUse(), new InUseEffects(node, api, mounted)), sources);
    this.pods = around.loop(new Controller<>(deciders.pods(), starting), sources);
    this.draining = around.loop(new Controller<>(deciders.drain(), drain), sources);
    var finding = new LostMountEffects(node, api, equipment.volumes(), mounted);
    this.health = around.loop(new Controller<>(deciders.health(), asking), sources);
    this.storage = around.loop(new Controller<>(deciders.storage(), behind), sources);
    this.lost =
        mounted.now().lost().isEmpty()
            ? List.of()
            : List.of(around.loop(new Controller<>(deciders.lost(), finding), sources));
  }

  /// Uids of all pods of which anything is here: what the runtime keeps of one is removed with it.
  private Set<String> directories(Set<String> kept) throws IOException {
    var uids = new HashSet<>(podFiles.pods());
    uids.addAll(kept);
    return uids;
  }

  /// Begins to work as soon as the caches are filled; returns at once.
  public void start() {
    loops().forEach(Loop::start);
  }

  private List<Loop<?>> loops() {
    return Stream.<Loop<?>>concat(
            Stream.of(volumes, inUse, pods, draining, health, storage), lost.stream())
        .toList();
  }

  /// Ends all containers and unmounts everything; objects and data stay, and the next agent starts
  /// again what is to run. Before [#stop], where the machine or the stack goes down (NSHT-02).
  ///
  /// @param grace what containers get to end
  /// @param patience what drivers that are missing or refuse get beyond that
  /// @return done when nothing runs, nothing is mounted and that is reported, or patience is at its
  ///   end: what is still mounted then, and what keeps it so
  public CompletableFuture<Map<VolumeName, String>> drain(Duration grace, Duration patience) {
    var now = time.now();
    return drain
        .order(now.plus(grace), now.plus(patience))
        .thenCompose(
            left -> left.isEmpty() ? inUse.stop().thenApply(_ -> left) : completedFuture(left))
        .thenApplyAsync(this::unmountLocalVolumes, time::start);
  }

  private Map<VolumeName, String> unmountLocalVolumes(Map<VolumeName, String> left) {
    for (var uid : running.now().directories()) {
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
    return CompletableFuture.allOf(
        Stream.concat(Stream.of(starting.stop()), loops().stream().map(Loop::stop))
            .toArray(CompletableFuture<?>[]::new));
  }

  /// What is mounted now, as far as is known.
  public Actual mounted() {
    return mounted.now();
  }

  /// How many volumes of each driver pods here have, or may have.
  public Map<String, Integer> mountedByDriver() {
    return VolumeCounts.mounted(mounted.now());
  }

  /// How many they shall have.
  public Map<String, Integer> wantedByDriver() {
    return VolumeCounts.wanted(snapshot.get(), node);
  }

  /// What each volume waits for, and what went wrong with it last.
  public Loop<VolumeName> volumes() {
    return volumes;
  }

  /// What each pod waits for, by uid, and what went wrong with it last.
  public Loop<String> pods() {
    return pods;
  }

  /// Containers that run keep their volumes, whatever the objects say (NREC-07, NRUN-12).
  ///
  /// @param kept for whose containers the runtime keeps something running, until they are released
  private static Actual held(Actual found, Local local, Set<String> kept) {
    var held = found;
    for (var uid : kept) held = held.hold(uid, List.of()).orElse(held);
    for (var run : local.runs().values())
      if (run.runs()) held = held.hold(run.id().podUid(), List.of()).orElse(held);
    return held;
  }
}
