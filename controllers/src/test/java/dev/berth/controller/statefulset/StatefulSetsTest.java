package dev.berth.controller.statefulset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.workload.Pods;
import dev.berth.controller.workload.StateRecord;
import dev.berth.controller.workload.Workload;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The loop that keeps StatefulSets, on a server that collects what has lost its owner.
class StatefulSetsTest {
  private static final ObjectKey WEB = ObjectKey.of("shop", "web");
  private static final Draft SET =
      Draft.of(
          """
          apiVersion: apps/v1
          kind: StatefulSet
          metadata: {namespace: shop, name: web}
          spec:
            replicas: 2
            serviceName: web
            selector: {matchLabels: {app: web}}
            template:
              metadata: {labels: {app: web}}
              spec:
                containers: [{name: app, image: host, volumeMounts: [{name: data, mountPath: /d}]}]
                volumes: [{name: data, emptyDir: {}}, {name: tmp, emptyDir: {}}]
            volumeClaimTemplates:
            - metadata: {name: data}
              spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
          """);

  private @Nullable Cluster running;

  @BeforeEach
  void start() throws Exception {
    running = Cluster.of(means -> List.of(StatefulSets.sets().controller(means)));
  }

  @AfterEach
  void stop() {
    cluster().close();
  }

  private Cluster cluster() {
    return Objects.requireNonNull(running);
  }

  private static ObjectKey pod(int ordinal) {
    return ObjectKey.of("shop", "web-" + ordinal);
  }

  private static ObjectKey claim(int ordinal) {
    return ObjectKey.of("shop", "data-web-" + ordinal);
  }

  private Pod up(int ordinal) {
    cluster().until(Kinds.POD, pod(ordinal), it -> !it.meta().deleting());
    return Pods.ready(cluster(), pod(ordinal));
  }

  private void untilStatus(String field, int value) {
    cluster().until(Workload.STATEFUL_SET, WEB, set -> set.status().path(field).asInt() == value);
  }

  private void change(String path, String value) {
    var change = Draft.of("{metadata: {}}").set(path, value).tree();
    cluster().patch(Workload.STATEFUL_SET, WEB, body -> body.set("spec", change.path("spec")));
  }

  /// STS-01, STS-02, STS-06.
  @Test
  void podsComeOneAfterTheOtherWithTheirClaims() {
    cluster().create(SET);
    var first = cluster().until(Kinds.POD, pod(0), _ -> true);
    assertThat(cluster().find(Kinds.CLAIM, claim(0)).orElseThrow().meta())
        .returns(List.of(), it -> it.owners())
        .extracting(it -> it.labels())
        .isEqualTo(Map.of("app", "web"));
    assertThat(first.meta().labels())
        .containsEntry("statefulset.kubernetes.io/pod-name", "web-0")
        .containsEntry("apps.kubernetes.io/pod-index", "0")
        .containsKey("controller-revision-hash");
    assertThat(Json.text(first.spec(), "hostname")).isEqualTo("web-0");
    assertThat(Json.text(first.spec(), "subdomain")).isEqualTo("web");
    assertThat(first.spec().path("volumes").valueStream().map(it -> it.path("name").asText()))
        .startsWith("data", "tmp");
    assertThat(first.spec().at("/volumes/0/persistentVolumeClaim/claimName").asText())
        .isEqualTo("data-web-0");
    cluster().untilQuiet();
    assertThat(cluster().find(Kinds.POD, pod(1))).isEmpty();
    up(0);
    up(1);
    untilStatus("readyReplicas", 2);
    cluster()
        .untilTold(
            "SuccessfulCreate: create Claim data-web-0 Pod web-0 in StatefulSet web success");
    cluster().untilTold("SuccessfulCreate: create Pod web-1 in StatefulSet web successful");
    var set = cluster().find(Workload.STATEFUL_SET, WEB).orElseThrow();
    assertThat(Json.text(set.status(), "currentRevision"))
        .isEqualTo(Json.text(set.status(), "updateRevision"))
        .isNotEmpty();
    assertThat(set.status().path("observedGeneration").asLong()).isEqualTo(set.generation());
  }

  /// The last first, each when the one before is up again; back as `kubectl rollout undo` goes.
  @Test
  void aNewTemplateIsRolledOutAndBack() {
    cluster().create(SET);
    up(0);
    up(1);
    untilStatus("readyReplicas", 2);
    var before = cluster().find(Kinds.POD, pod(0)).orElseThrow().meta().uid();
    change("spec.template.metadata.labels", "{app: web, edition: second}");
    cluster().until(Kinds.POD, pod(1), it -> it.meta().labels().containsKey("edition"));
    cluster().untilQuiet();
    assertThat(cluster().find(Kinds.POD, pod(0)).orElseThrow().meta().uid()).isEqualTo(before);
    up(1);
    cluster().until(Kinds.POD, pod(0), it -> it.meta().labels().containsKey("edition"));
    up(0);
    cluster()
        .until(
            Workload.STATEFUL_SET,
            WEB,
            it ->
                it.status().path("updatedReplicas").asInt() == 2
                    && Json.text(it.status(), "currentRevision")
                        .equals(Json.text(it.status(), "updateRevision")));
    var records = cluster().list(StateRecord.KIND);
    assertThat(records).hasSize(2);
    var first = records.stream().filter(it -> it.number() == 1).map(StateRecord::data).findFirst();
    cluster().api().patch(Resources.STATEFUL_SETS, WEB, Patch.strategic(first.orElseThrow()));
    cluster().until(Kinds.POD, pod(1), it -> !it.meta().labels().containsKey("edition"));
    assertThat(cluster().list(StateRecord.KIND))
        .as("the first is the newest again")
        .hasSize(2)
        .extracting(StateRecord::number)
        .containsExactlyInAnyOrder(2L, 3L);
  }

  /// STS-03, STS-04.
  @Test
  void whoeverIsScaledAwayTakesItsClaimOnlyWhereTheSetSaysSo() {
    cluster().create(SET);
    up(0);
    up(1);
    untilStatus("readyReplicas", 2);
    change("spec.replicas", "1");
    cluster().untilGone(Kinds.POD, pod(1));
    untilStatus("replicas", 1);
    var kept = cluster().find(Kinds.CLAIM, claim(1)).orElseThrow().meta().uid();
    change("spec.replicas", "2");
    up(1);
    assertThat(cluster().find(Kinds.CLAIM, claim(1)).orElseThrow().meta().uid()).isEqualTo(kept);
    change("spec.persistentVolumeClaimRetentionPolicy", "{whenScaled: Delete}");
    cluster().delete(Kinds.POD, pod(1));
    up(1);
    assertThat(cluster().find(Kinds.CLAIM, claim(1)).orElseThrow().meta().uid())
        .as("a pod that somebody deletes takes nothing with it")
        .isEqualTo(kept);
    change("spec.replicas", "1");
    finish(1);
    cluster().until(Kinds.CLAIM, claim(0), it -> !it.meta().deleting());
  }

  /// The claim goes: what protects it is none of this controller's.
  private void finish(int ordinal) {
    cluster().untilGone(Kinds.POD, pod(ordinal));
    cluster().until(Kinds.CLAIM, claim(ordinal), it -> it.meta().deleting());
    cluster()
        .patch(
            Kinds.CLAIM, claim(ordinal), body -> body.putObject("metadata").putArray("finalizers"));
    cluster().untilGone(Kinds.CLAIM, claim(ordinal));
  }

  /// STS-03.
  @Test
  void aSetThatIsDeletedTakesItsClaimsOnlyIfItSaysSo() {
    cluster().create(SET.set("spec.persistentVolumeClaimRetentionPolicy", "{whenDeleted: Delete}"));
    up(0);
    cluster().until(Kinds.CLAIM, claim(0), it -> it.meta().controllerOwner().isPresent());
    cluster().delete(Workload.STATEFUL_SET, WEB);
    finish(0);
  }

  @Test
  void aPodThatAnotherOwnsIsNeverTaken() {
    cluster().create(SET.set("spec.replicas", "0"));
    untilStatus("observedGeneration", 1);
    cluster()
        .create(
            Draft.pod("web-5").label("app", "web"),
            Draft.pod("web-6")
                .label("app", "web")
                .set(
                    "metadata.ownerReferences",
                    "[{apiVersion: v1, kind: Node, name: n, uid: someone, controller: true}]"));
    cluster().untilGone(Kinds.POD, pod(5)); // taken, and too many
    cluster().untilTold("SuccessfulDelete: delete Pod web-5 in StatefulSet web successful");
  }

  /// STS-01: where a claim cannot be made, its author hears why, and nothing is made without it.
  @Test
  void aClaimThatMayNotBeMadeIsToldOf() {
    var quota =
        Draft.of(
                """
                apiVersion: v1
                kind: ResourceQuota
                metadata: {namespace: shop, name: few}
                spec: {hard: {persistentvolumeclaims: "0"}}
                """)
            .unborn();
    cluster().api().create(StoredResources.QUOTAS, quota);
    cluster().create(SET);
    await()
        .untilAsserted(() ->
            assertThat(cluster().told())
                .anyMatch(it ->
                    it.startsWith(
                            "FailedCreate: create Claim data-web-0 for Pod web-0 in StatefulSet web"
                                + " failed error: ")
                        && it.contains("exceeded quota")));
    assertThat(cluster().find(Kinds.POD, pod(0))).isEmpty();
  }
}
