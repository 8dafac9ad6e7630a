package dev.berth.controller.scheduler;

import dev.berth.controller.scheduler.Fit.Fits;
import dev.berth.controller.scheduler.Fit.Refused;
import dev.berth.controller.scheduler.Fit.Stage;
import dev.berth.controller.scheduler.Placement.Match;
import dev.berth.controller.scheduler.Wanted.Unbound;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume.Source;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Way;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Whether a pod's volumes are or can be had on a node (sections 6.2 and 6.3). The claims are those
/// that [PodRules] let pass: each is bound, or waits for its first consumer.
final class VolumeRules {
  static final String NO_VOLUME_TO_BIND =
      "node(s) didn't find available persistent volumes to bind";
  static final String NO_FREE_STORAGE = "node(s) did not have enough free storage";
  static final String CLAIM_IN_USE =
      "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already"
          + " in-use by another pod";
  static final String NOT_INSTALLED = " CSI driver is not installed on the node";
  static final String VOLUME_MISSING =
      "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";

  private VolumeRules() {}

  static Fit fit(Wanted wanted, Host host) {
    return wanted
        .claimInUse()
        .or(() -> InlineDisks.refusal(wanted, host))
        .or(() -> AttachLimit.refusal(wanted, host))
        .or(() -> unreachable(wanted, host))
        .<Fit>map(VolumeRules::refused)
        .orElseGet(() -> placeInZone(wanted, host));
  }

  private static Fit placeInZone(Wanted wanted, Host host) {
    var placed = place(wanted, host);
    return placed instanceof Fits
        ? Zones.refusal(wanted, host).<Fit>map(VolumeRules::refused).orElse(placed)
        : placed;
  }

  /// SCHED-34: references only; a claim made for a pod has one user by birth.
  // P14
  static Optional<Refusal> claimInUse(View view, Pod pod) {
    return pod.volumes().stream()
        .flatMap(volume ->
            volume.source() instanceof Source.FromClaim(var name)
                ? view.claim(ObjectKey.of(pod.meta().namespace(), name)).found().stream()
                : Stream.empty())
        .filter(claim -> claim.accessModes().contains(AccessMode.READ_WRITE_ONCE_POD))
        .flatMap(claim -> view.placedUsers(claim).stream())
        .findFirst()
        .map(user ->
            new Refusal(
                CLAIM_IN_USE,
                Wait.on(user.ref()).since(pod.meta().created()),
                user.ref() + " no longer uses the claim, which one pod at a time may use",
                Commands.delete(user.ref())));
  }

  /// SCHED-12: what is bound already decides where the pod can be.
  private static Optional<Refusal> unreachable(Wanted wanted, Host host) {
    for (var bound : wanted.bound()) {
      var refusal = unreachable(wanted, bound, host);
      if (refusal.isPresent()) return refusal;
    }
    return Optional.empty();
  }

  private static Optional<Refusal> unreachable(Wanted wanted, Way.Claimed way, Host host) {
    return switch (way) {
      case Way.NoVolume(_, var claim, var absent) -> // P11
          Optional.of(
              new Refusal(
                  VOLUME_MISSING,
                  Wait.on(absent),
                  absent + " of claim " + claim.meta().key() + " exists again",
                  "see what became of it: " + Commands.explain(claim.ref())));
      case Way.Named it when !reaches(host, it.volume()) -> // P10
          Optional.of(
              new Refusal(
                      "node(s) didn't match PersistentVolume's node affinity",
                      Wait.on(it.volume().ref(), "spec.nodeAffinity"),
                      "a node that " + it.volume().ref() + " allows takes the pod",
                      "bring back or uncordon a node that the volume allows")
                  .dangerEverywhere(
                      "no node that the volume allows is there; if the data is on one that is"
                          + " gone, it is only there: delete neither claim nor volume"));
      case Way.Named it ->
          wanted
              .view()
              .source(it.volume())
              .flatMap(source -> notInstalled(wanted, source.driver(), host));
      case Way.Foreign _, Way.Unbound _ -> Optional.empty(); // other rules see to them
    };
  }

  private static boolean reaches(Host host, Volume volume) {
    return volume.nodeAffinity().isEmpty() || volume.nodeAffinity().get().matches(host.existing());
  }

  /// SCHED-33: a driver that runs on some nodes has to run on this one.
  // P15
  private static Optional<Refusal> notInstalled(Wanted wanted, String driver, Host host) {
    boolean here = host.csiNode().isPresent() && host.csiNode().get().driver(driver).isPresent();
    if (here || !wanted.needs(driver)) return Optional.empty();
    return Optional.of(
        new Refusal(
            driver + NOT_INSTALLED,
            Wait.on(Kinds.CSI_NODE.ref(ObjectKey.cluster(host.name())), "spec.drivers"),
            driver + " has registered on node " + host.name(),
            "look at the driver's pod on node " + host.name()));
  }

  /// SCHED-13: each volume is used once; what no volume serves is made.
  private static Fit place(Wanted wanted, Host host) {
    var matches = new ArrayList<Match>();
    var provisions = new ArrayList<Claim>();
    var used = new HashSet<ObjectKey>();
    for (var unbound : wanted.unbound()) {
      var claim = unbound.claim();
      var pinned = claim.selectedNode();
      if (pinned.isPresent() && !pinned.get().equals(host.name()))
        return refused(pinned(claim, pinned.get()));
      var match =
          pinned.isPresent() ? Optional.<Volume>empty() : match(wanted.view(), unbound, host, used);
      if (match.isPresent()) {
        used.add(match.get().meta().key());
        matches.add(new Match(claim, match.get()));
      } else {
        var refusal = cannotBeMade(wanted, claim, host);
        if (refusal.isPresent()) return refused(refusal.get());
        provisions.add(claim);
      }
    }
    return Units.refusal(wanted, provisions, host.existing())
        .map(VolumeRules::refused)
        .orElseGet(() -> new Fits(new Placement(host.existing(), matches, provisions)));
  }

  private static Fit refused(Refusal refusal) {
    return new Refused(Stage.VOLUMES, refusal);
  }

  /// A volume that is reserved for the claim is the only one that may serve it (MATCH-03).
  private static Optional<Volume> match(
      View view, Unbound unbound, Host host, Set<ObjectKey> used) {
    if (unbound.reserved().isPresent())
      return unbound.reserved().filter(volume -> reaches(host, volume));
    if (!unbound.anyFree()) return Optional.empty();
    return view.smallestFree(
        unbound.claim(), host.existing(), volume -> !used.contains(volume.meta().key()));
  }

  // P19
  private static Refusal pinned(Claim claim, String node) {
    return new Refusal(
        NO_VOLUME_TO_BIND,
        Wait.on(claim.ref(), "metadata.annotations"),
        "claim "
            + claim.meta().key()
            + " gets its volume on node "
            + node
            + ", or is given another node",
        "see why node "
            + node
            + " does not do; if it does not come back and its driver makes no volume at this"
            + " moment: "
            + Commands.kubectl("annotate", claim.ref(), Annotations.SELECTED_NODE + "-"));
  }

  /// SCHED-14. Where the node is selected already, the provisioner has the last word on room.
  private static Optional<Refusal> cannotBeMade(Wanted wanted, Claim claim, Host host) {
    var node = host.existing();
    var storageClass =
        wanted.view().storageClass(claim).orElseThrow(); // or it would not wait for a consumer
    if (makesNothing(storageClass)) return Optional.of(nothingFits(claim, storageClass));
    if (!allowed(storageClass, node)) return Optional.of(notAllowed(storageClass, node));
    return notInstalled(wanted, storageClass.provisioner(), host)
        .or(() -> noRoom(wanted, claim, storageClass, node));
  }

  private static boolean makesNothing(StorageClass storageClass) {
    return storageClass.provisioner().isEmpty()
        || storageClass.provisioner().equals("kubernetes.io/no-provisioner");
  }

  private static boolean allowed(StorageClass storageClass, Node node) {
    return storageClass.allowedTopologies().isEmpty()
        || storageClass.allowedTopologies().stream()
            .anyMatch(term -> term.matches(node.meta().labels()));
  }

  // P18
  private static Refusal nothingFits(Claim claim, StorageClass storageClass) {
    return new Refusal(
        NO_VOLUME_TO_BIND,
        Wait.on(claim.ref(), "spec.volumeName"),
        "a free volume of class "
            + storageClass.meta().name()
            + " fits claim "
            + claim.meta().key(),
        "create such a volume for a node that takes the pod, or free a released one");
  }

  // P17
  private static Refusal notAllowed(StorageClass storageClass, Node node) {
    return new Refusal(
        NO_VOLUME_TO_BIND,
        Wait.on(storageClass.ref(), "allowedTopologies"),
        "the class allows a place such as node " + node.meta().name(),
        "compare the labels of the nodes with allowedTopologies of the class");
  }

  /// SCHED-15.
  // P16
  private static Optional<Refusal> noRoom(
      Wanted wanted, Claim claim, StorageClass storageClass, Node node) {
    boolean tracked =
        wanted
            .view()
            .driver(storageClass.provisioner())
            .filter(CsiDriver::storageCapacity)
            .isPresent();
    if (!tracked || claim.selectedNode().isPresent() || !claim.request().isPositive())
      return Optional.empty();
    if (wanted.hasRoom(claim, storageClass, node)) return Optional.empty();
    return Optional.of(
        new Refusal(
            NO_FREE_STORAGE,
            Wait.on(storageClass.ref()),
            "the driver reports room for "
                + claim.request()
                + " on node "
                + node.meta().name()
                + " in a CSIStorageCapacity",
            "free storage there; if no CSIStorageCapacity of the class exists, look at the"
                + " provisioner"));
  }
}
