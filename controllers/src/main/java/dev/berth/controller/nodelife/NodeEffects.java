package dev.berth.controller.nodelife;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.nodelife.NodeEffect.Doubt;
import dev.berth.controller.nodelife.NodeEffect.Forget;
import dev.berth.controller.nodelife.NodeEffect.Hear;
import dev.berth.controller.nodelife.NodeEffect.SetTaints;
import dev.berth.controller.nodelife.NodeEffect.Unready;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Revision;
import dev.berth.kube.api.Selector;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lease;
import dev.berth.kube.model.Node.Taint;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Says of nodes and of their pods what is known of them.
record NodeEffects(Api api, EventRecorder events, Told<Heard> heard)
    implements Effects<NodeEffect> {
  @Override
  public void carryOut(NodeEffect effect) {
    switch (effect) {
      case Hear(var node, var beat, var first) -> {
        heard.change(known -> known.with(node.key().name(), beat));
        if (first) tell(node, Reasons.REGISTERED_NODE, "Registered Node %s in Controller");
      }
      case Forget(var node) -> {
        heard.change(known -> known.without(node.key().name()));
        tell(node, Reasons.REMOVING_NODE, "Removing Node %s from Controller");
      }
      case Doubt it -> unlessGone(() -> doubt(it));
      case Unready it -> unlessGone(() -> unready(it));
      case SetTaints(var node, var taints) -> unlessGone(() -> set(node, taints));
    }
  }

  private void tell(Ref node, String reason, String what) {
    var name = node.key().name();
    events.tell(
        Notice.normal(node, reason, "Node %s event: %s".formatted(name, what.formatted(name))));
  }

  private static void unlessGone(Runnable write) {
    try {
      write.run();
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  /// Only a node as it was seen: it may have been heard of meanwhile.
  private void doubt(Doubt effect) {
    var node = effect.node();
    // AD-56: it lives, and only the cache is late.
    if (!renewed(node).equals(effect.renewed().object())) {
      heard.change(known -> known.with(node.key().name(), effect.otherwise().object()));
      return;
    }
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata")
        .put("uid", node.uid())
        .put("resourceVersion", node.resourceVersion());
    body.putObject("status").set("conditions", effect.conditions().object());
    api.patchStatus(Resources.NODES, node.key(), Patch.strategic(body));
    if (effect.wasReady())
      events.tell(
          Notice.normal(
              new Ref(Resources.NODES, node.key(), node.uid()),
              Reasons.NODE_NOT_READY,
              "Node %s status is now: NodeNotReady".formatted(node.key().name())));
  }

  /// What the server itself knows of its Lease; by a list, as that is what caches may do as well.
  private Optional<Instant> renewed(Revision node) {
    var key = LeaseNames.node(node.key().name());
    return api
        .list(Resources.LEASES, key.namespace(), Selector.fields("metadata.name=" + key.name()))
        .items()
        .stream()
        .map(Kinds.LEASE.read())
        .findFirst()
        .flatMap(Lease::renewed);
  }

  private void unready(Unready effect) {
    var pod = effect.pod();
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("uid", pod.uid());
    body.putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", Conditions.READY)
        .put("status", "False")
        .put("lastTransitionTime", Conditions.text(effect.at().object()));
    api.patchStatus(Resources.PODS, pod.key(), Patch.strategic(body));
    events.tell(Notice.warning(pod, Reasons.NODE_NOT_READY, "Node is not ready"));
  }

  private void set(Revision node, List<Taint> taints) {
    api.patch(
        Resources.NODES,
        node.key(),
        node.patch(body -> {
          var list = body.putObject("spec").putArray("taints");
          for (var taint : taints) {
            var entry = list.addObject().put("key", taint.key());
            if (!taint.value().isEmpty()) entry.put("value", taint.value());
            entry.put("effect", taint.effect());
            taint.added().ifPresent(at -> entry.put("timeAdded", Conditions.text(at)));
          }
        }));
  }
}
