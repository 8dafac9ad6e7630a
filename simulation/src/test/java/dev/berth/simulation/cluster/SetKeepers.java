package dev.berth.simulation.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.simulation.invariant.SetsKeepTheirClaims;
import java.time.Duration;
import java.util.List;

/// People who keep two StatefulSets: they scale them, change what is in their pods, kill pods,
/// delete the sets and make them again. One of the sets retains its claims; the other does not.
public final class SetKeepers {
  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final List<String> SETS = List.of(SetsKeepTheirClaims.RETAINING, "log");

  /// Both have room on one node.
  private static final int MOST = 2;

  private final Cluster cluster;
  private boolean working;
  private int editions;

  public SetKeepers(Cluster cluster) {
    this.cluster = cluster;
  }

  public void work() {
    working = true;
    later();
  }

  /// Leaves each set there, as large as it gets.
  public void pause() {
    working = false;
    for (var name : SETS) {
      make(name, MOST);
      scale(name, MOST);
    }
  }

  /// Deletes the sets, and then every claim that they left.
  public void leave() {
    working = false;
    for (var name : SETS)
      cluster
          .time()
          .after(
              cluster.time().upTo(Duration.ofSeconds(20)),
              () -> delete(Resources.STATEFUL_SETS, key(name)));
    cluster.time().after(Duration.ofSeconds(30), this::deleteClaims);
  }

  private void deleteClaims() {
    for (var claim : List.copyOf(cluster.objects().all(Kinds.CLAIM))) {
      var mark = JsonNodeFactory.instance.objectNode();
      mark.withObject("/metadata/labels").put(SetsKeepTheirClaims.UNWANTED, "true");
      patch(Resources.CLAIMS, claim.meta().key(), mark);
      delete(Resources.CLAIMS, claim.meta().key());
    }
  }

  private void later() {
    cluster.time().after(cluster.time().upTo(PATIENCE), this::act);
  }

  private void act() {
    if (!working) return;
    var random = cluster.time().random();
    var name = SETS.get(random.nextInt(SETS.size()));
    switch (random.nextInt(8)) {
      case 0 -> delete(Resources.STATEFUL_SETS, key(name));
      case 1 -> change(name);
      case 2 -> delete(Resources.PODS, key(name + "-" + random.nextInt(MOST)));
      case 3, 4 -> scale(name, random.nextInt(MOST + 1));
      default -> {
        make(name, 1 + random.nextInt(MOST));
        scale(name, MOST);
      }
    }
    later();
  }

  private static ObjectKey key(String name) {
    return ObjectKey.of(Objects.NAMESPACE, name);
  }

  private void make(String name, int replicas) {
    if (cluster.objects().get(Workload.STATEFUL_SET, key(name)).found().isPresent()) return;
    boolean retains = name.equals(SetsKeepTheirClaims.RETAINING);
    cluster
        .api()
        .create(
            Resources.STATEFUL_SETS,
            Objects.statefulSet(
                name,
                replicas,
                cluster.time().chance(0.5) ? "OrderedReady" : "Parallel",
                retains || cluster.time().chance(0.5) ? "Retain" : "Delete",
                retains ? "Retain" : "Delete",
                cluster.time().chance(0.5) ? "immediate" : "late"));
  }

  private void scale(String name, int replicas) {
    var body = JsonNodeFactory.instance.objectNode();
    body.withObject("/spec").put("replicas", replicas);
    patch(Resources.STATEFUL_SETS, key(name), body);
  }

  private void change(String name) {
    var body = JsonNodeFactory.instance.objectNode();
    body.withObject("/spec/template/metadata/annotations").put("edition", "e" + editions++ % 3);
    patch(Resources.STATEFUL_SETS, key(name), body);
  }

  private void patch(Resource resource, ObjectKey key, ObjectNode body) {
    try {
      cluster.api().patch(resource, key, Patch.merge(body));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  private void delete(Resource resource, ObjectKey key) {
    try {
      cluster.api().delete(resource, key, DeleteOptions.DEFAULT);
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}
