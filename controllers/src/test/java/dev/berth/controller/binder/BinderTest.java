package dev.berth.controller.binder;

import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.storageClass;
import static dev.berth.controller.Draft.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Cluster;
import dev.berth.controller.TestProvisioner;
import dev.berth.controller.protection.Protection;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Both loops of the binder, with protection and a small provisioner, on a server.
class BinderTest {
  private static final ObjectKey DATA = ObjectKey.of("shop", "data");

  private static final int MANY = 200;

  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster =
        Cluster.of(means -> {
          var provisioner = new TestProvisioner(means.api());
          return List.of(
              Binder.claims(Binder.Options.DEFAULT).controller(means),
              Binder.volumes().controller(means),
              Protection.claims().controller(means),
              Protection.volumes().controller(means),
              new Controller<>(provisioner, provisioner));
        });
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void aClaimGetsAVolumeAndLeavesNone() { // BIND-05
    cluster.create(storageClass("fast"), claim("data"));
    var bound = cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.BOUND);
    var volume = ObjectKey.cluster(bound.volumeName());
    assertThat(bound.bindCompleted()).isTrue();
    var made = cluster.find(Kinds.VOLUME, volume).orElseThrow();
    assertThat(made.phase()).isEqualTo(Volume.Phase.BOUND);
    assertThat(made.meta().finalizers()) // FIN-03: that of in-tree plugins is nobody's
        .doesNotContain("kubernetes.io/pv-controller");
    cluster.delete(Kinds.CLAIM, DATA);
    cluster.untilGone(Kinds.VOLUME, volume);
    assertThat(cluster.find(Kinds.CLAIM, DATA)).isEmpty();
  }

  @Test
  void aClaimThatNamesAVolumeByAnEmptyTextGetsOneToo() { // BIND-30, PROV-191
    cluster.create(storageClass("fast"), claim("data").set("spec.volumeName", "''"));
    cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.BOUND);
  }

  @Test
  void aVolumeThatComesLaterIsBound() { // BIND-03: without a resync
    cluster.create(
        storageClass("fast").set("provisioner", "kubernetes.io/no-provisioner"), claim("data"));
    cluster.untilTold(
        "ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner");
    cluster.create(volume("pv-1"));
    assertThat(cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.BOUND).volumeName())
        .isEqualTo("pv-1");
  }

  /// A driver labels its node a moment after the node is there.
  @Test
  void aPodThatWasPlacedByHandGetsAVolumeThatItsNodeComesToReach() { // BIND-16
    cluster.create(
        storageClass("fast")
            .set("provisioner", "kubernetes.io/no-provisioner")
            .set("volumeBindingMode", "WaitForFirstConsumer"),
        node("node-a"),
        volume("pv-1")
            .set(
                "spec.nodeAffinity",
                "{required: {nodeSelectorTerms: [{matchExpressions: [{key: place, operator: In,"
                    + " values: [here]}]}]}}"),
        claim("data"),
        pod("web", "data").set("spec.nodeName", "node-a"));
    cluster.untilQuiet();
    cluster.patch(
        Kinds.NODE,
        ObjectKey.cluster("node-a"),
        body -> body.withObject("/metadata/labels").put("place", "here"));
    cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.BOUND);
  }

  @Test
  void aRetainedVolumeIsOfferedAgainWhenSomebodyFreesIt() {
    cluster.create(
        storageClass("fast"), volume("pv-1").set("spec.persistentVolumeReclaimPolicy", "Retain"));
    var key = ObjectKey.cluster("pv-1");
    cluster.until(Kinds.VOLUME, key, it -> it.phase() == Volume.Phase.AVAILABLE);
    cluster.create(claim("data"));
    cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.BOUND);
    cluster.delete(Kinds.CLAIM, DATA);
    cluster.until(Kinds.VOLUME, key, it -> it.phase() == Volume.Phase.RELEASED);
    cluster.patch(Kinds.VOLUME, key, body -> body.withObject("/spec").putNull("claimRef"));
    cluster.until(Kinds.VOLUME, key, it -> it.phase() == Volume.Phase.AVAILABLE);
  }

  @Test
  void aClaimThatTookTheNameOfAnotherDoesNotInheritItsVolume() { // RACE-02
    cluster.create(storageClass("fast"), claim("data"));
    var first = cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.BOUND);
    cluster.delete(Kinds.CLAIM, DATA);
    cluster.untilGone(Kinds.CLAIM, DATA);
    cluster.create(claim("data"));
    var second = cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.BOUND);
    assertThat(second.volumeName()).isNotEqualTo(first.volumeName());
    cluster.untilGone(Kinds.VOLUME, ObjectKey.cluster(first.volumeName()));
  }

  @Test
  void ofTwoVolumesThatAreReservedForOneClaimOneIsBound() { // RACE-04
    var reserved = "{kind: PersistentVolumeClaim, apiVersion: v1, namespace: shop, name: data}";
    cluster.create(
        storageClass("fast"),
        volume("pv-1").set("spec.claimRef", reserved),
        volume("pv-2").set("spec.claimRef", reserved),
        claim("data"));
    var bound = cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.BOUND);
    cluster.untilQuiet();
    var other = ObjectKey.cluster(bound.volumeName().equals("pv-1") ? "pv-2" : "pv-1");
    cluster.until(Kinds.VOLUME, other, it -> it.phase() == Volume.Phase.AVAILABLE);
  }

  @Test
  void aLostClaimIsFoundAgain() { // BIND-05, BIND-27
    var volume = volume("pv-1").set("spec.persistentVolumeReclaimPolicy", "Retain");
    cluster.create(storageClass("fast"), volume);
    var key = ObjectKey.cluster("pv-1");
    // A claim that comes before the volume is free is given one that is made for it.
    cluster.until(Kinds.VOLUME, key, it -> it.phase() == Volume.Phase.AVAILABLE);
    cluster.create(claim("data"));
    cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.BOUND);
    // Until it says so itself, nothing protects it.
    cluster.until(Kinds.VOLUME, key, it -> it.phase() == Volume.Phase.BOUND);
    cluster.delete(Kinds.VOLUME, key);
    cluster.patch(Kinds.VOLUME, key, body -> body.withObject("/metadata").putNull("finalizers"));
    cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.LOST);
    cluster.create(volume);
    cluster.until(Kinds.CLAIM, DATA, it -> it.phase() == Claim.Phase.BOUND);
  }

  @Test
  void manyClaimsAreBoundAndLeaveNothing() {
    cluster.create(storageClass("fast"));
    for (int i = 0; i < MANY; i++) cluster.create(claim("c-" + i));
    untilAllAreBound();
    for (int i = 0; i < MANY; i++) cluster.delete(Kinds.CLAIM, ObjectKey.of("shop", "c-" + i));
    await().until(() -> cluster.list(Kinds.VOLUME).isEmpty());
  }

  @Test
  void manyClaimsShareOutManyVolumes() {
    cluster.create(storageClass("fast").set("provisioner", "kubernetes.io/no-provisioner"));
    for (int i = 0; i < MANY; i++) cluster.create(volume("pv-" + i));
    for (int i = 0; i < MANY; i++) cluster.create(claim("c-" + i));
    untilAllAreBound();
    assertThat(cluster.list(Kinds.CLAIM)).extracting(Claim::volumeName).doesNotHaveDuplicates();
  }

  private void untilAllAreBound() {
    await()
        .until(() ->
            cluster.list(Kinds.CLAIM).stream().filter(it -> it.phase() == Claim.Phase.BOUND).count()
                == MANY);
  }
}
