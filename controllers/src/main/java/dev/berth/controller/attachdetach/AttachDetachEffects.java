package dev.berth.controller.attachdetach;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.ControllerMetrics;
import dev.berth.controller.Live;
import dev.berth.controller.Outdated;
import dev.berth.controller.attachdetach.AttachDetachEffect.CancelDetach;
import dev.berth.controller.attachdetach.AttachDetachEffect.CreateAttachment;
import dev.berth.controller.attachdetach.AttachDetachEffect.Detach;
import dev.berth.controller.attachdetach.AttachDetachEffect.DetachOrphan;
import dev.berth.controller.attachdetach.AttachDetachEffect.ForceDetach;
import dev.berth.controller.attachdetach.AttachDetachEffect.ReportAttached;
import dev.berth.controller.attachdetach.AttachDetachEffect.RequestDetach;
import dev.berth.controller.attachdetach.AttachDetachEffect.WithdrawAttached;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries out what attach/detach decided.
final class AttachDetachEffects implements Effects<AttachDetachEffect> {
  private static final int FORBIDDEN = 403;
  private static final Logger log = LoggerFactory.getLogger(AttachDetachEffects.class);

  private final Api api;
  private final Live live;
  private final AttachedLists lists;
  private final EventRecorder events;
  private final ControllerMetrics metrics;

  /// Attachments, by uid, that we have made and never asked to be deleted, until they are reported.
  private final Set<String> fresh = ConcurrentHashMap.newKeySet();

  private final AtomicBoolean toldOfRights = new AtomicBoolean();

  AttachDetachEffects(Api api, EventRecorder events, ControllerMetrics metrics) {
    this.api = api;
    this.live = new Live(api);
    this.lists = new AttachedLists(api);
    this.events = events;
    this.metrics = metrics;
  }

  @Override
  public void carryOut(AttachDetachEffect effect) throws InterruptedException {
    switch (effect) {
      case CreateAttachment create -> create(create);
      case ReportAttached report -> report(report);
      case WithdrawAttached(var volume, var node) -> lists.remove(node, volume);
      case RequestDetach(var attachment, Seen<Instant>(var at)) -> date(attachment, at.toString());
      case CancelDetach(var attachment) -> date(attachment, null);
      case Detach detach -> {
        refuseIfMounted(detach);
        delete(detach.attachment());
      }
      case DetachOrphan orphan -> {
        refuseIfKnown(orphan);
        delete(orphan.attachment());
      }
      case ForceDetach(var attachment, var volume, var node, var why) -> {
        refuseIfAlive(volume, node, why);
        log.warn("{}: taken off node {} though it may be mounted: {}", volume, node, why);
        delete(attachment);
        metrics.forcedDetach(why); // AD-35
      }
    }
  }

  private void create(CreateAttachment effect) {
    var name = effect.volume().attachment(effect.node());
    var object = JsonNodeFactory.instance.objectNode();
    object
        .put("apiVersion", Resources.ATTACHMENTS.apiVersion())
        .put("kind", Resources.ATTACHMENTS.kind());
    object.putObject("metadata").put("name", name);
    object
        .putObject("spec")
        .put("attacher", effect.volume().driver())
        .put("nodeName", effect.node())
        .putObject("source")
        .put("persistentVolumeName", effect.persistentVolume());
    try {
      fresh.add(Meta.of(api.create(Resources.ATTACHMENTS, object)).uid());
    } catch (ApiException.LostRace lost) {
      if (!lost.nameTaken()) throw lost;
    }
  }

  private void report(ReportAttached effect) throws InterruptedException {
    if (!fresh.remove(effect.attachment().uid())) keep(effect.attachment());
    lists.add(effect.node(), effect.volume());
    for (var pod : effect.pods())
      events.tell(
          Notice.normal(
              pod,
              Reasons.SUCCESSFUL_ATTACH_VOLUME,
              "AttachVolume.Attach succeeded for volume \"%s\" "
                  .formatted(effect.persistentVolume())));
  }

  /// Whoever asked for it to be deleted, we or a process before us, asked for the version that he
  /// saw: there is another one before the node may mount the volume again (AD-63). Upstream's role
  /// has no right to that; with no other the volume is used without this guard, as upstream does.
  private void keep(Revision attachment) {
    try {
      api.patch(
          Resources.ATTACHMENTS,
          attachment.key(),
          attachment.patch(body ->
              body.withObject("/metadata/annotations")
                  .put(Annotations.KEPT, attachment.resourceVersion())));
    } catch (ApiException refused) {
      if (refused.code() != FORBIDDEN) throw refused;
      if (!toldOfRights.getAndSet(true))
        log.warn(
            "a deletion of an attachment that arrives late is not fended off: {}; give this account"
                + " the verb patch on volumeattachments",
            refused.getMessage());
    }
  }

  private void date(Revision attachment, @Nullable String at) {
    api.patch(
        Resources.ATTACHMENTS,
        attachment.key(),
        attachment.patch(body ->
            body.withObject("/metadata/annotations").put(Annotations.DETACH_REQUESTED_AT, at)));
  }

  /// The second half of the hand-shake (AD-63): our withdrawal is written, now the node's word is
  /// read from the server itself. A node that is gone has nothing mounted.
  private void refuseIfMounted(Detach effect) {
    var volume = effect.volume().toString();
    var node = live.find(Kinds.NODE, ObjectKey.cluster(effect.node()));
    if (node.filter(it -> it.volumesInUse().contains(volume)).isPresent())
      throw Outdated.because("node \"%s\" has the volume mounted".formatted(effect.node()));
    if (node.filter(it -> it.volumesAttached().contains(volume)).isPresent())
      throw Outdated.because("node \"%s\" may mount the volume".formatted(effect.node()));
  }

  /// What a cache shows of a node may be as old as its last news: one that has come back since has
  /// the volume mounted, and is alive to say so.
  private void refuseIfAlive(VolumeName volume, String name, String why) {
    var node = live.find(Kinds.NODE, ObjectKey.cluster(name));
    boolean dead =
        why.equals(DetachDecision.OUT_OF_SERVICE)
            ? node.filter(DetachDecision::outOfService).isPresent()
            : node.filter(Node::ready).isEmpty();
    if (!dead)
      throw Outdated.because(
          "node \"%s\" is %s"
              .formatted(
                  name,
                  why.equals(DetachDecision.OUT_OF_SERVICE)
                      ? "no longer out of service"
                      : "ready again"));
    if (node.filter(it -> it.volumesAttached().contains(volume.toString())).isPresent())
      throw Outdated.because("node \"%s\" may mount the volume".formatted(name));
  }

  private void refuseIfKnown(DetachOrphan effect) {
    var volume = effect.persistentVolume();
    if (live.find(Kinds.VOLUME, ObjectKey.cluster(volume)).isPresent())
      throw Outdated.because("persistentvolume \"%s\" is there".formatted(volume));
    var name = effect.attachment().key().name();
    if (live.find(Kinds.NODE, ObjectKey.cluster(effect.node()))
        .filter(node -> OrphanDecision.lists(node, name))
        .isPresent())
      throw Outdated.because("node \"%s\" may have the volume mounted".formatted(effect.node()));
  }

  /// Only as it was seen: a request that arrives late takes nothing away that is kept.
  private void delete(Revision attachment) {
    fresh.remove(attachment.uid());
    try {
      api.delete(
          Resources.ATTACHMENTS,
          attachment.key(),
          DeleteOptions.uid(attachment.uid()).resourceVersion(attachment.resourceVersion()));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}
