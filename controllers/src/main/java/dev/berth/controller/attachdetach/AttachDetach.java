package dev.berth.controller.attachdetach;

import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Trigger;
import dev.berth.kube.loop.Unsplit;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Ref;
import dev.berth.kube.model.Resources;
import dev.berth.kube.model.VolumeName;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Kubernetes' attach/detach controller: one loop that attaches and detaches, by volume, one that
/// takes away what volumes that are gone have left, and one that tells pods what they wait for.
public final class AttachDetach {
  /// Source of its events (VOC-03).
  public static final String COMPONENT = "attachdetach-controller";

  /// What can be chosen.
  ///
  /// @param forceDetachOnTimeout whether a volume is taken off a dead node after six minutes though
  ///   nobody says that it is unmounted (AD-32)
  public record Options(boolean forceDetachOnTimeout) {
    public static final Options DEFAULT = new Options(true);
  }

  private final AttachmentDecision decision;
  private final OrphanDecision orphans;
  private final AttachDetachEffects effects;

  public AttachDetach(Api api, EventRecorder events, Options options) {
    decision = new AttachmentDecision(options);
    orphans = new OrphanDecision(options);
    effects = new AttachDetachEffects(api, events);
  }

  /// Attaches and detaches.
  public Unsplit<VolumeName, ?> volumes() {
    return new Volumes(decision, effects);
  }

  /// Takes attachments away whose volumes are gone.
  public Unsplit<ObjectKey, ?> orphans() {
    return new Orphans(orphans, effects);
  }

  /// Tells placed pods which of their volumes is not attached; acts on nothing.
  public Unsplit<ObjectKey, ?> pods() {
    return new Pods(new PodDecision(decision));
  }

  /// What is done next about one VolumeAttachment, or about each volume of one node, and what it
  /// waits for: for explanations.
  ///
  /// @return nothing for objects of other kinds
  public List<Step> about(Ref subject, Snapshot objects, Instant now) {
    var view = new View(objects, now);
    var paired =
        Pairs.of(view, subject).map(pair -> decision.decide(view, pair, view.pairs(pair.volume())));
    return subject.resource().equals(Resources.ATTACHMENTS)
        ? Stream.concat(paired, Stream.of(orphans.decide(view, subject.key()))).toList()
        : paired.toList();
  }

  private record Volumes(AttachmentDecision decision, AttachDetachEffects effects)
      implements Unsplit<VolumeName, View> {
    @Override
    public String name() {
      return "attachdetach";
    }

    @Override
    public List<Trigger<?, VolumeName>> triggers() {
      return List.of(
          Trigger.on(Kinds.POD, Concerned::byPod),
          Trigger.on(Kinds.CLAIM, Concerned::byClaim),
          Trigger.on(Kinds.VOLUME, Concerned::byVolume),
          Trigger.on(Kinds.ATTACHMENT, Concerned::byAttachment),
          Trigger.on(Kinds.NODE, Concerned::byNode),
          Trigger.on(Kinds.CSI_DRIVER, Concerned::byDriver));
    }

    @Override
    public View view(Snapshot objects, Instant now) {
      return new View(objects, now);
    }

    @Override
    public Step decide(View view, VolumeName volume) {
      return decision.decide(view, volume);
    }

    @Override
    public void carryOut(Effect effect) throws InterruptedException {
      effects.carryOut((AttachDetachEffect) effect);
    }
  }

  private record Orphans(OrphanDecision decision, AttachDetachEffects effects)
      implements Unsplit<ObjectKey, View> {
    @Override
    public String name() {
      return "attachdetach-orphans";
    }

    @Override
    public List<Trigger<?, ObjectKey>> triggers() {
      return List.of(
          Trigger.on(Kinds.ATTACHMENT, (change, _) -> Stream.of(change.latest().meta().key())),
          Trigger.on(Kinds.VOLUME, Concerned::orphans),
          Trigger.on(Kinds.NODE, Concerned::listedBy));
    }

    @Override
    public View view(Snapshot objects, Instant now) {
      return new View(objects, now);
    }

    @Override
    public Step decide(View view, ObjectKey attachment) {
      return decision.decide(view, attachment);
    }

    @Override
    public void carryOut(Effect effect) throws InterruptedException {
      effects.carryOut((AttachDetachEffect) effect);
    }
  }

  private record Pods(PodDecision decision) implements Unsplit<ObjectKey, View> {
    @Override
    public String name() {
      return "attachdetach-pods";
    }

    @Override
    public List<Trigger<?, ObjectKey>> triggers() {
      return List.of(
          Trigger.on(Kinds.POD, (change, _) -> Stream.of(change.latest().meta().key())),
          Trigger.on(Kinds.CLAIM, (change, objects) -> Concerned.pods(change, objects)),
          Trigger.on(
              Kinds.VOLUME,
              (change, objects) -> Concerned.users(Concerned.byVolume(change, objects), objects)),
          Trigger.on(
              Kinds.ATTACHMENT,
              (change, objects) ->
                  Concerned.users(Concerned.byAttachment(change, objects), objects)),
          Trigger.on(
              Kinds.NODE,
              (change, objects) -> Concerned.users(Concerned.byNode(change, objects), objects)),
          Trigger.on(
              Kinds.CSI_DRIVER,
              (change, objects) -> Concerned.users(Concerned.byDriver(change, objects), objects)));
    }

    @Override
    public View view(Snapshot objects, Instant now) {
      return new View(objects, now);
    }

    @Override
    public Step decide(View view, ObjectKey pod) {
      return decision.decide(view, pod);
    }

    @Override
    public void carryOut(Effect effect) {
      throw new IllegalStateException("acts on nothing, was asked for " + effect);
    }
  }
}
