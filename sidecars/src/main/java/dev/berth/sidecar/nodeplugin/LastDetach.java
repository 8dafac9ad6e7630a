package dev.berth.sidecar.nodeplugin;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Scope;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Indexes;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a driver's pod on a node that is being emptied until no volume is attached there any more
/// (PRA-04). Without the driver nobody could unmount them, and Kubernetes would wait six minutes
/// before it attaches them elsewhere.
public final class LastDetach {
  private static final Logger log = LoggerFactory.getLogger(LastDetach.class);

  /// Taints that say that a node is being emptied.
  private static final Set<String> EMPTYING =
      Set.of(
          Labels.UNSCHEDULABLE_TAINT,
          "ToBeDeletedByClusterAutoscaler",
          "karpenter.sh/disrupted",
          "karpenter.sh/disruption");

  /// What came of it.
  public enum Outcome {
    /// The pod is replaced on a node that stays: nobody has to wait.
    NODE_STAYS,
    DETACHED,
    TIMED_OUT
  }

  private final Sight sight;
  private final ObjectKey node;

  /// @param node name of the Node that the pod is on
  public LastDetach(Api api, String node) {
    this.sight = new Sight(api);
    this.node = ObjectKey.cluster(node);
  }

  /// Returns when the driver may go.
  ///
  /// @param patience the kubelet ends the pod after its grace period in any case
  /// @throws ApiException if this process may not look at nodes or attachments
  public Outcome await(Duration patience) throws InterruptedException {
    var end = System.nanoTime() + patience.toNanos();
    var seen = sight.await(Scope.one(Kinds.NODE, node), _ -> true, patience);
    if (seen.isEmpty()) return Outcome.TIMED_OUT;
    if (seen.get().get(Kinds.NODE, node).found().filter(it -> !isEmptied(it)).isPresent())
      return Outcome.NODE_STAYS;
    log.info("node {} is being emptied: waiting until no volume is attached to it", node.name());
    var detached =
        sight.await(
            Scope.all(Kinds.ATTACHMENT), // none selects them by node
            objects -> objects.by(Indexes.ATTACHMENTS_BY_NODE, node.name()).isEmpty(),
            Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    return detached.isPresent() ? Outcome.DETACHED : Outcome.TIMED_OUT;
  }

  private static boolean isEmptied(Node node) {
    return node.unschedulable()
        || node.taints().stream().anyMatch(taint -> EMPTYING.contains(taint.key()));
  }
}
