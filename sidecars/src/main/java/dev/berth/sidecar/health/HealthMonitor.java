package dev.berth.sidecar.health;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Source.News;
import dev.berth.kube.fact.Told;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Ref;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.dispatch.Concerned;
import dev.berth.sidecar.health.Subject.AllVolumes;
import dev.berth.sidecar.health.Subject.OfNode;
import dev.berth.sidecar.health.Subject.OfVolume;
import dev.berth.sidecar.part.Part;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.part.Standing;
import dev.berth.sidecar.part.Work;
import dev.berth.volume.Indexes;
import dev.berth.volume.Translation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// Watches over the volumes of one driver, as kubernetes-csi/external-health-monitor does, by
/// whichever protocol the driver speaks (VH-01).
public final class HealthMonitor implements Decider<Subject, View, HealthEffect> {
  /// Claims that stand there as unwell, all under one value.
  private static final Index<Claim> UNWELL =
      new Index<>(Kinds.CLAIM, "unwell", claim -> claim.isUnwell() ? List.of("unwell") : List.of());

  private final String driver;
  private final Rhythm rhythm;
  private final HealthDecision volumes;
  private final NodeDecision nodes;

  private HealthMonitor(DriverFacts facts, Protocol protocol, Rhythm rhythm) {
    driver = facts.name();
    this.rhythm = rhythm;
    volumes = new HealthDecision(facts, protocol, rhythm);
    nodes = new NodeDecision(driver);
  }

  /// The sidecar as a whole.
  public static Part part(DriverFacts driver, HealthOptions options) {
    var protocol = Protocol.of(driver);
    var survey = new Told<>(Survey.TOPIC);
    var concern =
        new Concern<Means, Subject, View, HealthEffect>(
            Sidecar.HEALTH_MONITOR.role(driver.name()),
            new HealthMonitor(driver, protocol, options.rhythm()),
            means -> new HealthEffects(protocol, options, means, survey));
    return new Part(
        Sidecar.HEALTH_MONITOR,
        protocol.speech() == Protocol.Speech.NONE
            ? Standing.off("the driver tells of " + protocol.words())
            : Standing.on(protocol.words()),
        List.of(Work.polling("health", concern, Pace.SIDECAR.parallel(options.workers()))),
        List.of(survey));
  }

  @Override
  public String name() {
    return "health-monitor/" + driver;
  }

  @Override
  public List<Trigger<?, Subject>> triggers() {
    var triggers = new ArrayList<Trigger<?, Subject>>();
    triggers.add(Trigger.on(Survey.TOPIC, this::subjectsOf));
    triggers.add(Trigger.on(Concerned.OF_VOLUME.share(driver), (change, _) -> subjectsOf(change)));
    triggers.add(Trigger.on(Concerned.OF_CLAIM.share(driver), this::volumesOf));
    if (!rhythm.nodes()) return triggers;
    triggers.add(
        Trigger.on(
            Kinds.NODE, (change, _) -> Stream.of(new OfNode(change.latest().meta().name()))));
    triggers.add(Trigger.on(Kinds.POD, (change, _) -> nodesOf(change)));
    return triggers;
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, Subject subject) {
    return switch (subject) {
      case AllVolumes _ -> volumes.decideAll(view);
      case OfVolume(var name) -> volumes.decide(view, name);
      case OfNode(var name) -> nodes.decide(view, name);
    };
  }

  @Override
  public Class<HealthEffect> effectType() {
    return HealthEffect.class;
  }

  @Override
  public Stream<Subject> about(Ref subject, Snapshot objects) {
    var those = subject.as(Kinds.VOLUME).<Subject>map(key -> new OfVolume(key.name()));
    return rhythm.nodes()
        ? Stream.concat(those, subject.as(Kinds.NODE).<Subject>map(key -> new OfNode(key.name())))
        : those;
  }

  /// Those of which something else is known, and after a walk those that may be well again.
  private Stream<Subject> subjectsOf(News<Survey> news, Facts facts) {
    var changed =
        news.after()
            .volumes()
            .changedSince(news.before().volumes())
            .flatMap(handle ->
                facts
                    .by(Indexes.VOLUMES_BY_NAME, new VolumeName(driver, handle).toString())
                    .stream()
                    .map(HealthMonitor::subject));
    boolean walked = news.after().walks() != news.before().walks();
    var unwell =
        walked
            ? Stream.concat(
                facts.by(UNWELL, "unwell").stream()
                    .map(Claim::volumeName)
                    .<Subject>map(OfVolume::new),
                told(news.after(), facts))
            : Stream.<Subject>of();
    return Stream.of(Stream.<Subject>of(new AllVolumes()), changed, unwell, inNeed(news, facts))
        .flatMap(it -> it);
  }

  /// Those that were told of as unwell where the server keeps nothing of it (VH-16).
  private Stream<Subject> told(Survey survey, Facts facts) {
    if (survey.dropped().isEmpty() || survey.told().isEmpty()) return Stream.of();
    return facts.by(Indexes.VOLUMES_BY_DRIVER, driver).stream()
        .filter(volume ->
            volume
                .claim()
                .flatMap(ref -> facts.get(Kinds.CLAIM, ref.key()).found())
                .filter(claim -> survey.told().containsKey(claim.meta().uid()))
                .isPresent())
        .map(HealthMonitor::subject);
  }

  /// Every volume, if a walk has failed, or the events of those before us are known at last.
  private Stream<Subject> inNeed(News<Survey> news, Facts facts) {
    boolean all =
        news.after().recalled() != news.before().recalled()
            || !Objects.equals(news.after().failedWalk(), news.before().failedWalk())
                && news.after().failedWalk().isPresent();
    return all
        ? facts.by(Indexes.VOLUMES_BY_DRIVER, driver).stream().map(HealthMonitor::subject)
        : Stream.of();
  }

  private Stream<Subject> subjectsOf(Change<Volume> change) {
    return Translation.NONE.name(change.latest()).filter(it -> it.driver().equals(driver)).stream()
        .map(_ -> subject(change.latest()));
  }

  private Stream<Subject> volumesOf(Change<Claim> change, Facts facts) {
    return facts.by(Indexes.VOLUMES_BY_CLAIM, change.latest().meta().key().toString()).stream()
        .flatMap(volume -> subjectsOf(Change.came(volume)));
  }

  private static Stream<Subject> nodesOf(Change<Pod> change) {
    var node = change.latest().nodeName();
    return node.isEmpty() ? Stream.of() : Stream.of(new OfNode(node));
  }

  private static Subject subject(Volume volume) {
    return new OfVolume(volume.meta().name());
  }
}
