package dev.berth.node.pod.local;

import dev.berth.kube.fact.Topic;
import dev.berth.node.runtime.ContainerId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.PMap;
import org.pcollections.PSet;

/// What runs on this node as far as its agent knows, at one moment.
///
/// @param runs every run of a container that the runtime has not forgotten
/// @param stopping runs that were asked to end, and when they are killed
/// @param troubles by pod uid and container name: why the last start failed
/// @param directories uids of the pods that have directories here
/// @param renewed by pod uid: when the files of its volumes were last brought up to date, since the
///   agent's start
/// @param probes what the probes of running containers have said, since the agent's start
/// @param hooked runs whose postStart hook is not over
public record Local(
    PMap<ContainerId, Run> runs,
    PMap<ContainerId, Instant> stopping,
    PMap<Slot, Trouble> troubles,
    PSet<String> directories,
    PMap<String, Instant> renewed,
    PMap<Probing, ProbeState> probes,
    PSet<ContainerId> hooked) {
  /// Nothing runs and nothing is left of earlier pods.
  public static final Local NOTHING =
      new Local(
          HashTreePMap.empty(),
          HashTreePMap.empty(),
          HashTreePMap.empty(),
          HashTreePSet.empty(),
          HashTreePMap.empty(),
          HashTreePMap.empty(),
          HashTreePSet.empty());

  public static final Topic<Local> TOPIC = new Topic<>("what runs on the node", NOTHING);

  /// A container of a pod, whichever run of it.
  public record Slot(String podUid, String container) {}

  /// The runs of a pod's container, oldest first.
  public List<Run> runs(String podUid, String container) {
    return runs(podUid).stream().filter(run -> run.id().name().equals(container)).toList();
  }

  /// All runs of a pod's containers, oldest first.
  public List<Run> runs(String podUid) {
    return runs.values().stream()
        .filter(run -> run.id().podUid().equals(podUid))
        .sorted(Comparator.comparingInt((Run run) -> run.id().attempt()))
        .toList();
  }

  public Optional<Trouble> trouble(String podUid, String container) {
    return Optional.ofNullable(troubles.get(new Slot(podUid, container)));
  }

  /// Whether anything is here of the pod.
  public boolean knows(String podUid) {
    return directories.contains(podUid) || !runs(podUid).isEmpty();
  }

  /// The run has started or ended. Word of an end may come before word of the start; it is final.
  public Local with(Run run) {
    var id = run.id();
    var known = runs.get(id);
    if (known != null && !known.runs() && run.runs()) return this;
    return new Local(
        runs.plus(id, run),
        run.runs() ? stopping : stopping.minus(id),
        troubles.minus(new Slot(id.podUid(), id.name())),
        directories,
        renewed,
        run.runs() ? probes : probes.minusAll(Probing.of(id)),
        run.runs() ? hooked : hooked.minus(id));
  }

  /// The runtime has forgotten the run.
  public Local without(ContainerId id) {
    return new Local(
        runs.minus(id),
        stopping.minus(id),
        troubles,
        directories,
        renewed,
        probes.minusAll(Probing.of(id)),
        hooked.minus(id));
  }

  public Local stopping(Set<ContainerId> ids, Instant killed) {
    var more = stopping;
    for (var id : ids) more = more.plus(id, killed);
    return new Local(runs, more, troubles, directories, renewed, probes, hooked);
  }

  public Local with(Slot slot, Trouble trouble) {
    return new Local(
        runs, stopping, troubles.plus(slot, trouble), directories, renewed, probes, hooked);
  }

  public Local withDirectory(String podUid) {
    return new Local(runs, stopping, troubles, directories.plus(podUid), renewed, probes, hooked);
  }

  /// What a probe has said, or that it is under way; nothing of a run that has ended.
  public Local with(Probing probing, ProbeState state) {
    var run = runs.get(probing.run());
    return run == null || !run.runs()
        ? this
        : new Local(
            runs, stopping, troubles, directories, renewed, probes.plus(probing, state), hooked);
  }

  public ProbeState probe(Probing probing) {
    return probes.getOrDefault(probing, ProbeState.NONE);
  }

  /// The run's postStart hook has begun.
  public Local hooked(ContainerId id) {
    return new Local(runs, stopping, troubles, directories, renewed, probes, hooked.plus(id));
  }

  /// The run's postStart hook is over.
  public Local unhooked(ContainerId id) {
    return new Local(runs, stopping, troubles, directories, renewed, probes, hooked.minus(id));
  }

  /// The files of the pod's volumes say what is so now.
  public Local renewed(String podUid, Instant at) {
    return new Local(
        runs, stopping, troubles, directories, renewed.plus(podUid, at), probes, hooked);
  }

  /// Uids of all pods of which anything is here.
  public Set<String> pods() {
    var uids = new HashSet<>(directories);
    for (var id : runs.keySet()) uids.add(id.podUid());
    return uids;
  }

  /// Uids of the pods that are otherwise here than there.
  public Set<String> differing(Local other) {
    var uids = new HashSet<String>();
    differing(runs, other.runs).forEach(id -> uids.add(id.podUid()));
    differing(stopping, other.stopping).forEach(id -> uids.add(id.podUid()));
    differing(probes, other.probes).forEach(probing -> uids.add(probing.run().podUid()));
    for (var id : hooked) if (!other.hooked.contains(id)) uids.add(id.podUid());
    for (var id : other.hooked) if (!hooked.contains(id)) uids.add(id.podUid());
    differing(troubles, other.troubles).forEach(slot -> uids.add(slot.podUid()));
    for (var uid : directories) if (!other.directories.contains(uid)) uids.add(uid);
    for (var uid : other.directories) if (!directories.contains(uid)) uids.add(uid);
    return uids;
  }

  private static <K, V> Set<K> differing(Map<K, V> left, Map<K, V> right) {
    var keys = new HashSet<K>();
    if (left.equals(right)) return keys;
    left.forEach((key, value) -> {
      if (!value.equals(right.get(key))) keys.add(key);
    });
    for (var key : right.keySet()) if (!left.containsKey(key)) keys.add(key);
    return keys;
  }

  /// Nothing of the pod is here any more.
  public Local without(String podUid) {
    var left = this;
    for (var run : runs(podUid)) left = left.without(run.id());
    var others = left.troubles;
    for (var slot : left.troubles.keySet())
      if (slot.podUid().equals(podUid)) others = others.minus(slot);
    return new Local(
        left.runs,
        left.stopping,
        others,
        left.directories.minus(podUid),
        left.renewed.minus(podUid),
        probes,
        hooked);
  }
}
