package dev.berth.sidecar.reclaimer;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.dispatch.Concerned;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.write.LifeMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Deletes the volumes of one driver: the other half of kubernetes-csi/external-provisioner.
public final class Reclaimer implements Decider<ObjectKey, View, ReclaimEffect> {
  private final String driver;
  private final boolean publishes;
  private final ReclaimDecision decision;

  Reclaimer(DriverFacts driver) {
    this.driver = driver.name();
    publishes = driver.publishes();
    decision = new ReclaimDecision(driver);
  }

  /// @param timeout how long deleting a volume may take
  public static Concern<Means, ?, ?, ?> of(
      DriverFacts driver, Duration timeout, LifeMetrics metrics) {
    return new Concern<>(
        Sidecar.PROVISIONER.role(driver.name()),
        new Reclaimer(driver),
        means ->
            new ReclaimEffects(
                means.controller(timeout), means.api(), means.events(), means.time(), metrics));
  }

  @Override
  public String name() {
    return "reclaimer/" + driver;
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    var triggers = new ArrayList<Trigger<?, ObjectKey>>();
    triggers.add(
        Trigger.on(
            Concerned.OF_VOLUME.share(driver),
            (change, objects) -> ours(change.latest(), objects)));
    triggers.add(Trigger.none(Kinds.STORAGE_CLASS));
    // upstream's rights show attachments only to drivers that attach (PROV-133, PROV-189)
    if (publishes) triggers.add(Trigger.on(Concerned.OF_ATTACHMENT.share(driver), this::freed));
    return triggers;
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts);
  }

  @Override
  public Step decide(View view, ObjectKey volume) {
    return decision.decide(view, volume);
  }

  @Override
  public Class<ReclaimEffect> effectType() {
    return ReclaimEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.VOLUME);
  }

  /// Only an attachment's going frees a volume, whoever's it was (PROV-133).
  private Stream<ObjectKey> freed(Change<Attachment> change, Snapshot objects) {
    if (!change.isComingOrGoing()) return Stream.empty();
    return change.before().stream()
        .flatMap(
            va -> objects.get(Kinds.VOLUME, ObjectKey.cluster(va.volumeName())).found().stream())
        .flatMap(volume -> ours(volume, objects));
  }

  private Stream<ObjectKey> ours(Volume volume, Snapshot objects) {
    return decision.isOurs(new View(objects), volume)
        ? Stream.of(volume.meta().key())
        : Stream.empty();
  }
}
