package dev.berth.sidecar.provisioner;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.topology.AllowedTopologies;
import dev.berth.sidecar.provisioner.topology.NameSpread;
import dev.berth.sidecar.provisioner.topology.Placement;
import dev.berth.sidecar.provisioner.topology.Segment;
import dev.berth.sidecar.provisioner.topology.Segments;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Chooses the segments that CreateVolume is told (spec/provisioner.md, section 7).
final class PlacementDecision {
  /// How upstream begins what it says of each of these.
  private static final String NO_REQUIREMENTS = "error generating accessibility requirements: ";

  private final DriverFacts driver;
  private final ProvisionerOptions options;

  PlacementDecision(DriverFacts driver, ProvisionerOptions options) {
    this.driver = driver;
    this.options = options;
  }

  /// The table of PROV-83: one method for claims with a selected node, one for those without.
  Placement place(View view, Claim claim, StorageClass storageClass) {
    if (!driver.hasTopology()) return new Placement.Anywhere(); // PROV-80
    // PROV-150
    if (driver.own().isPresent())
      return new Placement.Within(
          new Segments(List.of(Segment.of(driver.own().get().segments())), 0));
    return node(claim)
        .map(node -> near(view, claim, storageClass, node))
        .orElseGet(() -> spread(view, claim, storageClass));
  }

  /// Where the claim's volume has to be reached from. A scheduler of long ago wrote it elsewhere;
  /// that node is not given back, and nothing waits for it (PROV-15).
  static Optional<String> node(Claim claim) {
    return claim
        .meta()
        .annotation(Annotations.SELECTED_NODE)
        .or(() -> claim.meta().annotation(Annotations.ALPHA_SELECTED_NODE))
        .filter(node -> !node.isEmpty());
  }

  private Placement near(View view, Claim claim, StorageClass storageClass, String name) {
    return switch (view.csiNode(name)) {
      case Missing<CsiNode>(var ref) -> new Placement.NodeGone(ref); // PROV-82
      case Found(var csiNode) ->
          switch (view.node(name)) {
            case Missing<Node>(var ref) -> new Placement.NodeGone(ref);
            case Found(var node) -> near(view, claim, storageClass, node, csiNode);
          };
    };
  }

  private Placement near(
      View view, Claim claim, StorageClass storageClass, Node node, CsiNode csiNode) {
    var keys = keys(csiNode);
    if (keys.isEmpty()) return new Placement.NotYet(untilRegistered(claim, csiNode));
    var here = Segment.of(node, keys);
    if (here.isEmpty()) return new Placement.NotYet(untilLabelled(claim, node, keys));
    var allowed = AllowedTopologies.of(storageClass);
    if (!options.strictTopology()) {
      if (allowed.nowhere()) return new Placement.Anywhere(); // PROV-85
      var all = allowed.limited() ? allowed.segments() : aggregated(view, keys);
      return startingAt(all, here.get(), claim, node, storageClass);
    }
    if (allowed.admits(here.get(), true))
      return new Placement.Within(new Segments(List.of(here.get()), 0));
    return new Placement.NotYet(
        untilAllowed(
            claim,
            node,
            storageClass,
            "selected node '\"%s\"' topology '%s' is not in allowed topologies: %s"
                .formatted(node.meta().name(), here.get().told(), told(allowed.segments()))));
  }

  /// Whether volumes of the class may be where we alone make them.
  boolean allowsOwn(StorageClass storageClass) {
    return !driver.hasTopology()
        || AllowedTopologies.of(storageClass)
            .admits(Segment.of(driver.own().orElseThrow().segments()), options.strictTopology());
  }

  private Placement startingAt(
      List<Segment> segments, Segment here, Claim claim, Node node, StorageClass storageClass) {
    for (int first = 0; first < segments.size(); first++)
      if (segments.get(first).contains(here))
        return new Placement.Within(Segments.nearest(segments, first));
    return new Placement.NotYet(
        untilAllowed(
            claim,
            node,
            storageClass,
            "topology %s from selected node \"%s\" is not in requisite: %s"
                .formatted(here.told(), node.meta().name(), told(segments))));
  }

  private Placement spread(View view, Claim claim, StorageClass storageClass) {
    var allowed = AllowedTopologies.of(storageClass);
    if (!allowed.segments().isEmpty()) return byName(claim, allowed.segments());
    if (allowed.nowhere() || !options.immediateTopology()) return new Placement.Anywhere();
    var registered = view.withTopology(driver.name()); // PROV-86
    if (registered.isEmpty()) return new Placement.NotYet(untilAnyRegistered(claim));
    var segments = aggregated(view, keys(registered.get()));
    if (segments.isEmpty())
      return new Placement.NotYet(
          untilAnyLabelled(claim, registered.get(), keys(registered.get())));
    return byName(claim, segments);
  }

  private static Placement byName(Claim claim, List<Segment> segments) {
    int first = NameSpread.start(claim.meta().name(), segments.size());
    return new Placement.Within(Segments.nearest(segments, first));
  }

  private List<String> keys(CsiNode node) {
    return node.driver(driver.name()).map(CsiNode.Driver::topologyKeys).orElse(List.of());
  }

  private static List<Segment> aggregated(View view, List<String> keys) {
    return Segments.ordered(view.segments(keys));
  }

  private Wait untilRegistered(Claim claim, CsiNode node) {
    return Complaint.ofAttempt(
        claim,
        Wait.on(node.ref(), "spec.drivers")
            .since(claim.meta().created())
            .until(
                "%s has registered with topology keys on node %s"
                    .formatted(driver.name(), node.meta().name()))
            .remedy("look at the driver's pod on node " + node.meta().name()),
        NO_REQUIREMENTS + "no topology key found for node " + node.meta().name());
  }

  private Wait untilAnyRegistered(Claim claim) {
    return Complaint.ofAttempt(
        claim,
        Wait.on(claim.ref())
            .since(claim.meta().created())
            .until("%s has registered with topology keys on some node".formatted(driver.name()))
            .remedy("look at the driver's node pods"),
        NO_REQUIREMENTS + "no available topology found");
  }

  private static Wait untilLabelled(Claim claim, Node node, List<String> keys) {
    return untilLabelled(
        claim,
        node.meta().name(),
        keys,
        "topology labels from selected node %s does not match topology keys from CSINode [%s]"
            .formatted(told(node.meta().labels()), String.join(" ", keys)));
  }

  private static String told(Map<String, String> labels) {
    return new TreeMap<>(labels)
        .entrySet().stream()
            .map(label -> label.getKey() + ":" + label.getValue())
            .collect(Collectors.joining(" ", "map[", "]"));
  }

  private static String told(List<Segment> segments) {
    return segments.stream().map(Segment::told).collect(Collectors.joining(" ", "[", "]"));
  }

  private static Wait untilAnyLabelled(Claim claim, CsiNode registered, List<String> keys) {
    return untilLabelled(
        claim,
        registered.meta().name(),
        keys,
        "topologyKeys [%s] were not found on any nodes".formatted(String.join(" ", keys)));
  }

  private static Wait untilLabelled(Claim claim, String node, List<String> keys, String why) {
    return Complaint.ofAttempt(
        claim,
        Wait.on(Ref.of(Resources.NODES, ObjectKey.cluster(node)), "metadata.labels")
            .since(claim.meta().created())
            .until("node %s has the labels %s".formatted(node, String.join(", ", keys)))
            .remedy("restart the driver's pod on node " + node + ", which sets them"),
        NO_REQUIREMENTS + why);
  }

  private static Wait untilAllowed(Claim claim, Node node, StorageClass storageClass, String why) {
    return Complaint.ofAttempt(
        claim,
        Wait.on(storageClass.ref(), "allowedTopologies")
            .since(claim.meta().created())
            .until(
                "class %s allows the selected node %s"
                    .formatted(storageClass.meta().name(), node.meta().name()))
            .remedy(
                "run the pod on a node that the class allows, or use a class that allows node "
                    + node.meta().name()),
        NO_REQUIREMENTS + why);
  }
}
