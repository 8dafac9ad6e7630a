package dev.berth.controller.ephemeral;

import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.protection.Protection;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.StoredResources;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The loop that makes pods' own claims, on a server that collects what has lost its owner.
class EphemeralVolumesTest {
  private static final ObjectKey POD = ObjectKey.of("shop", "web");
  private static final ObjectKey CLAIM = ObjectKey.of("shop", "web-scratch");
  private static final Draft WEB =
      pod("web")
          .add(
              "spec.volumes",
              "{name: scratch, ephemeral: {volumeClaimTemplate: {metadata: {labels: {app: web}},"
                  + " spec: {storageClassName: fast, accessModes: [ReadWriteOnce],"
                  + " resources: {requests: {storage: 1Gi}}}}}}");

  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster =
        Cluster.of(means ->
            List.of(
                EphemeralVolumes.claims().controller(means),
                Protection.claims().controller(means)));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void aPodsClaimComesAndGoesWithIt() { // EPH-01, EPH-05
    cluster.create(WEB);
    var made = cluster.until(Kinds.CLAIM, CLAIM, _ -> true);
    var pod = cluster.find(Kinds.POD, POD).orElseThrow();
    assertThat(made.meta().labels()).containsEntry("app", "web");
    assertThat(made.className()).contains("fast");
    assertThat(made.meta().controllerOwner().orElseThrow().uid()).isEqualTo(pod.meta().uid());
    cluster.delete(Kinds.POD, POD);
    cluster.untilGone(Kinds.CLAIM, CLAIM);
  }

  @Test
  void aClaimThatIsDeletedUnderItsPodIsMadeAnew() { // EPH-03
    cluster.create(WEB);
    var first = cluster.until(Kinds.CLAIM, CLAIM, _ -> true);
    cluster.delete(Kinds.CLAIM, CLAIM);
    cluster.until(Kinds.CLAIM, CLAIM, it -> !it.meta().uid().equals(first.meta().uid()));
  }

  /// No claim shows it, so the pod has to.
  @Test
  void aClaimThatIsRefusedIsToldAtItsPod() { // API-11
    var quota = JsonNodeFactory.instance.objectNode();
    quota.put("apiVersion", "v1").put("kind", "ResourceQuota");
    quota.putObject("metadata").put("namespace", "shop").put("name", "none");
    quota.withObject("/spec/hard").put("persistentvolumeclaims", "0");
    cluster.api().create(StoredResources.QUOTAS, quota);
    cluster.create(WEB);
    await()
        .until(() ->
            cluster.told().stream()
                .anyMatch(it ->
                    it.startsWith(
                            "FailedBinding: ephemeral volume scratch: create PVC web-scratch: ")
                        && it.contains("exceeded quota: none")));
  }

  @Test
  void aClaimThatIsAnothersIsLeftAloneAndSaidSo() { // EPH-02
    cluster.create(claim("web-scratch"), WEB);
    cluster.untilTold(
        "FailedBinding: ephemeral volume scratch: PVC shop/web-scratch was not created for pod"
            + " shop/web (pod is not owner)");
    cluster.untilQuiet();
    assertThat(cluster.find(Kinds.CLAIM, CLAIM).orElseThrow().meta().owners()).isEmpty();
  }
}
