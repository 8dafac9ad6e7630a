package dev.berth.controller.scheduler;

import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.volume.Way;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A pod that is to be placed, and what its claims come to whichever node is looked at: worked out
/// once for a look, and not once for each of thousands of nodes. Not safe for threads.
final class Wanted {
  private final View view;
  private final Pod pod;
  private final Amounts amounts;
  private final List<Way.Claimed> ways;
  private final List<Claim> claims;
  private final List<Way.Claimed> bound;
  private final List<Unbound> unbound;
  private final Set<String> holders;
  private final Set<String> attached;
  private final Optional<Refusal> claimInUse;
  private final Map<String, Set<String>> volumes = new HashMap<>();
  private final Map<String, Boolean> needed = new HashMap<>();
  private final Map<Claim, Boolean> roomAnywhere = new HashMap<>();

  /// A claim that is to get its volume.
  ///
  /// @param reserved the only volume that may serve it, if there is one (MATCH-03)
  /// @param anyFree whether there may be a volume that serves it
  record Unbound(Claim claim, Optional<Volume> reserved, boolean anyFree) {}

  private Wanted(View view, Pod pod, List<Way.Claimed> ways) {
    this.view = view;
    this.pod = pod;
    this.amounts = Amounts.of(pod);
    this.ways = ways;
    this.claims = ways.stream().map(Way.Claimed::claim).toList();
    this.bound = ways.stream().filter(way -> way.claim().fullyBound()).toList();
    // SCHED-13: small claims choose first
    this.unbound =
        claims.stream()
            .filter(claim -> !claim.fullyBound())
            .sorted(Comparator.comparing(Claim::request).thenComparing(it -> it.meta().key()))
            .map(claim -> new Unbound(claim, view.reserved(claim), view.anyFree(claim)))
            .toList();
    var attachments =
        bound.stream()
            .flatMap(way ->
                way instanceof Way.Named it ? view.attachmentsOf(it.volume()) : Stream.empty())
            .toList();
    this.attached = nodes(attachments.stream());
    this.holders = nodes(attachments.stream().filter(it -> !it.meta().deleting()));
    this.claimInUse = VolumeRules.claimInUse(view, pod);
  }

  private static Set<String> nodes(Stream<Attachment> attachments) {
    return attachments.map(Attachment::nodeName).collect(Collectors.toUnmodifiableSet());
  }

  static Wanted by(View view, Pod pod) {
    return new Wanted(view, pod, view.usable(pod).toList());
  }

  View view() {
    return view;
  }

  Pod pod() {
    return pod;
  }

  /// What it asks for of processors, memory and the like.
  Amounts amounts() {
    return amounts;
  }

  /// Those of its claims that exist and are its to use.
  List<Claim> claims() {
    return claims;
  }

  /// Those of them that are bound, and the ways to their volumes.
  List<Way.Claimed> bound() {
    return bound;
  }

  /// The others, in the order in which they choose.
  List<Unbound> unbound() {
    return unbound;
  }

  /// Nodes that have one of its volumes, and keep it.
  Set<String> holders() {
    return holders;
  }

  /// Nodes that have one of its volumes, also where it is about to leave.
  Set<String> attached() {
    return attached;
  }

  /// Why no node does as long as another pod has one of its claims.
  Optional<Refusal> claimInUse() {
    return claimInUse;
  }

  /// What its claims count as for a driver's limit of volumes.
  Set<String> volumes(String driver) {
    return volumes.computeIfAbsent(
        driver,
        name ->
            ways.stream()
                .flatMap(way -> AttachLimit.volume(view, way, name).stream())
                .collect(Collectors.toUnmodifiableSet()));
  }

  /// Whether a node needs this driver on it: it is known, and runs somewhere (SCHED-33).
  boolean needs(String driver) {
    return needed.computeIfAbsent(
        driver, name -> view.driver(name).isPresent() && view.registeredAnywhere(name));
  }

  /// Whether the driver of the class reports room for the claim on the node (SCHED-15).
  boolean hasRoom(Claim claim, StorageClass storageClass, Node node) {
    return roomAnywhere.computeIfAbsent(
            claim,
            it ->
                view.capacities(storageClass).stream()
                    .anyMatch(capacity -> capacity.fits(it.request())))
        && view.capacities(storageClass, node).anyMatch(capacity -> capacity.fits(claim.request()));
  }
}
