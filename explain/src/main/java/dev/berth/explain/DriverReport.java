package dev.berth.explain;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.explain.answer.ChainJson;
import dev.berth.explain.answer.ChainText;
import dev.berth.explain.answer.Explanation.Verdict;
import dev.berth.explain.answer.Gap;
import dev.berth.explain.answer.Gaps;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lease;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Translation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How a driver stands as a whole: what is there of it, and what contradicts itself (DRV-01,
/// DRV-02).
///
/// @param named whether any object names the driver
/// @param facts what there is, a line each
/// @param findings what cannot work as it is
/// @param gaps what may not be read: there may be more of the driver, and more findings (XPL-11)
public record DriverReport(
    String driver, boolean named, List<String> facts, List<Finding> findings, List<Gap> gaps) {
  public DriverReport {
    facts = List.copyOf(facts);
    findings = List.copyOf(findings);
    gaps = List.copyOf(gaps);
  }

  /// @param what contradicts what
  public record Finding(String what, String remedy) {}

  /// @param gaps what may not be read of the objects
  public static DriverReport of(String driver, Snapshot objects, Gaps gaps, Instant now) {
    gaps.take();
    var seen = new Look(driver, objects, now).report();
    return new DriverReport(
        driver, seen.named(), seen.facts(), seen.findings(), List.copyOf(gaps.take()));
  }

  public Verdict verdict() {
    if (!findings.isEmpty()) return Verdict.BLOCKED;
    return gaps.stream().anyMatch(Gap::matters) ? Verdict.UNREADABLE : Verdict.CLEAR;
  }

  public List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add("driver " + driver);
    facts.forEach(fact -> lines.add("  " + fact));
    for (var finding : findings) {
      lines.add("Contradiction: " + finding.what());
      lines.add("  What to do: " + finding.remedy());
    }
    if (findings.isEmpty())
      lines.add(
          gaps.isEmpty()
              ? "Nothing contradicts itself."
              : "Nothing contradicts itself, as far as can be seen.");
    lines.addAll(ChainText.unseen(gaps));
    return lines;
  }

  public ObjectNode json() {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("subject", "driver/" + driver);
    json.put("kind", verdict().name().toLowerCase(Locale.ROOT));
    var told = json.putArray("facts");
    facts.forEach(told::add);
    var list = json.putArray("findings");
    for (var finding : findings)
      list.addObject().put("finding", finding.what()).putArray("remedy").add(finding.remedy());
    ChainJson.unread(gaps, json);
    return json;
  }

  /// One look at the objects.
  private record Look(String driver, Snapshot objects, Instant now) {
    DriverReport report() {
      var facts = new ArrayList<String>();
      facts.add(object());
      facts.add(nodes());
      for (var sidecar : Sidecar.values())
        facts.add("%s: %s".formatted(sidecar.title, lease(sidecar)));
      facts.add(
          "%d storage classes, %d volumes, %d capacity objects%s"
              .formatted(classes(), volumes(), capacities(), oldest()));
      return new DriverReport(driver, named(), facts, findings(), List.of());
    }

    private boolean named() {
      return csiDriver().isPresent() || !registered().isEmpty() || classes() > 0 || volumes() > 0;
    }

    private String object() {
      return csiDriver()
          .map(it ->
              ("CSIDriver: attachRequired=%s, storageCapacity=%s, requiresRepublish=%s,"
                      + " podInfoOnMount=%s, fsGroupPolicy=%s, volumeLifecycleModes=%s,"
                      + " seLinuxMount=%s")
                  .formatted(
                      it.attachRequired(),
                      it.storageCapacity(),
                      it.requiresRepublish(),
                      it.podInfoOnMount(),
                      it.fsGroupPolicy(),
                      it.lifecycleModes().stream().sorted().collect(Collectors.joining("+")),
                      it.seLinuxMount()))
          .orElse("CSIDriver: none");
    }

    private Optional<CsiDriver> csiDriver() {
      return objects.get(Kinds.CSI_DRIVER, ObjectKey.cluster(driver)).found();
    }

    private String nodes() {
      var all = objects.all(Kinds.NODE).stream().map(node -> node.meta().name()).toList();
      var lacking = new ArrayList<>(all);
      lacking.removeAll(registered());
      return "registered on %d of %d nodes%s"
          .formatted(
              registered().size(),
              all.size(),
              lacking.isEmpty() || registered().isEmpty()
                  ? ""
                  : "; not on "
                      + String.join(", ", lacking.subList(0, Math.min(5, lacking.size()))));
    }

    private List<String> registered() {
      return objects.all(Kinds.CSI_NODE).stream()
          .filter(node -> entries(node).findAny().isPresent())
          .map(node -> node.meta().name())
          .toList();
    }

    private Stream<CsiNode.Driver> entries(CsiNode node) {
      return node.drivers().stream().filter(it -> it.name().equals(driver));
    }

    private String lease(Sidecar sidecar) {
      return held(sidecar)
          .map(it ->
              it.isHeld(now)
                  ? "its lease is held by " + it.holder()
                  : "its lease has run out, so it seems to have stopped")
          .orElse("no lease: it does not run, or runs without leader election");
    }

    private Optional<Lease> held(Sidecar sidecar) {
      var name = sidecar.lease.apply(driver);
      return objects.all(Kinds.LEASE).stream()
          .filter(it -> it.meta().name().equals(name))
          .max(Comparator.comparing(it -> it.renewed().orElse(Instant.EPOCH)));
    }

    private long classes() {
      return objects.all(Kinds.STORAGE_CLASS).stream()
          .filter(it -> it.provisioner().equals(driver))
          .count();
    }

    private long volumes() {
      return objects.all(Kinds.VOLUME).stream()
          .filter(it ->
              Translation.NONE.source(it).filter(csi -> csi.driver().equals(driver)).isPresent())
          .count();
    }

    private long capacities() {
      return ofDriver().count();
    }

    private Stream<StorageCapacity> ofDriver() {
      return objects.all(Kinds.STORAGE_CAPACITY).stream()
          .filter(it ->
              objects
                  .get(Kinds.STORAGE_CLASS, ObjectKey.cluster(it.className()))
                  .found()
                  .filter(each -> each.provisioner().equals(driver))
                  .isPresent());
    }

    private String oldest() {
      return ofDriver()
          .map(it -> it.meta().created())
          .min(Comparator.naturalOrder())
          .map(at -> ", the oldest " + ChainText.age(Duration.between(at, now)) + " old")
          .orElse("");
    }

    private List<Finding> findings() {
      var findings = new ArrayList<Finding>();
      var csiDriver = csiDriver();
      boolean here = csiDriver.isPresent() || !registered().isEmpty();
      if (!here && classes() > 0)
        findings.add(
            new Finding(
                "a storage class names driver %s, of which there is neither a CSIDriver nor a node that has registered it"
                    .formatted(driver),
                "install driver %s, or mend the provisioner's name: classes are made anew"
                    .formatted(driver)));
      if (csiDriver.filter(CsiDriver::attachRequired).isPresent()
          && held(Sidecar.ATTACHER).filter(it -> it.isHeld(now)).isEmpty()
          && attachmentsWait())
        findings.add(
            new Finding(
                "attachRequired is true, attachments wait, and no attacher holds a lease",
                "start the driver's attacher; or, if the driver attaches nothing, make its"
                    + " CSIDriver anew with attachRequired: false"));
      if (csiDriver.filter(CsiDriver::storageCapacity).isPresent()
          && capacities() == 0
          && classes() > 0)
        findings.add(
            new Finding(
                "storageCapacity is true, and there is no CSIStorageCapacity of its classes: no pod"
                    + " that needs a new volume finds a node",
                "start the provisioner with --enable-capacity; or: kubectl patch csidriver %s -p '{\"spec\":{\"storageCapacity\":false}}'"
                    .formatted(driver)));
      if (objects.all(Kinds.CSI_NODE).stream()
              .flatMap(this::entries)
              .allMatch(it -> it.topologyKeys().isEmpty())
          && !registered().isEmpty()
          && pinned() > 0)
        findings.add(
            new Finding(
                "no node has topology keys of it, and %d of its volumes are for some nodes only"
                    .formatted(pinned()),
                "restart the driver's node plugins with topology, as when these volumes were"
                    + " made"));
      if (csiDriver.filter(Look::hidesInline).isPresent())
        findings.add(
            new Finding(
                "volumeLifecycleModes has Ephemeral beside Persistent, and podInfoOnMount is false:"
                    + " the driver is not told which volumes are a pod's own",
                "kubectl patch csidriver %s -p '{\"spec\":{\"podInfoOnMount\":true}}'"
                    .formatted(driver)));
      if (csiDriver.isEmpty() && !registered().isEmpty())
        findings.add(
            new Finding(
                "it is registered on nodes and has no CSIDriver: Kubernetes takes defaults for it"
                    + " (attachRequired: true)",
                "apply the CSIDriver of the driver's manifests"));
      return findings;
    }

    private static boolean hidesInline(CsiDriver object) {
      return object.lifecycleModes().size() > 1 && !object.podInfoOnMount();
    }

    private boolean attachmentsWait() {
      return objects.all(Kinds.ATTACHMENT).stream()
          .anyMatch(it -> it.attacher().equals(driver) && (!it.attached() || it.meta().deleting()));
    }

    private long pinned() {
      return objects.all(Kinds.VOLUME).stream()
          .filter(it ->
              Translation.NONE.source(it).filter(csi -> csi.driver().equals(driver)).isPresent())
          .filter(it -> it.nodeAffinity().isPresent())
          .count();
    }
  }

  /// Whose Lease tells whether they run (XPL-08).
  private enum Sidecar {
    PROVISIONER("provisioner", LeaseNames::provisioner),
    ATTACHER("attacher", LeaseNames::attacher),
    RESIZER("resizer", LeaseNames::resizer),
    SNAPSHOTTER("snapshotter", LeaseNames::snapshotter),
    HEALTH("health monitor", LeaseNames::healthMonitor);

    private final String title;
    private final UnaryOperator<String> lease;

    Sidecar(String title, UnaryOperator<String> lease) {
      this.title = title;
      this.lease = lease;
    }
  }
}
