package dev.berth.sidecar.attacher;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.attacher.AttachEffect.Compared;
import dev.berth.sidecar.attacher.AttachEffect.ListPublished;
import dev.berth.sidecar.attacher.Audit.Listing;
import dev.berth.sidecar.attacher.Audit.Mark;
import dev.berth.sidecar.connection.DriverFacts;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Asks the driver from time to time where its volumes are attached, and finds the attachments that
/// say otherwise (ATT-65, ATT-66). Nothing is done to a volume without an attachment.
final class AuditDecision {
  /// Whoever says otherwise after so many repairs means something else by its handles (ATT-70).
  static final int ENOUGH = 5;

  private final DriverFacts driver;
  private final Duration interval;

  AuditDecision(DriverFacts driver, Duration interval) {
    this.driver = driver;
    this.interval = interval;
  }

  Step decide(View view) {
    var audit = view.audit();
    if (audit.listing().isPresent())
      return new Act(new Compared(new TreeMap<>(marks(view, audit.listing().get()))));
    if (audit.at().isEmpty() || !view.now().isBefore(audit.at().get().plus(interval)))
      return new Act(new ListPublished(seen(view)));
    return new Settled().lookAgainAt(audit.at().get().plus(interval));
  }

  private TreeMap<String, String> seen(View view) {
    var seen = new TreeMap<String, String>();
    ours(view).forEach(va -> seen.put(va.meta().name(), va.meta().resourceVersion()));
    return seen;
  }

  /// ATT-69.
  private Stream<Attachment> ours(View view) {
    return view.attachments()
        .filter(va -> va.attacher().equals(driver.name()) && driver.servesNode(va.nodeName()));
  }

  private TreeMap<String, Mark> marks(View view, Listing listing) {
    var marks = new TreeMap<String, Mark>();
    ours(view)
        .filter(va -> va.meta().resourceVersion().equals(listing.seen().get(va.meta().name())))
        .filter(va -> saysOtherwise(view, va, listing))
        .forEach(va -> marks.put(va.meta().name(), mark(view, va)));
    return marks;
  }

  private static Mark mark(View view, Attachment va) {
    var before =
        Optional.ofNullable(view.audit().marks().get(va.meta().name()))
            .filter(it -> it.uid().equals(va.meta().uid()));
    int times = before.map(Mark::times).orElse(0) + 1;
    return new Mark(va.meta().uid(), times, times <= ENOUGH);
  }

  /// What the driver does not list is attached nowhere (ATT-66); whoever leaves out what is
  /// attached is not believed for ever.
  private boolean saysOtherwise(View view, Attachment va, Listing listing) {
    var handle = source(view, va).map(CsiSource::handle);
    var node = view.nodeId(va, driver.name());
    return handle.isPresent()
        && node.isPresent()
        && listing.nodes().getOrDefault(handle.get(), Set.of()).contains(node.get())
            != va.attached();
  }

  private static Optional<CsiSource> source(View view, Attachment va) {
    return va.inline()
        .flatMap(view::source)
        .or(() -> view.volume(ObjectKey.cluster(va.volumeName())).found().flatMap(view::source));
  }
}
