package dev.berth.sidecar.provisioner;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Claim;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Lets go of what a node has begun that will never finish it, as it has left the cluster
/// (PROV-191).
///
/// A node that is only away, or is put back within [#PATIENCE], goes on with what it has begun.
final class LostNodes {
  /// How long nobody else touches a deleted claim, and how long a node has to be missing.
  static final Duration PATIENCE = Duration.ofMinutes(5);

  /// After which a claim is not asked about any more: its node came back and finished it.
  private static final Duration FORGOTTEN = Duration.ofDays(1);

  private final Api api;
  private final EventRecorder events;
  private final Time time;
  private final ClaimWrites claims;

  /// Since when the nodes of claims are known to be missing, by the claim's uid: what another claim
  /// has waited says nothing, for its node may have been back and gone again.
  private final Map<String, Instant> missing = new ConcurrentHashMap<>();

  LostNodes(Api api, EventRecorder events, Time time) {
    this.api = api;
    this.events = events;
    this.time = time;
    claims = new ClaimWrites(api);
  }

  /// @param node that has begun the claim's volume
  /// @throws MayReturn if it may still finish it; to be asked again later
  void letGo(Claim claim, String node, String volume) {
    var now = time.now();
    missing.values().removeIf(since -> since.isBefore(now.minus(FORGOTTEN)));
    if (isThere(node)) {
      missing.remove(claim.meta().uid());
      throw new MayReturn("node %s is to finish volume %s".formatted(node, volume));
    }
    var since = missing.computeIfAbsent(claim.meta().uid(), _ -> now);
    if (now.isBefore(since.plus(PATIENCE)))
      throw new MayReturn(
          "node %s, which has begun volume %s, is missing since %s".formatted(node, volume, since));
    events.tell(
        Notice.warning(
            claim.ref(),
            Reasons.PROVISIONING_FAILED,
            "node %s, which has begun volume %s, has left the cluster: if it returns, it may hold a volume of that name"
                .formatted(node, volume)));
    claims.forget(claim);
    missing.remove(claim.meta().uid());
  }

  private boolean isThere(String node) {
    try {
      api.get(Resources.NODES, ObjectKey.cluster(node));
      return true;
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
      return false;
    }
  }

  /// A claim is left to the node that has begun its volume.
  static final class MayReturn extends RuntimeException {
    private static final long serialVersionUID = 1;

    MayReturn(String why) {
      super(why);
    }
  }
}
