package dev.berth.simulation.cluster;

import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.simulation.driver.SimulatedDriver.Reach;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// People who create and delete claims and pods. They ask for nothing that cannot be: never two
/// living pods for one claim, no pod on a node that its volume does not reach.
public final class Users {
  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final int CLAIMS = 4;

  private final Cluster cluster;
  private boolean working;
  private int names;

  public Users(Cluster cluster) {
    this.cluster = cluster;
  }

  /// Begins to do one thing after the other.
  public void work() {
    working = true;
    later();
  }

  /// Leaves everything as it is, but with a pod for every claim.
  public void pause() {
    working = false;
    for (var claim : claims()) if (pod(claim).isEmpty()) createPod(claim);
  }

  /// Deletes everything, in an order that chance decides.
  public void leave() {
    working = false;
    for (var claim : claims())
      cluster.time().after(cluster.time().upTo(Duration.ofSeconds(40)), () -> deleteClaim(claim));
  }

  private void later() {
    cluster.time().after(cluster.time().upTo(PATIENCE), this::act);
  }

  private void act() {
    if (!working) return;
    var random = cluster.time().random();
    var claims = claims();
    if (claims.isEmpty() || (claims.size() < CLAIMS && random.nextInt(3) == 0)) createClaim();
    else {
      var claim = claims.get(random.nextInt(claims.size()));
      var pod = pod(claim);
      switch (random.nextInt(6)) {
        case 0 -> deleteClaim(claim);
        case 1, 2 -> pod.ifPresent(this::deletePod);
        default -> {
          pod.ifPresent(this::deletePod); // its replacement comes while it is on its way out
          createPod(claim);
        }
      }
    }
    later();
  }

  private List<Claim> claims() {
    return cluster.objects().all(Kinds.CLAIM).stream()
        .filter(claim -> !claim.meta().deleting() && !Crowd.isOf(claim))
        .toList();
  }

  private Optional<Pod> pod(Claim claim) {
    return cluster.objects().all(Kinds.POD).stream()
        .filter(pod -> !pod.meta().deleting())
        .filter(pod -> pod.meta().name().startsWith(claim.meta().name() + "-"))
        .findFirst();
  }

  private void createClaim() {
    var mode = cluster.time().chance(0.5) ? "immediate" : "late";
    // A name that was there before, every now and then.
    var name =
        "claim" + (cluster.time().chance(0.5) ? names++ : cluster.time().random().nextInt(3));
    var key = ObjectKey.of(Objects.NAMESPACE, name);
    if (cluster.objects().get(Kinds.CLAIM, key).found().isEmpty())
      cluster.api().create(Resources.CLAIMS, Objects.claim(name, mode));
  }

  private void createPod(Claim claim) {
    boolean anywhere = cluster.driver().reach() == Reach.LOCAL || cluster.time().chance(0.3);
    var nodes = cluster.nodes();
    var node = anywhere ? "" : nodes.get(cluster.time().random().nextInt(nodes.size()));
    var name = claim.meta().name() + "-" + names++;
    cluster.api().create(Resources.PODS, Objects.pod(name, claim.meta().name(), node));
  }

  private void deletePod(Pod pod) {
    cluster.api().delete(Resources.PODS, pod.meta().key(), DeleteOptions.DEFAULT);
  }

  private void deleteClaim(Claim claim) {
    boolean claimFirst = cluster.time().chance(0.5);
    if (claimFirst) delete(claim);
    pod(claim).ifPresent(this::deletePod);
    if (!claimFirst) delete(claim);
  }

  private void delete(Claim claim) {
    if (cluster.objects().get(Kinds.CLAIM, claim.meta().key()).found().isPresent())
      cluster.api().delete(Resources.CLAIMS, claim.meta().key(), DeleteOptions.DEFAULT);
  }
}
