package dev.berth.driver.baremetal.controller;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.driver.baremetal.decide.Indexes;
import dev.berth.driver.baremetal.node.NodeVolumes;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.model.Refusal;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Follower;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says in each CSIStorageCapacity of a class whose volumes have a drive for themselves which
/// drives there are (BM-94): the sum and the largest do not tell how many volumes have room at
/// once. Berth's scheduler reads it; to another one the pod's claims are single claims still, and
/// [Claiming] has the last word.
public final class CapacityUnits implements Follower {
  private static final Logger log = LoggerFactory.getLogger(CapacityUnits.class);
  private static final Duration TOGETHER = Duration.ofMillis(100);

  /// What is to be cached for it.
  public static final Set<Kind<?>> KINDS = Set.of(Kinds.STORAGE_CAPACITY, Kinds.STORAGE_CLASS);

  private final Caches caches;
  private final Time time;
  private final String driver;

  /// Nodes, or all of them; guarded by this.
  private final Set<String> changed = new HashSet<>();

  private boolean all; // guarded by this

  private CapacityUnits(Caches caches, Time time, String driver) {
    this.caches = caches;
    this.time = time;
    this.driver = driver;
  }

  /// @param driver its name
  public static void follow(Caches caches, Time time, String driver) {
    var followed = Set.of(BareMetalKinds.DRIVE, Kinds.STORAGE_CAPACITY, Kinds.STORAGE_CLASS);
    caches.follow(followed, new CapacityUnits(caches, time, driver));
  }

  @Override
  public void filled(Snapshot first) {
    note("", true);
  }

  @Override
  public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
    switch (change.latest()) {
      case Drive drive -> note(drive.nodeId(), false);
      case StorageCapacity capacity when ours(with, capacity).isPresent() ->
          note(node(capacity), false);
      case StorageClass it when it.provisioner().equals(driver) -> note("", true);
      default -> {}
    }
  }

  private synchronized void note(String node, boolean whole) {
    if (!all && changed.isEmpty()) time.after(TOGETHER, this::tell);
    if (whole) all = true;
    else changed.add(node);
  }

  private static String node(StorageCapacity capacity) {
    return capacity.topology().stream()
        .flatMap(it -> it.requirements().stream())
        .filter(it -> it.key().equals(NodeVolumes.TOPOLOGY) && it.values().size() == 1)
        .map(it -> it.values().getFirst())
        .findFirst()
        .orElse("");
  }

  private Optional<StorageClass> ours(Snapshot objects, StorageCapacity capacity) {
    return objects
        .get(Kinds.STORAGE_CLASS, ObjectKey.cluster(capacity.className()))
        .found()
        .filter(it -> it.provisioner().equals(driver));
  }

  private void tell() {
    Set<String> nodes;
    boolean everywhere;
    synchronized (this) {
      nodes = Set.copyOf(changed);
      everywhere = all;
      changed.clear();
      all = false;
    }
    var objects = caches.snapshot();
    var away = AwayDrives.of(objects, time.now());
    for (var capacity : objects.all(Kinds.STORAGE_CAPACITY)) {
      if (!everywhere && !nodes.contains(node(capacity))) continue;
      var storageClass = ours(objects, capacity);
      if (storageClass.isEmpty()) continue;
      var wanted = units(objects, away, storageClass.get(), node(capacity));
      if (!wanted.equals(capacity.meta().annotation(Annotations.CAPACITY_UNITS)))
        write(capacity, wanted);
    }
  }

  /// Empty: its volumes share drives, or there are none.
  private static Optional<String> units(
      Snapshot objects, AwayDrives away, StorageClass storageClass, String node) {
    Wish wish;
    try {
      wish = Wish.of(List.of(), Companions.parametersOf(storageClass));
    } catch (Refusal _) {
      return Optional.empty();
    }
    if (wish.shared()) return Optional.empty();
    var all = new TreeMap<String, Long>();
    for (var drive : objects.by(Indexes.DRIVES_BY_NODE, node))
      if (wish.offered(drive) > 0 && away.isNone(drive)) all.put(drive.uuid(), wish.offered(drive));
    return Optional.of(
        all.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(",")));
  }

  private void write(StorageCapacity capacity, Optional<String> units) {
    var patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .put("uid", capacity.meta().uid())
        .putObject("annotations")
        .put(Annotations.CAPACITY_UNITS, units.orElse(null));
    try {
      caches.api().patch(Resources.STORAGE_CAPACITIES, capacity.meta().key(), Patch.merge(patch));
    } catch (ApiException refused) {
      if (!refused.isNotFound() && !(refused instanceof ApiException.LostRace))
        log.warn(
            "the scheduler is not told which drives there are in {}: {}",
            node(capacity),
            refused.getMessage());
    }
  }
}
