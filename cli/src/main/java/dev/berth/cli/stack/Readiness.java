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
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Waits until every node is ready and has its driver.
final class Readiness {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Readiness() {}

  /// @throws Problem if a node is not ready in time
  static void await(Caches caches, List<String> nodes, String driver) throws InterruptedException {
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
            if (nodes.stream().allMatch(node -> isReady(objects, node, driver))) ready.countDown();
          }
        };
    caches.follow(Set.of(Kinds.NODE, Kinds.CSI_NODE), follower);
    try {
      if (!ready.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        throw new Problem(
            "not every node was ready after "
                + PATIENCE.toSeconds()
                + " s: "
                + nodes.stream()
                    .filter(node -> !isReady(caches.snapshot(), node, driver))
                    .toList());
    } finally {
      caches.unfollow(follower);
    }
  }

  private static boolean isReady(Snapshot objects, String node, String driver) {
    var key = ObjectKey.cluster(node);
    return objects.get(Kinds.NODE, key).found().filter(Node::ready).isPresent()
        && objects
            .get(Kinds.CSI_NODE, key)
            .found()
            .flatMap(csiNode -> csiNode.driver(driver))
            .isPresent();
  }
}
