package dev.berth.simulation.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.time.Duration;
import java.util.List;

/// People who take snapshots of their claims, alone and in groups, make claims of them and throw
/// them away.
public final class Photographers {
  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final int MOST = 5;

  private final Cluster cluster;
  private boolean working;
  private int names;

  public Photographers(Cluster cluster) {
    this.cluster = cluster;
  }

  public void work() {
    working = true;
    later();
  }

  public void pause() {
    working = false;
  }

  /// Throws everything away, in an order that chance decides.
  public void leave() {
    working = false;
    leave(SnapshotKinds.SNAPSHOT);
    leave(SnapshotKinds.GROUP_SNAPSHOT);
  }

  private <T extends KubeObject> void leave(Kind<T> kind) {
    for (var object : cluster.objects().all(kind))
      cluster.time().after(cluster.time().upTo(Duration.ofSeconds(40)), () -> delete(kind, object));
  }

  private void later() {
    cluster.time().after(cluster.time().upTo(PATIENCE), this::act);
  }

  private void act() {
    if (!working) return;
    var random = cluster.time().random();
    var snapshots = List.copyOf(cluster.objects().all(SnapshotKinds.SNAPSHOT));
    var groups = List.copyOf(cluster.objects().all(SnapshotKinds.GROUP_SNAPSHOT));
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> {
        if (snapshots.size() < MOST) take();
      }
      case 3 -> {
        if (groups.isEmpty()) takeGroup();
      }
      case 4 -> {
        if (!groups.isEmpty() && snapshots.stream().noneMatch(this::isBeingRestored))
          delete(SnapshotKinds.GROUP_SNAPSHOT, groups.getFirst());
      }
      case 5 -> snapshots.stream().filter(this::isReady).findAny().ifPresent(this::restore);
      default -> {
        if (!snapshots.isEmpty()) throwAway(snapshots.get(random.nextInt(snapshots.size())));
      }
    }
    later();
  }

  private List<Claim> bound() {
    return cluster.objects().all(Kinds.CLAIM).stream()
        .filter(claim -> claim.phase() == Claim.Phase.BOUND && !claim.meta().deleting())
        .filter(claim -> !Crowd.isOf(claim))
        .toList();
  }

  private void take() {
    var claims = bound();
    if (claims.isEmpty()) return;
    var claim = claims.get(cluster.time().random().nextInt(claims.size()));
    var by = cluster.time().chance(0.8) ? "cut" : "keep";
    cluster
        .api()
        .create(
            SnapshotResources.SNAPSHOTS,
            Objects.snapshot("shot-" + names++, claim.meta().name(), by));
  }

  private void takeGroup() {
    var name = "group-" + names++;
    var claims = bound();
    if (claims.isEmpty()) return;
    for (var claim : claims.subList(0, Math.min(2, claims.size()))) {
      var body = JsonNodeFactory.instance.objectNode();
      body.withObject("/metadata/labels").put("group", name);
      cluster.api().patch(Resources.CLAIMS, claim.meta().key(), Patch.merge(body));
    }
    var by = cluster.time().chance(0.7) ? "cut" : "keep";
    cluster.api().create(SnapshotResources.GROUP_SNAPSHOTS, Objects.group(name, by));
  }

  /// One that somebody throws away is not to be copied, nor one of such a group.
  private boolean isReady(VolumeSnapshot snapshot) {
    return snapshot.isReady()
        && !snapshot.meta().deleting()
        && cluster.objects().all(SnapshotKinds.GROUP_SNAPSHOT).stream()
            .noneMatch(group -> group.meta().deleting());
  }

  /// A node that all volumes are on has to have room for this one, too.
  private void restore(VolumeSnapshot snapshot) {
    var claims = cluster.objects().all(Kinds.CLAIM).stream().filter(it -> !Crowd.isOf(it)).count();
    if (claims >= Objects.PLACES) return;
    var name = "claim-of-shot" + names++;
    cluster.api().create(Resources.CLAIMS, Objects.restored(name, snapshot.meta().name()));
  }

  /// What a claim is being made of is left alone, and so is one of a group.
  private void throwAway(VolumeSnapshot snapshot) {
    if (snapshot.meta().owners().isEmpty() && !isBeingRestored(snapshot))
      delete(SnapshotKinds.SNAPSHOT, snapshot);
  }

  private boolean isBeingRestored(VolumeSnapshot snapshot) {
    return cluster.objects().all(Kinds.CLAIM).stream()
        .filter(claim -> claim.phase() != Claim.Phase.BOUND)
        .flatMap(claim -> claim.dataSource().stream())
        .anyMatch(source -> source.name().equals(snapshot.meta().name()));
  }

  private <T extends KubeObject> void delete(Kind<T> kind, KubeObject object) {
    try {
      cluster.api().delete(kind.resource(), object.meta().key(), DeleteOptions.DEFAULT);
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}
