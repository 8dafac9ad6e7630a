package dev.berth.simulation.driver;

import dev.berth.csi.client.CsiException;
import io.grpc.Status.Code;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The driver's volumes, and where they are attached, staged and published. It carries out whatever
/// nobody objects to.
public final class Backend {
  private final Map<String, Disk> disks = new LinkedHashMap<>();
  private final Map<String, Long> growing = new LinkedHashMap<>();
  private final Map<String, Integer> boots = new HashMap<>();
  private final Set<String> busy = new HashSet<>();
  private final List<String> history = new ArrayList<>();
  private final Function<Demand, Optional<String>> objection;
  private final Shots shots = new Shots(id -> find(id).isPresent(), this::allow);
  private final Ills ills = new Ills(history::add);
  private int made;

  /// A back end without volumes.
  ///
  /// @param objection why a demand would hurt somebody's data; empty: it would not
  Backend(Function<Demand, Optional<String>> objection) {
    this.objection = objection;
  }

  /// All volumes, oldest first.
  public Collection<Disk> disks() {
    return List.copyOf(disks.values());
  }

  /// What is wrong with its volumes.
  public Ills ills() {
    return ills;
  }

  /// Its snapshots.
  public Shots shots() {
    return shots;
  }

  public Optional<Disk> find(String id) {
    return Optional.ofNullable(disks.get(id));
  }

  /// What was done and what was refused, in order.
  public List<String> history() {
    return history;
  }

  /// Begins an operation; no other one on the same volume is accepted until [#end].
  void begin(String volume) {
    if (!busy.add(volume))
      throw new CsiException(Code.ABORTED, "an operation on " + volume + " is under way");
  }

  void end(String volume) {
    busy.remove(volume);
  }

  /// Whether a volume or a snapshot of that name exists or is on the way.
  boolean hasBegun(String name) {
    return busy.contains(name)
        || shots.has(name)
        || disks.values().stream().anyMatch(disk -> disk.name().equals(name));
  }

  Disk create(String name, long bytes, Optional<String> onlyNode) {
    var known = disks.values().stream().filter(disk -> disk.name().equals(name)).findFirst();
    if (known.isPresent()) {
      if (known.get().bytes() < bytes)
        throw new CsiException(Code.ALREADY_EXISTS, name + " exists and is smaller");
      return known.get();
    }
    allow(new Demand.Create(name));
    return keep(Disk.empty("vol-" + ++made, name, bytes, onlyNode));
  }

  void delete(String id) {
    if (disks.containsKey(id)) allow(new Demand.Delete(id));
    disks.remove(id);
  }

  /// Somebody asks for so many bytes; whoever has not heard how that ended must not ask for less.
  void askGrowth(String id, long bytes) {
    allow(new Demand.Grow(id, bytes));
    growing.merge(id, bytes, Math::max);
  }

  /// He has heard how it ended.
  void endGrowth(String id) {
    growing.remove(id);
  }

  /// The most that was asked for a volume by somebody who has not heard how it ended; 0: nothing.
  public long growing(String id) {
    return growing.getOrDefault(id, 0L);
  }

  Disk grow(String id, long bytes) {
    return keep(existing(id).grow(bytes));
  }

  Disk fill(String id, String node) {
    allow(new Demand.Fill(id, node));
    return keep(existing(id).fill());
  }

  void attach(String id, String node) {
    var disk = existing(id);
    if (disk.attached().contains(node)) return;
    allow(new Demand.Attach(id, node));
    keep(disk.attach(node));
  }

  void detach(String id, String node) {
    var disk = disks.get(id);
    if (disk == null || !disk.attached().contains(node)) return;
    allow(new Demand.Detach(id, node));
    keep(disk.detach(node));
  }

  void stage(String id, String node, String path) {
    var disk = existing(id);
    if (path.equals(disk.staged().get(node))) return;
    allow(new Demand.Stage(id, node, path));
    keep(disk.stage(node, path));
  }

  void publish(String id, String node, String staging, String target) {
    var disk = existing(id);
    if (disk.targets(node).contains(target)) return;
    allow(new Demand.Publish(id, node, staging, target));
    keep(disk.publish(node, target));
  }

  void unpublish(String id, String node, String target) {
    var disk = disks.get(id);
    if (disk == null || !disk.targets(node).contains(target)) return;
    allow(new Demand.Unpublish(id, node, target));
    keep(disk.unpublish(node, target));
  }

  void unstage(String id, String node) {
    var disk = disks.get(id);
    if (disk == null || !disk.staged().containsKey(node)) return;
    allow(new Demand.Unstage(id, node));
    keep(disk.unstage(node));
  }

  /// The node's machine stops: nothing is mounted there any more.
  public void powerOff(String node) {
    history.add("power off " + node);
    boots.merge(node, 1, Integer::sum);
    for (var disk : disks()) keep(disk.powerOff(node));
  }

  /// How often that has happened.
  int boots(String node) {
    return boots.getOrDefault(node, 0);
  }

  /// A container opens what is at `target`.
  public void open(String node, String target) {
    allow(new Demand.Open(node, target));
    at(node, target).ifPresent(disk -> keep(disk.open(node, target)));
  }

  /// No container has it open any more.
  public void close(String node, String target) {
    at(node, target).ifPresent(disk -> keep(disk.close(node, target)));
  }

  /// The volume that is published at a target.
  public Optional<Disk> at(String node, String target) {
    return disks.values().stream().filter(disk -> disk.targets(node).contains(target)).findFirst();
  }

  private Disk existing(String id) {
    return find(id)
        .orElseThrow(() -> new CsiException(Code.NOT_FOUND, "volume " + id + " does not exist"));
  }

  private Disk keep(Disk disk) {
    disks.put(disk.id(), disk);
    return disk;
  }

  private void allow(Demand demand) {
    var refusal = objection.apply(demand);
    history.add(demand + refusal.map(why -> " REFUSED: " + why).orElse(""));
    if (refusal.isPresent()) throw new CsiException(Code.FAILED_PRECONDITION, refusal.get());
  }
}
