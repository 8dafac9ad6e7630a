package dev.berth.sidecar.attacher;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_VOLUMES;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.dispatch.Concerned;
import dev.berth.sidecar.part.Part;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.part.Standing;
import dev.berth.sidecar.part.Work;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Attaches and detaches the volumes of one driver, as kubernetes-csi/external-attacher does.
///
/// It bounds its calls itself, attaching and detaching apart; its loop should be given room for
/// many more keys than both bounds together, so that neither waits for the other.
public final class Attacher implements Decider<Subject, View, AttachEffect> {
  /// It bounds its calls itself; this only keeps the number of threads finite.
  private static final int ATTACHMENTS = 4096;

  private final String driver;
  private final boolean lists;
  private final AttachmentDecision attachments;
  private final ReleaseDecision volumes;
  private final AuditDecision audit;

  Attacher(DriverFacts driver, AttacherOptions options) {
    this.driver = driver.name();
    lists = lists(driver);
    audit = new AuditDecision(driver, options.reconcile());
    attachments = new AttachmentDecision(driver, options);
    volumes = new ReleaseDecision(driver.name());
  }

  /// The sidecar as a whole.
  public static Part part(DriverFacts driver, AttacherOptions options) {
    var standing =
        driver.publishes()
            ? Standing.on("PUBLISH_UNPUBLISH_VOLUME")
            : Standing.on( // ATT-26
                "only says yes, for want of PUBLISH_UNPUBLISH_VOLUME; with attachRequired: false in"
                    + " CSIDriver %s nobody would ask it".formatted(driver.name()));
    var told = new Told<>(Audit.TOPIC);
    return new Part(
        Sidecar.ATTACHER,
        standing,
        List.of(
            new Work(
                "csi-attacher-va",
                of(driver, options, told),
                options.pace().parallel(ATTACHMENTS))),
        List.of(told));
  }

  /// @param told what is found out of where volumes are attached
  static Concern<Means, ?, ?, ?> of(DriverFacts driver, AttacherOptions options, Told<Audit> told) {
    var name = driver.name();
    return new Concern<>(
        Sidecar.ATTACHER.role(name),
        new Attacher(driver, options),
        means ->
            new AttachEffects(
                name,
                options,
                means.controller(options.timeout()),
                means.api(),
                means.events(),
                means.time(),
                told));
  }

  /// Whether the driver can say where its volumes are attached (ATT-07).
  private static boolean lists(DriverFacts driver) {
    return driver.publishes()
        && driver.can(LIST_VOLUMES)
        && driver.can(LIST_VOLUMES_PUBLISHED_NODES);
  }

  @Override
  public String name() {
    return "attacher/" + driver;
  }

  @Override
  public List<Trigger<?, Subject>> triggers() {
    var triggers = new ArrayList<Trigger<?, Subject>>();
    var finalizer = Finalizers.attacher(driver);
    triggers.add(
        Trigger.on(Concerned.OF_ATTACHMENT.share(driver, finalizer), this::subjectsOfAttachment));
    triggers.add(Trigger.on(Concerned.OF_VOLUME.share(driver, finalizer), this::subjectsOfVolume));
    triggers.add(Trigger.on(Concerned.OF_CSI_NODE.share(driver), this::attachmentsOf));
    if (lists) triggers.add(Trigger.on(Audit.TOPIC, (news, _) -> marked(news)));
    return triggers;
  }

  private static Stream<Subject> marked(Source.News<Audit> news) {
    var before = news.before().marks();
    return Stream.concat(
        Stream.of(new Subject.OfListing()),
        news.after().marks().entrySet().stream()
            .filter(it -> it.getValue().open() && !it.getValue().equals(before.get(it.getKey())))
            .map(it -> Subject.attachment(it.getKey())));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, lists ? facts.of(Audit.TOPIC) : Audit.TOPIC.none(), now);
  }

  @Override
  public Step decide(View view, Subject subject) {
    return switch (subject) {
      case Subject.OfAttachment(var key) -> attachments.decide(view, key);
      case Subject.OfVolume(var key) -> volumes.decide(view, key);
      case Subject.OfListing() -> audit.decide(view);
    };
  }

  @Override
  public Class<AttachEffect> effectType() {
    return AttachEffect.class;
  }

  @Override
  public Stream<Subject> about(Ref subject, Snapshot objects) {
    return Stream.concat(
        subject.as(Kinds.ATTACHMENT).map(Subject.OfAttachment::new),
        subject.as(Kinds.VOLUME).map(Subject.OfVolume::new));
  }

  /// The attachment; when it has gone, its volume too, whoever's it was (ATT-18, ATT-77).
  private Stream<Subject> subjectsOfAttachment(Change<Attachment> change, Snapshot objects) {
    var own =
        change
            .versions()
            .filter(this::isOurs)
            .map(va -> Subject.attachment(va.meta().name()))
            .distinct();
    var left = change.isComingOrGoing() ? change.before().stream() : Stream.<Attachment>empty();
    var volume =
        left.flatMap(va ->
                objects.get(Kinds.VOLUME, ObjectKey.cluster(va.volumeName())).found().stream())
            .filter(volumes::holds)
            .map(pv -> Subject.volume(pv.meta().name()));
    return Stream.concat(own, volume);
  }

  private Stream<Subject> subjectsOfVolume(Change<Volume> change, Snapshot objects) {
    var name = change.latest().meta().name();
    var held = change.after().filter(volumes::holds).stream().map(_ -> Subject.volume(name));
    return Stream.concat(held, unfinished(objects.by(Indexes.ATTACHMENTS_BY_VOLUME, name)));
  }

  /// What a node's other drivers do is none of our attachments' concern (ATT-38).
  private Stream<Subject> attachmentsOf(Change<CsiNode> change, Snapshot objects) {
    boolean same =
        change.before().isPresent() == change.after().isPresent()
            && here(change.before()).equals(here(change.after()));
    return same
        ? Stream.empty()
        : unfinished(objects.by(Indexes.ATTACHMENTS_BY_NODE, change.latest().meta().name()));
  }

  private Optional<CsiNode.Driver> here(Optional<CsiNode> node) {
    return node.flatMap(it -> it.driver(driver));
  }

  private boolean isOurs(Attachment va) {
    return va.attacher().equals(driver);
  }

  private Stream<Subject> unfinished(Collection<Attachment> attachments) {
    return attachments.stream()
        .filter(this::isOurs)
        .filter(va -> !va.attached() || va.meta().deleting())
        .map(va -> Subject.attachment(va.meta().name()));
  }
}
