package dev.berth.simulation.cluster;

import dev.berth.controller.workload.Workload;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.simulation.api.SimulatedServer;
import dev.berth.simulation.driver.Demand;
import dev.berth.simulation.driver.SimulatedDriver;
import dev.berth.simulation.driver.SimulatedDriver.Ability;
import dev.berth.simulation.driver.SimulatedDriver.Reach;
import dev.berth.simulation.invariant.Invariants;
import dev.berth.simulation.machine.Machine;
import dev.berth.simulation.time.SimulatedProcess;
import dev.berth.simulation.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// One server, one driver, controllers, sidecars and nodes, in one thread on virtual time. All that
/// happens in it follows from its seed.
public final class Cluster {
  private static final Duration LONGEST_RESTART = Duration.ofSeconds(10);
  private static final Duration LONGEST_UNREST = Duration.ofHours(1);

  private final VirtualTime time;
  private final SimulatedServer server;
  private final SimulatedDriver driver;
  private final Invariants invariants = new Invariants();
  private final Observer observer = new Observer();
  private final Map<Part, Life> lives = new LinkedHashMap<>();
  private final List<Kind<?>> observed = new ArrayList<>();
  private final List<String> nodes = new ArrayList<>();
  private final Map<String, NodePart> machines = new LinkedHashMap<>();
  private final Set<String> off = new LinkedHashSet<>();
  private Weather weather = Weather.CALM;
  private Optional<String> breach = Optional.empty();
  private long checked;

  private record Life(SimulatedProcess process, Loops loops) {}

  public Cluster(long seed) {
    this(seed, Ability.NONE);
  }

  public Cluster(long seed, Ability ability) {
    this(seed, ability, Fate.IMMORTAL);
  }

  public Cluster(long seed, Ability ability, Fate fate) {
    time = new VirtualTime(seed);
    server = new SimulatedServer(time);
    var reach = time.chance(0.5) ? Reach.NETWORK : Reach.LOCAL;
    driver = new SimulatedDriver(time, reach, ability, this::objection);
    setUp(fate == Fate.MORTAL ? 3 : 1 + time.random().nextInt(3));
    if (ability == Ability.SNAPSHOTS) defineSnapshots();
    if (ability == Ability.SETS) observed.add(Workload.STATEFUL_SET);
    observe();
    run(new ControllersPart(server, ability, fate));
    run(new SidecarsPart(server, driver));
    for (var node : nodes) {
      var machine = new Machine(time, node, driver.backend());
      var part = new NodePart(node, server, driver, machine, fate);
      machines.put(node, part);
      run(part);
    }
  }

  private void setUp(int size) {
    var api = server.direct();
    api.create(Resources.CSI_DRIVERS, Objects.csiDriver());
    api.create(Resources.STORAGE_CLASSES, Objects.storageClass("immediate", "Immediate"));
    api.create(Resources.STORAGE_CLASSES, Objects.storageClass("late", "WaitForFirstConsumer"));
    for (int i = 0; i < size; i++) {
      var name = "node-" + (char) ('a' + i);
      nodes.add(name);
      api.create(Resources.NODES, Objects.node(name));
      api.patchStatus(Resources.NODES, ObjectKey.cluster(name), Patch.merge(Objects.nodeStatus()));
      api.create(Resources.CSI_NODES, Objects.csiNode(name));
    }
  }

  private void defineSnapshots() {
    var api = server.direct();
    for (var definition : Objects.snapshotDefinitions())
      api.create(Resources.DEFINITIONS, definition);
    for (var resource : List.of(SnapshotResources.CLASSES, SnapshotResources.GROUP_CLASSES)) {
      api.create(resource, Objects.snapshotClass(resource, "cut", "Delete"));
      api.create(resource, Objects.snapshotClass(resource, "keep", "Retain"));
    }
    observed.addAll(SnapshotKinds.ALL);
  }

  private void observe() {
    var api = server.direct();
    observer.observe(api, Kinds.CLAIM);
    observer.observe(api, Kinds.VOLUME);
    observer.observe(api, Kinds.POD);
    observer.observe(api, Kinds.ATTACHMENT);
    observer.observe(api, Kinds.CSI_NODE);
    for (var kind : observed) observer.observe(api, kind);
  }

  public VirtualTime time() {
    return time;
  }

  public SimulatedDriver driver() {
    return driver;
  }

  /// The server for those who stand outside, such as users.
  public Api api() {
    return server.direct();
  }

  public List<String> nodes() {
    return nodes;
  }

  /// All objects as they are.
  public Snapshot objects() {
    return observer.objects();
  }

  /// From now on so much goes wrong.
  public void weather(Weather next) {
    weather = next;
    server.network(next.network());
    driver.misbehave(next.flaws());
    for (var life : lives.values()) life.process.endanger(next.peril());
  }

  /// Every write of a process of the cluster, in order.
  public List<String> writes() {
    return server.writes();
  }

  /// Every write that came too late because somebody else had written, in order.
  public List<String> losses() {
    return server.losses();
  }

  /// Cuts all watches.
  public void cutWatches() {
    server.cutWatches();
  }

  /// Restarts the API server.
  public void restartServer() {
    server.restart();
    observe();
  }

  /// Kills one process.
  public void killOne() {
    var all = List.copyOf(lives.values());
    all.get(time.random().nextInt(all.size())).process.kill();
  }

  /// Whether the machine is running.
  public boolean isOn(String node) {
    return !off.contains(node);
  }

  /// The machine stops where it stands: what was mounted is mounted no more.
  public void powerOff(String node) {
    var part = Optional.ofNullable(machines.get(node)).orElseThrow();
    off.add(node);
    life(part).process.kill();
    part.machine().powerOff();
  }

  /// It starts again, with what is on its disk.
  public void powerOn(String node) {
    off.remove(node);
    revive(Optional.ofNullable(machines.get(node)).orElseThrow());
  }

  private void revive(Part part) {
    if (part instanceof NodePart it && !isOn(it.node())) return;
    if (life(part).process.isDead()) run(part);
  }

  private Life life(Part part) {
    return Optional.ofNullable(lives.get(part)).orElseThrow();
  }

  private void run(Part part) {
    var process = new SimulatedProcess(time, part.name());
    process.endanger(weather.peril());
    process.atDeath(() -> time.after(time.upTo(LONGEST_RESTART), () -> revive(part)));
    lives.put(part, new Life(process, part.start(process)));
  }

  /// Lets time pass.
  ///
  /// @throws Violation as soon as an invariant does not hold
  public void pass(Duration duration) {
    var end = time.now().plus(duration);
    while (time.step(end)) check();
  }

  /// Lets time pass until all is as it should be.
  ///
  /// @throws Violation if it never is
  public void rest() {
    var deadline = time.now().plus(LONGEST_UNREST);
    var unrest = Optional.<String>of("it has not begun");
    while (unrest.isPresent() && time.now().isBefore(deadline)) {
      pass(Duration.ofSeconds(5));
      unrest = invariants.unrest(objects(), driver.backend());
    }
    if (unrest.isPresent()) throw violation(unrest.get());
  }

  private Optional<String> objection(Demand demand) {
    var objection = invariants.objection(demand, driver.backend());
    if (objection.isPresent() && breach.isEmpty()) breach = objection;
    return objection;
  }

  private void check() {
    long changes = observer.changes() + driver.backend().history().size();
    if (changes == checked) return;
    checked = changes;
    if (breach.isEmpty()) breach = invariants.breach(objects(), driver.backend());
    if (breach.isPresent()) throw violation(breach.get());
  }

  private Violation violation(String what) {
    var history = driver.backend().history();
    return new Violation(
        "%s%nafter %s of virtual time%n%nThe driver did last:%n%s%n%nWhat waits or fails:%n%s"
            .formatted(
                what,
                time.elapsed(),
                lines(history.subList(Math.max(0, history.size() - 30), history.size())),
                lines(
                    lives.values().stream().flatMap(it -> it.loops.troubles().stream()).toList())));
  }

  private static String lines(List<String> texts) {
    return texts.stream().map(text -> "  " + text).collect(Collectors.joining("\n"));
  }
}
