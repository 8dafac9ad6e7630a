package dev.berth.controller.scheduler;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// How many volumes of a driver a node takes (SCHED-30). Without a CSINode, an entry or a count in
/// it there is no limit.
final class AttachLimit {
  static final String EXCEEDED = "node(s) exceed max volume count";

  private AttachLimit() {}

  static Optional<Refusal> refusal(Wanted wanted, Node node) {
    return wanted.view().csiNode(node).stream()
        .flatMap(csiNode -> csiNode.drivers().stream())
        .filter(driver -> driver.maxVolumes().isPresent())
        .filter(driver -> exceeded(wanted, node, driver))
        .findFirst()
        .map(driver -> exceeded(node, driver));
  }

  private static boolean exceeded(Wanted wanted, Node node, CsiNode.Driver driver) {
    var volumes = wanted.volumes(driver.name());
    long limit = driver.maxVolumes().orElseThrow();
    if (volumes.isEmpty() || volumes.size() + mostPresent(wanted.view(), node) <= limit)
      return false;
    var all = new HashSet<>(volumes);
    all.addAll(present(wanted.view(), node, driver.name()));
    return all.size() > limit;
  }

  /// No fewer than are [#present], whichever the driver, and without looking at one of them.
  private static int mostPresent(View view, Node node) {
    var name = node.meta().name();
    return view.claimCount(name) + view.attachmentsOn(name).size();
  }

  /// Volumes that pods on the node use, and those that are attached all the same.
  private static Set<String> present(View view, Node node, String driver) {
    var volumes = new HashSet<String>();
    for (var pod : view.podsOn(node.meta().name()))
      claims(view, pod).forEach(claim -> volume(view, claim, driver).ifPresent(volumes::add));
    for (var attachment : view.attachmentsOn(node.meta().name()))
      if (attachment.attacher().equals(driver)) volumes.add(volume(view, attachment));
    return volumes;
  }

  private static Stream<Claim> claims(View view, Pod pod) {
    return pod.claimNames()
        .flatMap(name -> view.claim(ObjectKey.of(pod.meta().namespace(), name)).found().stream());
  }

  /// What the claim counts as: its volume's handle; the claim itself while it has no volume yet.
  static Optional<String> volume(View view, Claim claim, String driver) {
    if (claim.volumeName().isEmpty())
      return view.storageClass(claim)
          .map(StorageClass::provisioner)
          .filter(driver::equals)
          .map(_ -> "claim " + claim.meta().key());
    return view.volume(claim.volumeName())
        .found()
        .flatMap(Volume::csi)
        .filter(csi -> csi.driver().equals(driver))
        .map(csi -> "handle " + csi.handle());
  }

  /// An attachment of a volume that is gone still takes its place.
  private static String volume(View view, Attachment attachment) {
    return view.volume(attachment.volumeName())
        .found()
        .flatMap(Volume::csi)
        .map(csi -> "handle " + csi.handle())
        .orElse("attachment " + attachment.meta().name());
  }

  // P13
  private static Refusal exceeded(Node node, CsiNode.Driver driver) {
    return new Refusal(
        EXCEEDED,
        Wait.on(Kinds.CSI_NODE.ref(node.meta().key()), "spec.drivers"),
        "node %s has room for another volume of %s, of which it takes %d"
            .formatted(node.meta().name(), driver.name(), driver.maxVolumes().orElseThrow()),
        "add a node, or delete pods whose volumes are on node " + node.meta().name());
  }
}
