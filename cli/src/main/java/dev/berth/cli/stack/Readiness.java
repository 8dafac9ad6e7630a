package dev.berth.cli.stack;

import dev.berth.cli.Problem;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Follower;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// Waits until nodes are as they have to be.
final class Readiness {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Readiness() {}

  /// Until every node is ready and has its drivers.
  ///
  /// @throws Problem if a node is not ready in time
  static void await(Caches caches, List<String> nodes, Collection<String> drivers)
      throws InterruptedException {
    Predicate<Snapshot> wanted =
        objects -> nodes.stream().allMatch(node -> isReady(objects, node, drivers));
    if (!comesTo(caches, wanted))
      throw new Problem(
          "not every node was ready after "
              + PATIENCE.toSeconds()
              + " s: "
              + nodes.stream().filter(node -> !isReady(caches.snapshot(), node, drivers)).toList());
  }

  /// Until the API server knows the node.
  ///
  /// @throws Problem if that does not come to be
  static void awaitNode(Caches caches, String node) throws InterruptedException {
    var key = ObjectKey.cluster(node);
    if (!comesTo(caches, objects -> objects.get(Kinds.NODE, key).found().isPresent()))
      throw new Problem("node %s had no object after %d s".formatted(node, PATIENCE.toSeconds()));
  }

  private static boolean comesTo(Caches caches, Predicate<Snapshot> wanted)
      throws InterruptedException {
    var ready = new CountDownLatch(1);
    var follower =
        new Follower() {
          @Override
          public void filled(Snapshot first) {
            look(first);
          }

          @Override
          public <T extends KubeObject> void changed(
              Kind<T> kind, Change<T> change, Snapshot with) {
            look(with);
          }

          private void look(Snapshot objects) {
            if (wanted.test(objects)) ready.countDown();
          }
        };
    caches.follow(Set.of(Kinds.NODE, Kinds.CSI_NODE), follower);
    try {
      return ready.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } finally {
      caches.unfollow(follower);
    }
  }

  private static boolean isReady(Snapshot objects, String node, Collection<String> drivers) {
    var key = ObjectKey.cluster(node);
    return objects.get(Kinds.NODE, key).found().filter(Node::ready).isPresent()
        && objects
            .get(Kinds.CSI_NODE, key)
            .found()
            .filter(it -> drivers.stream().allMatch(name -> it.driver(name).isPresent()))
            .isPresent();
  }
}
