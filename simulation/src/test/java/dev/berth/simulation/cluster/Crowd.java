package dev.berth.simulation.cluster;

import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Resources;
import java.time.Duration;

/// People who come all at once and ask for more than there is: more volumes than a node takes, and
/// two pods for one claim that one pod at a time may use. Some of it never runs. After a while they
/// take it all away again.
public final class Crowd {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final String NAME = "crowd-";

  private final Cluster cluster;
  private boolean coming;
  private int names;

  public Crowd(Cluster cluster) {
    this.cluster = cluster;
  }

  /// Whether the object is theirs.
  static boolean isOf(KubeObject object) {
    return object.meta().name().startsWith(NAME);
  }

  public void begin() {
    coming = true;
    later();
  }

  /// Goes, and does not come again.
  public void end() {
    coming = false;
    goAway();
  }

  private void later() {
    cluster.time().after(cluster.time().upTo(PATIENCE), this::act);
  }

  private void act() {
    if (!coming) return;
    boolean here = cluster.objects().all(Kinds.CLAIM).stream().anyMatch(Crowd::isOf);
    if (here) goAway();
    else come();
    later();
  }

  private void come() {
    var random = cluster.time().random();
    var node =
        cluster.time().chance(0.7)
            ? cluster.nodes().get(random.nextInt(cluster.nodes().size()))
            : "";
    for (int i = 0; i < Objects.PLACES + 2; i++) {
      var name = NAME + names++;
      cluster.api().create(Resources.CLAIMS, Objects.claim(name, "late", "ReadWriteOncePod"));
      cluster.api().create(Resources.PODS, Objects.pod(name + "-a", name, node));
      if (cluster.time().chance(0.3))
        cluster.api().create(Resources.PODS, Objects.pod(name + "-b", name, ""));
    }
  }

  private void goAway() {
    delete(Kinds.POD);
    delete(Kinds.CLAIM);
  }

  private <T extends KubeObject> void delete(Kind<T> kind) {
    for (var object : cluster.objects().all(kind))
      if (isOf(object) && !object.meta().deleting())
        cluster.api().delete(kind.resource(), object.meta().key(), DeleteOptions.DEFAULT);
  }
}
