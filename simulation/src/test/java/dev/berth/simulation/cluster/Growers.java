package dev.berth.simulation.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Quantity;
import java.time.Duration;

/// People who ask for more than their claims have, and now and then for less of it than before.
public final class Growers {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long GI = 1L << 30;

  private final Cluster cluster;
  private boolean working;

  public Growers(Cluster cluster) {
    this.cluster = cluster;
  }

  public void begin() {
    working = true;
    later();
  }

  public void end() {
    working = false;
  }

  private void later() {
    cluster.time().after(cluster.time().upTo(PATIENCE), this::act);
  }

  private void act() {
    if (!working) return;
    var bound =
        cluster.objects().all(Kinds.CLAIM).stream()
            .filter(claim -> claim.phase() == Claim.Phase.BOUND && !claim.meta().deleting())
            .filter(claim -> claim.capacity().isPresent())
            .toList();
    if (!bound.isEmpty()) ask(bound.get(cluster.time().random().nextInt(bound.size())));
    later();
  }

  /// Never less than it has: that nobody may ask for.
  private void ask(Claim claim) {
    var has = claim.capacity().orElseThrow().toLong();
    var size = Quantity.ofBytes(has + GI * (1 + cluster.time().random().nextInt(4)));
    var body = JsonNodeFactory.instance.objectNode();
    body.withObject("/spec/resources/requests").put("storage", size.toString());
    try {
      cluster.api().patch(Resources.CLAIMS, claim.meta().key(), Patch.merge(body));
    } catch (ApiException refused) {
      if (refused.code() != 404) throw refused;
    }
  }
}
