package dev.berth.sidecar.attacher;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Trigger;
import dev.berth.kube.loop.Unsplit;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Attaches and detaches the volumes of one driver, as kubernetes-csi/external-attacher does.
///
/// It bounds its calls itself, attaching and detaching apart; its loop should be given room for
/// many more keys than both bounds together, so that neither waits for the other.
public final class Attacher implements Unsplit<Subject, View> {
  private final DriverFacts driver;
  private final AttachmentDecision attachments;
  private final VolumeDecision volumes;
  private final Optional<AttachEffects> effects;

  private Attacher(DriverFacts driver, AttacherOptions options, Optional<AttachEffects> effects) {
    this.driver = driver;
    this.effects = effects;
    attachments = new AttachmentDecision(driver, options);
    volumes = new VolumeDecision(driver.name());
  }

  /// @param calls to the driver, each with a deadline (ATT-31)
  public static Attacher of(
      DriverFacts driver,
      AttacherOptions options,
      ControllerCalls calls,
      Api api,
      EventRecorder events,
      Time time) {
    var effects = new AttachEffects(driver.name(), options, calls, api, events, time);
    return new Attacher(driver, options, Optional.of(effects));
  }

  /// Decides only: for explanations.
  public static Attacher explaining(DriverFacts driver) {
    return new Attacher(driver, AttacherOptions.DEFAULT, Optional.empty());
  }

  /// The key under which a VolumeAttachment is decided about.
  public static Subject attachment(String name) {
    return Subject.attachment(name);
  }

  /// The key under which a PersistentVolume is decided about.
  public static Subject volume(String name) {
    return Subject.volume(name);
  }

  @Override
  public String name() {
    return "attacher/" + driver.name();
  }

  @Override
  public List<Trigger<?, Subject>> triggers() {
    return List.of(
        Trigger.on(Kinds.ATTACHMENT, (change, _) -> subjects(change)),
        Trigger.on(Kinds.VOLUME, this::subjects),
        Trigger.on(Kinds.CSI_NODE, this::attachmentsOf));
  }

  @Override
  public View view(Snapshot objects, Instant now) {
    return new View(objects);
  }

  @Override
  public Step decide(View view, Subject subject) {
    return switch (subject) {
      case Subject.OfAttachment(var key) -> attachments.decide(view, key);
      case Subject.OfVolume(var key) -> volumes.decide(view, key);
    };
  }

  @Override
  public void carryOut(Effect effect) throws InterruptedException {
    effects
        .orElseThrow(() -> new IllegalStateException("an attacher that explains does not act"))
        .carryOut((AttachEffect) effect);
  }

  /// The attachment; when it has gone, its volume too (ATT-18).
  private static Stream<Subject> subjects(Change<Attachment> change) {
    var va = change.latest();
    var subject = Subject.attachment(va.meta().name());
    return change.after().isPresent()
        ? Stream.of(subject)
        : Stream.of(subject, Subject.volume(va.volumeName()));
  }

  private Stream<Subject> subjects(Change<Volume> change, Snapshot objects) {
    var name = change.latest().meta().name();
    return Stream.concat(
        Stream.of(Subject.volume(name)),
        unfinished(objects.by(Indexes.ATTACHMENTS_BY_VOLUME, name)));
  }

  private Stream<Subject> attachmentsOf(Change<CsiNode> change, Snapshot objects) {
    return unfinished(objects.by(Indexes.ATTACHMENTS_BY_NODE, change.latest().meta().name()));
  }

  private Stream<Subject> unfinished(Collection<Attachment> attachments) {
    return attachments.stream()
        .filter(va -> va.attacher().equals(driver.name()))
        .filter(va -> !va.attached() || va.meta().deleting())
        .map(va -> Subject.attachment(va.meta().name()));
  }
}
