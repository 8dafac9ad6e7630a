package dev.berth.controller.scheduler;

import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Way;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

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
    if (attached >= limit && !wanted.attached().contains(host.name())) return true;
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
      view.usable(pod).forEach(way -> volume(view, way, driver).ifPresent(volumes::add));
    for (var attachment : view.attachmentsOn(node))
      if (attachment.attacher().equals(driver)) volumes.add(volume(view, attachment));
    return volumes;
  }

  /// What the claim counts as: its volume's handle; the claim itself while it has no volume, or one
  /// that is not seen yet (SCHED-30).
  static Optional<String> volume(View view, Way.Claimed way, String driver) {
    return switch (way) {
      case Way.Unbound _, Way.NoVolume _ ->
          view.storageClass(way.claim())
              .map(StorageClass::provisioner)
              .filter(driver::equals)
              .map(_ -> "claim " + way.claim().meta().key());
      case Way.Named it ->
          view.source(it.volume())
              .filter(source -> source.driver().equals(driver))
              .map(source -> "handle " + source.handle());
      case Way.Foreign _ -> Optional.empty();
    };
  }

  /// An attachment of a volume that is gone still takes its place.
  private static String volume(View view, Attachment attachment) {
    return view.volume(attachment.volumeName())
        .found()
        .flatMap(view::source)
        .map(source -> "handle " + source.handle())
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
