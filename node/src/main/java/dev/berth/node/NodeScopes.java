package dev.berth.node;

import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Scope;
import dev.berth.kube.cache.Scope.Reference;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import java.util.List;
import java.util.stream.Stream;

/// What an agent in a process of its own follows of the API: its own pods, and nothing but what
/// these refer to, by name. Secrets and ConfigMaps are read when a container or a driver needs
/// them, and never kept.
public final class NodeScopes {
  private NodeScopes() {}

  public static List<Scope<?>> of(String node) {
    return List.of(
        Scope.selected(
            Kinds.POD,
            Selector.fields("spec.nodeName=" + node),
            pod -> pod.nodeName().equals(node)),
        Scope.referred(
            Kinds.CLAIM,
            Reference.of(Kinds.POD, pod -> PodClaim.of(pod).stream().map(PodClaim::key).toList())),
        Scope.referred(
            Kinds.VOLUME,
            Reference.of(
                Kinds.CLAIM,
                claim ->
                    Stream.of(claim.volumeName())
                        .filter(name -> !name.isEmpty())
                        .map(ObjectKey::cluster)
                        .toList())),
        Scope.referred(
            Kinds.ATTACHMENT,
            Reference.of(
                Kinds.VOLUME,
                volume ->
                    Translation.NONE.name(volume).stream()
                        .map(name -> ObjectKey.cluster(name.attachment(node)))
                        .toList())),
        Scope.one(Kinds.NODE, ObjectKey.cluster(node)),
        Scope.one(Kinds.CSI_NODE, ObjectKey.cluster(node)),
        Scope.all(Kinds.CSI_DRIVER));
  }
}
