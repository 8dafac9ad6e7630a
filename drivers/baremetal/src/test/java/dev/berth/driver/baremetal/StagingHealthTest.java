package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.VolumeFinding;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Follower;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.time.SystemTime;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/// What is said of a volume while it is staged and unstaged, which is written down before it is
/// mounted and after it is unmounted.
class StagingHealthTest {
  private static final String PLAN =
      "nodes: [{nodeID: a, driveCount: 1, drives: [{serialNumber: A, size: 64Mi}]}]";

  /// Everything that was ever found of a volume.
  private record Findings(Queue<VolumeFinding> all) implements Follower {
    @Override
    public void filled(Snapshot first) {}

    @Override
    public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
      if (change.latest() instanceof LocalVolume volume) all.addAll(volume.findings());
    }
  }

  /// BM-186, BM-198: a volume that is not mounted yet, or not any more, is not ill.
  @Test
  void nobodyMissesAMountThatIsBeingMade() throws Exception {
    try (var world = BareMetalWorld.of(PLAN);
        var time = new SystemTime("findings");
        var caches = Caches.of(world.api, time, List.of(BareMetalKinds.VOLUME))) {
      var driver = world.node("a");
      var found = new Findings(new ConcurrentLinkedQueue<>());
      caches.follow(List.of(BareMetalKinds.VOLUME), found);
      caches.start();
      world.drive("A", Drive::available);
      create(driver, "v", 1, mount("ext4"));
      for (int times = 0; times < 8; times++) {
        world.stage(driver, "v", mount("ext4"));
        world.unstage(driver, "v");
      }
      delete(driver, "v");
      assertThat(found.all).isEmpty();
    }
  }
}
