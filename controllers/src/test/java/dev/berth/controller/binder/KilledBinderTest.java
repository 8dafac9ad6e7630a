package dev.berth.controller.binder;

import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.storageClass;
import static dev.berth.controller.Draft.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.Means;
import dev.berth.controller.TestProvisioner;
import dev.berth.controller.protection.Protection;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Binding;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process that ends between any two of its writes leaves nothing that the next one cannot finish
/// (RUN-04), and one whose writes fail tries them again (BIND-04).
class KilledBinderTest {
  private static final ObjectKey DATA = ObjectKey.of("shop", "data");

  /// Of which no volume is made.
  private static final Draft STATIC =
      storageClass("fast").set("provisioner", "kubernetes.io/no-provisioner");

  /// More than it writes: then it is killed when all is done.
  private static final int LIVES_ON = 30;

  /// Lets some writes through; whatever comes later never leaves the process.
  private static final class Kill implements Runnable {
    private final AtomicInteger left;
    private volatile boolean struck;

    Kill(int writes) {
      left = new AtomicInteger(writes);
    }

    @Override
    public void run() {
      if (left.getAndDecrement() > 0) return;
      struck = true;
      throw new ApiException.Unreachable("killed", new IOException());
    }
  }

  private static List<Controller<?, ?, ?>> controllers(Means means) {
    var provisioner = new TestProvisioner(means.api());
    return List.of(
        Binder.claims(Binder.Options.DEFAULT).controller(means),
        Binder.volumes().controller(means),
        Protection.claims().controller(means),
        Protection.volumes().controller(means),
        new Controller<>(provisioner, provisioner));
  }

  private static void untilStruck(Cluster cluster, Kill kill) {
    await().until(() -> kill.struck || isBound(cluster));
  }

  private static boolean isBound(Cluster cluster) {
    var claim = cluster.find(Kinds.CLAIM, DATA).orElseThrow();
    var volume =
        claim.volumeName().isEmpty()
            ? Optional.<Volume>empty()
            : cluster.find(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()));
    return claim.phase() == Claim.Phase.BOUND
        && volume.filter(it -> it.phase() == Volume.Phase.BOUND).isPresent();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, LIVES_ON})
  void aClaimIsBoundToAVolumeThatWasThereByWhoeverComesNext(int writes) throws Exception {
    var kill = new Kill(writes);
    try (var cluster = Cluster.of(Sources.NONE, kill, KilledBinderTest::controllers)) {
      cluster.create(STATIC, volume("pv-1"), claim("data"));
      untilStruck(cluster, kill);
      cluster.restart(Sources.NONE, KilledBinderTest::controllers);
      untilBound(cluster);
      assertThat(cluster.find(Kinds.CLAIM, DATA).orElseThrow().volumeName()).isEqualTo("pv-1");
      assertThat(cluster.list(Kinds.VOLUME)).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, LIVES_ON})
  void aClaimGetsOneVolumeThatIsMadeWhoeverIsKilled(int writes) throws Exception {
    var kill = new Kill(writes);
    try (var cluster = Cluster.of(Sources.NONE, kill, KilledBinderTest::controllers)) {
      cluster.create(storageClass("fast"), claim("data"));
      untilStruck(cluster, kill);
      cluster.restart(Sources.NONE, KilledBinderTest::controllers);
      untilBound(cluster);
      assertThat(cluster.list(Kinds.VOLUME)).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, LIVES_ON})
  void whatIsDeletedLeavesNothingWhoeverIsKilled(int writes) throws Exception {
    try (var cluster = Cluster.of(KilledBinderTest::controllers)) {
      cluster.create(storageClass("fast"), claim("data"));
      await().until(() -> isBound(cluster));
      var kill = new Kill(writes);
      cluster.restart(Sources.NONE, kill, KilledBinderTest::controllers);
      cluster.delete(Kinds.CLAIM, DATA);
      await().until(() -> kill.struck || cluster.list(Kinds.VOLUME).isEmpty());
      cluster.restart(Sources.NONE, KilledBinderTest::controllers);
      cluster.untilGone(Kinds.CLAIM, DATA);
      await().until(() -> cluster.list(Kinds.VOLUME).isEmpty());
    }
  }

  private static void untilBound(Cluster cluster) {
    await().until(() -> isBound(cluster));
    cluster.untilQuiet();
    var claim = cluster.find(Kinds.CLAIM, DATA).orElseThrow();
    var volume = cluster.find(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName())).orElseThrow();
    assertThat(Binding.isMutual(claim, volume)).isTrue();
    assertThat(claim.bindCompleted()).isTrue();
  }

  /// Nothing changes meanwhile that could wake it: it is the failure that is tried again.
  @Test
  void whatFailsIsTriedAgain() throws Exception { // BIND-04
    var refusals = new AtomicInteger(3);
    Runnable refuse =
        () -> {
          if (refusals.getAndDecrement() > 0)
            throw new ApiException.Unreachable("away", new IOException());
        };
    try (var cluster = Cluster.of(Sources.NONE, refuse, KilledBinderTest::controllers)) {
      cluster.create(STATIC, volume("pv-1"), claim("data"));
      untilBound(cluster);
      assertThat(refusals.get()).isNegative();
    }
  }
}
