package dev.berth.node.volume.state;

import dev.berth.kube.fact.Topic;
import dev.berth.kube.model.VolumeName;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.PMap;
import org.pcollections.PSet;

/// What is mounted on this node as far as its agent knows, at one moment.
///
/// Two rules hold between its parts; each is a pair of flags in one value, so that whoever comes
/// second sees the first:
/// - a pod that *holds* its volumes keeps them mounted: [#hold] fails once an unpublish has begun,
///   [#beginUnpublish] fails while the pod holds (NREC-07);
/// - a volume that has an entry is *reported in use*: [#pin] of an attachable volume fails while
///   the report lacks it, [#beginReport] adds every volume that has an entry (AD-63).
///
/// @param volumes every volume that is mounted, may be mounted, or is about to be
/// @param holding uids of the pods whose containers run or are about to
/// @param reported what the API server shows as our `volumesInUse` for certain; empty: nothing was
///   written since the agent's start
/// @param lost what is here and whose note cannot be read
public record Actual(
    PMap<VolumeName, VolumeState> volumes,
    PSet<String> holding,
    Optional<PSet<VolumeName>> reported,
    PSet<Lost> lost) {

  /// Nothing is mounted and nothing reported.
  public static final Actual NOTHING =
      new Actual(
          HashTreePMap.empty(), HashTreePSet.empty(), Optional.empty(), HashTreePSet.empty());

  public static final Topic<Actual> TOPIC = new Topic<>("what is mounted on the node", NOTHING);

  public VolumeState volume(VolumeName name) {
    return volumes.getOrDefault(name, VolumeState.untouched(name));
  }

  public boolean reportedInUse(VolumeName name) {
    return reported.filter(names -> names.contains(name)).isPresent();
  }

  public boolean holds(String podUid) {
    return holding.contains(podUid);
  }

  /// Volumes of which something may be mounted for the pod.
  public Stream<VolumeState> mountedFor(String podUid) {
    return volumes.values().stream().filter(state -> state.publications().containsKey(podUid));
  }

  /// What the pod has without a readable note.
  public Stream<String> lostTo(String podUid) {
    return lost.stream().filter(mount -> mount.podUids().contains(podUid)).map(Lost::text).sorted();
  }

  /// Something is here of which nothing says whose it is.
  public Actual lose(Lost mount) {
    return new Actual(volumes, holding, reported, lost.plus(mount));
  }

  /// It has turned out that nothing of it is here.
  public Actual unlose(Lost mount) {
    return new Actual(volumes, holding, reported, lost.minus(mount));
  }

  /// It is known again whose something is: it may be staged, unless it is a pod's own, and
  /// published for its pods, as far as nothing better is known.
  public Actual find(Lost mount, VolumeName name, Form form) {
    if (!lost.contains(mount)) return this;
    var found = volume(name).with(form);
    if (form.outlivesPods() && found.staging() instanceof Staging.Absent)
      found = found.with(new Staging.Uncertain(true, Optional.empty()));
    for (var uid : mount.podUids())
      if (!found.publications().containsKey(uid))
        found = found.with(uid, new Publication.Uncertain(mount.text(), true));
    return new Actual(volumes.plus(name, found), holding, reported, lost.minus(mount));
  }

  /// Puts `state` in the place of what was known of the volume.
  public Actual with(VolumeState state) {
    return new Actual(volumes.plus(state.name(), state), holding, reported, lost);
  }

  /// Nothing of the volume is mounted and nothing is about to be.
  public Actual without(VolumeName name) {
    return new Actual(volumes.minus(name), holding, reported, lost);
  }

  /// Gives the volume an entry, which keeps it reported in use.
  ///
  /// @param attachable whether the report must have it already
  /// @return empty: it must, and has not
  public Optional<Actual> pin(VolumeName name, boolean attachable) {
    if (attachable && !reportedInUse(name)) return Optional.empty();
    return Optional.of(with(volume(name)));
  }

  /// The pod's containers may start.
  ///
  /// @return empty: one of `needed` is not mounted for the pod for certain
  public Optional<Actual> hold(String podUid, Collection<VolumeName> needed) {
    if (!needed.stream().allMatch(name -> volume(name).publishedFor(podUid)))
      return Optional.empty();
    return Optional.of(new Actual(volumes, holding.plus(podUid), reported, lost));
  }

  /// None of the pod's containers runs or will.
  public Actual release(String podUid) {
    return new Actual(volumes, holding.minus(podUid), reported, lost);
  }

  /// The volume is about to be unpublished for the pod.
  ///
  /// @return empty: the pod holds its volumes
  public Optional<Actual> beginUnpublish(VolumeName name, String podUid) {
    if (holds(podUid)) return Optional.empty();
    return switch (volume(name).publications().get(podUid)) {
      case null -> Optional.of(this);
      case Publication publication ->
          Optional.of(with(volume(name).with(podUid, publication.undo())));
    };
  }

  /// What to report in use: `wanted`, and every volume with an entry that needs an attachment.
  public SortedSet<VolumeName> report(Set<VolumeName> wanted, Predicate<VolumeName> attachable) {
    var names = new TreeSet<>(wanted);
    for (var state : volumes.values())
      if (state.form().outlivesPods() && attachable.test(state.name())) names.add(state.name());
    return names;
  }

  /// A report of `names` is about to be written: what it lacks counts as not reported from now on,
  /// even if the write gets lost.
  public Actual beginReport(Set<VolumeName> names) {
    return new Actual(volumes, holding, reported.map(before -> intersection(before, names)), lost);
  }

  /// The API server has `names`.
  public Actual reported(Set<VolumeName> names) {
    return new Actual(volumes, holding, Optional.of(HashTreePSet.from(names)), lost);
  }

  private static PSet<VolumeName> intersection(PSet<VolumeName> left, Set<VolumeName> right) {
    var both = left;
    for (var name : left) if (!right.contains(name)) both = both.minus(name);
    return both;
  }
}
