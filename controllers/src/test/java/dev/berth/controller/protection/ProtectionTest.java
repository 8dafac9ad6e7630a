package dev.berth.controller.protection;

import static dev.berth.controller.Draft.attributesClass;
import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.controller.Cluster;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The loops of protection, on a server that protects what is created, as admission does.
class ProtectionTest {
  private static final String FINALIZER = Finalizers.VAC_PROTECTION;
  private static final ObjectKey GOLD = ObjectKey.cluster("gold");
  private static final ObjectKey DATA = ObjectKey.of("shop", "data");

  @Test
  void aClaimGoesWithTheLastPodThatUsesIt() throws Exception { // PROT-04
    try (var cluster = protectedCluster()) {
      cluster.create(claim("data"), pod("web", "data").set("spec.nodeName", "node-a"));
      cluster.delete(Kinds.CLAIM, DATA);
      cluster.untilTold("ClaimInUse: the claim is kept for pods web");
      cluster.delete(Kinds.POD, ObjectKey.of("shop", "web"));
      cluster.untilGone(Kinds.CLAIM, DATA);
    }
  }

  @Test
  void aClaimThatNobodyUsesGoesAtOnce() throws Exception {
    try (var cluster = protectedCluster()) {
      cluster.create(claim("data"), pod("web", "data"));
      cluster.delete(Kinds.CLAIM, DATA);
      cluster.untilGone(Kinds.CLAIM, DATA);
    }
  }

  @Test
  void anAttributesClassGoesWithTheLastThatNamesIt() throws Exception { // VAC-02
    try (var cluster = protectedCluster()) {
      cluster.create(
          attributesClass("gold"),
          claim("data").set("spec.volumeAttributesClassName", "gold"),
          volume("pv-1").set("spec.volumeAttributesClassName", "gold"));
      cluster.until(Kinds.ATTRIBUTES_CLASS, GOLD, it -> it.meta().hasFinalizer(FINALIZER));
      cluster.delete(Kinds.ATTRIBUTES_CLASS, GOLD);
      cluster.delete(Kinds.CLAIM, DATA);
      cluster.untilGone(Kinds.CLAIM, DATA);
      assertThat(cluster.find(Kinds.ATTRIBUTES_CLASS, GOLD)).isPresent();
      cluster.delete(Kinds.VOLUME, ObjectKey.cluster("pv-1"));
      cluster.untilGone(Kinds.ATTRIBUTES_CLASS, GOLD);
    }
  }

  @Test
  void theServerIsAskedWhoNamesAnAttributesClassBeforeItGoes() throws Exception { // VAC-02
    try (var cluster = Cluster.of(_ -> List.of())) {
      cluster.create(
          attributesClass("gold"), claim("data").set("spec.volumeAttributesClassName", "gold"));
      cluster.delete(Kinds.ATTRIBUTES_CLASS, GOLD);
      var seen = cluster.find(Kinds.ATTRIBUTES_CLASS, GOLD).orElseThrow();
      assertThatThrownBy(
              () -> new ProtectionEffects(cluster.api()).carryOut(ProtectionEffect.release(seen)))
          .hasMessage("persistentvolumeclaim/data names volumeattributesclass \"gold\"");
    }
  }

  @Test
  void theFinalizerIsPutOnAgain() throws Exception {
    try (var cluster = protectedCluster()) {
      cluster.create(claim("data"));
      cluster.patch(Kinds.CLAIM, DATA, body -> body.withObject("/metadata").putNull("finalizers"));
      cluster.until(Kinds.CLAIM, DATA, it -> it.meta().hasFinalizer(Finalizers.PVC_PROTECTION));
    }
  }

  @Test
  void theServerIsAskedForUsersBeforeAClaimGoes() throws Exception { // PROT-03
    try (var cluster = Cluster.of(_ -> List.of())) {
      cluster.create(claim("data"), pod("web", "data").set("spec.nodeName", "node-a"));
      cluster.delete(Kinds.CLAIM, DATA);
      var seen = cluster.find(Kinds.CLAIM, DATA).orElseThrow();
      assertThatThrownBy(
              () -> new ProtectionEffects(cluster.api()).carryOut(ProtectionEffect.release(seen)))
          .isInstanceOf(ApiException.LostRace.class)
          .hasMessage("pod \"web\" uses persistentvolumeclaim \"data\"");
      assertThat(cluster.find(Kinds.CLAIM, DATA)).isPresent();
    }
  }

  @Test
  void whatHasGoneMeanwhileNeedsNothingMore() throws Exception { // PROT-09
    try (var cluster = Cluster.of(_ -> List.of())) {
      cluster.create(claim("data"));
      cluster.delete(Kinds.CLAIM, DATA);
      var seen = cluster.find(Kinds.CLAIM, DATA).orElseThrow();
      var effects = new ProtectionEffects(cluster.api());
      effects.carryOut(ProtectionEffect.release(seen));
      effects.carryOut(ProtectionEffect.release(seen));
      assertThat(cluster.find(Kinds.CLAIM, DATA)).isEmpty();
    }
  }

  private static Cluster protectedCluster() throws Exception {
    return Cluster.of(means ->
        List.of(
            Protection.claims().controller(means),
            Protection.volumes().controller(means),
            Protection.attributesClasses().controller(means)));
  }
}
