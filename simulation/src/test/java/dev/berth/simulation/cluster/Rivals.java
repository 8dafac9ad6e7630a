package dev.berth.simulation.cluster;

import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Resources;
import java.time.Duration;

/// Pods that come in pairs for claims of which each is for one pod: bound already, so that whoever
/// is first has it at once. They go together, and others come.
public final class Rivals {
  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final Duration APART = Duration.ofMillis(400);
  private static final int CLAIMS = 4;
  private static final String NAME = "crowd-rival-";

  private final Cluster cluster;
  private boolean coming;
  private int pairs;

  public Rivals(Cluster cluster) {
    this.cluster = cluster;
  }

  public void begin() {
    coming = true;
    for (int i = 0; i < CLAIMS; i++)
      cluster.api().create(Resources.CLAIMS, Objects.claim(NAME + i, "late", "ReadWriteOncePod"));
    later();
  }

  /// They go, and do not come again.
  public void end() {
    coming = false;
    delete(Kinds.POD);
    delete(Kinds.CLAIM);
  }

  private void later() {
    cluster.time().after(PATIENCE, this::act);
  }

  private void act() {
    if (!coming) return;
    boolean here = cluster.objects().all(Kinds.POD).stream().anyMatch(Crowd::isOf);
    if (here) delete(Kinds.POD);
    else come();
    later();
  }

  /// One pair after the other: the next ones are placed by what shows the first.
  private void come() {
    pairs++;
    for (int i = 0; i < CLAIMS; i++) {
      var claim = NAME + i;
      var pods = claim + "-" + pairs;
      cluster.time().after(APART.multipliedBy(i), () -> come(claim, pods));
    }
  }

  private void come(String claim, String pods) {
    if (!coming) return;
    cluster.api().create(Resources.PODS, Objects.pod(pods + "-a", claim, ""));
    cluster.api().create(Resources.PODS, Objects.pod(pods + "-b", claim, ""));
  }

  private <T extends KubeObject> void delete(Kind<T> kind) {
    for (var object : cluster.objects().all(kind))
      if (Crowd.isOf(object) && !object.meta().deleting())
        cluster.api().delete(kind.resource(), object.meta().key(), DeleteOptions.DEFAULT);
  }
}
