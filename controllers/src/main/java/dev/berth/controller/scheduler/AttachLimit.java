package dev.berth.controller.scheduler;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
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

  static Optional<Refusal> refusal(Wanted wanted, Host host) {
    if (host.csiNode().isEmpty()) return Optional.empty();
    for (var driver : host.csiNode().get().drivers())
      if (driver.maxVolumes().isPresent() && exceeded(wanted, host, driver))
        return Optional.of(exceeded(host, driver));
    return Optional.empty();
  }

  private static boolean exceeded(Wanted wanted, Host host, CsiNode.Driver driver) {
    var volumes = wanted.volumes(driver.name());
    long limit = driver.maxVolumes().orElseThrow();
    if (volumes.isEmpty() || volumes.size() + mostPresent(host) <= limit) return false;
    // Each attachment takes a place, so what is not attached there yet goes past a full node's end.
    int attached = host.attachments().getOrDefault(driver.name(), 0);
    if (attached >= limit && !wanted.holders().contains(host.name())) return true;
    var all = new HashSet<>(volumes);
    all.addAll(present(wanted.view(), host.name(), driver.name()));
    return all.size() > limit;
  }

  /// No fewer than are [#present], whichever the driver, and without looking at one of them.
  private static int mostPresent(Host host) {
    return host.claims() + host.allAttachments();
  }

  /// Volumes that pods on the node use, and those that are attached all the same.
  private static Set<String> present(View view, String node, String driver) {
    var volumes = new HashSet<String>();
    for (var pod : view.podsOn(node))
      claims(view, pod).forEach(claim -> volume(view, claim, driver).ifPresent(volumes::add));
    for (var attachment : view.attachmentsOn(node))
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
  private static Refusal exceeded(Host host, CsiNode.Driver driver) {
    return new Refusal(
        EXCEEDED,
        Wait.on(Kinds.CSI_NODE.ref(ObjectKey.cluster(host.name())), "spec.drivers"),
        "node "
            + host.name()
            + " has room for another volume of "
            + driver.name()
            + ", of which it takes "
            + driver.maxVolumes().orElseThrow(),
        "add a node, or delete pods whose volumes are on node " + host.name());
  }
}
