package dev.berth.sidecar.provisioner;

import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.WITH_TOPOLOGY;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.node;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static dev.berth.sidecar.testing.Objects.waitingClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.csi.v1.Volume;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Quantity;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Binder;
import dev.berth.sidecar.testing.SmallDriver;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.WatchedApi;
import dev.berth.sidecar.write.LifeMetrics;
import io.grpc.Status.Code;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What becomes of claims, on the real API and the real loop.
class ProvisionerTest {
  private static final ObjectKey DATA = ObjectKey.of("shop", "data");

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private static Bench.Maker provisioner(DriverFacts driver, ControllerCalls calls, Bench bench) {
    return (api, events) ->
        Provisioner.of(driver, ProvisionerOptions.DEFAULT)
            .controller(bench.means(calls, api, events));
  }

  private void run() {
    bench.run(provisioner(PLAIN, bench.driver(), bench));
  }

  private Meta claimMeta() {
    return bench.get(Kinds.CLAIM, "data").meta();
  }

  private void assertHeld() {
    assertThat(claimMeta().finalizers()).contains(Finalizers.PROVISIONING);
    assertThat(claimMeta().annotations()).containsKey(Annotations.PROVISIONING_INTENT);
  }

  private void bind() {
    new Binder(bench.api()).work();
    bench.pass(Duration.ofSeconds(1));
  }

  private void assertLetGo() {
    assertThat(claimMeta().finalizers()).doesNotContain(Finalizers.PROVISIONING);
    assertThat(claimMeta().annotations()).doesNotContainKey(Annotations.PROVISIONING_INTENT);
  }

  private long creations() {
    return bench.driver().calls().stream().filter(call -> call.startsWith("CreateVolume")).count();
  }

  @Test
  void aClaimGetsAVolume() {
    bench.create(storageClass(), claim());
    run();

    var volume = bench.get(Kinds.VOLUME, bench.volumeName());
    assertThat(volume.csi().orElseThrow().handle()).isEqualTo("vol-1");
    assertThat(volume.claim().orElseThrow().uid()).isEqualTo(claimMeta().uid());
    assertThat(volume.meta().finalizers()).contains(Finalizers.PROVISIONER);
    assertHeld();
    bind();
    assertLetGo();
    assertThat(bench.events())
        .containsExactly(
            "Provisioning: External provisioner is provisioning volume for claim \"shop/data\"",
            "ProvisioningSucceeded: Successfully provisioned volume " + bench.volumeName());
  }

  @Test
  void whatIsMadeAndWhatIsNotIsCounted() throws IOException { // PROV-186
    var registry = new PrometheusRegistry();
    bench.driver().refuses(Code.INTERNAL, "pool is on fire");
    bench.create(storageClass(), claim());
    bench.run((api, events) ->
        Provisioner.of(PLAIN, ProvisionerOptions.DEFAULT.counting(new LifeMetrics(registry)))
            .controller(bench.means(api, events)));
    bench.pass(Duration.ofSeconds(1));

    var counts =
        registry.scrape().stream()
            .filter(CounterSnapshot.class::isInstance)
            .map(CounterSnapshot.class::cast)
            .flatMap(it ->
                it.getDataPoints().stream()
                    .map(point ->
                        it.getMetadata().getName() + point.getLabels() + " " + point.getValue()))
            .toList();
    assertThat(counts)
        .containsExactlyInAnyOrder(
            "controller_persistentvolumeclaim_provision{class=\"fast\",source=\"\"} 1.0",
            "controller_persistentvolumeclaim_provision_failed{class=\"fast\",source=\"\"} 1.0");
  }

  @Test
  void theClaimIsHeldBeforeTheDriverHearsOfIt() { // PROV-191
    bench.create(storageClass(), claim());
    bench
        .driver()
        .answers(volume -> {
          assertHeld();
          return volume;
        });
    run();

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  @Test
  void aLargerVolumeIsSavedAsItIs() { // PROV-95
    bench.driver().answers(volume -> volume.toBuilder().setCapacityBytes(3L << 30).build());
    bench.create(storageClass(), claim());
    run();

    assertThat(bench.get(Kinds.VOLUME, bench.volumeName()).capacity())
        .isEqualTo(Quantity.parse("3Gi"));
  }

  @Test
  void whatHindersIsToldAfterTheAttempt() {
    bench.create(storageClass(), claim().with("m", "spec", "selector", "matchLabels", "a"));
    run();

    assertThat(bench.events())
        .containsExactly(
            "Provisioning: External provisioner is provisioning volume for claim \"shop/data\"",
            "ProvisioningFailed: claim Selector is not supported");
  }

  @Test
  void aClaimThatCannotBeHeldIsTold() {
    bench.create(storageClass(), claim());
    bench.run(
        provisioner(PLAIN, bench.driver(), bench),
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                if (request.startsWith("patch persistentvolumeclaims"))
                  throw new ApiException(500, "InternalError", "etcd is full");
              }

              @Override
              public void after(String request) {}
            }));

    assertThat(bench.events())
        .last()
        .asString()
        .isEqualTo("ProvisioningFailed: claim cannot be held for its volume: etcd is full");
    assertThat(creations()).isZero();
  }

  @Test
  void aSmallerVolumeIsDeletedAndCreatedAgain() { // PROV-95
    bench.driver().answers(volume -> volume.toBuilder().setCapacityBytes(1).build());
    bench.create(storageClass(), claim());
    run();

    assertThat(bench.driver().volumes()).isEmpty();
    assertThat(bench.events()).last().asString().contains("less than requested");
    assertHeld();

    bench.driver().answers(volume -> volume);
    bench.pass(Duration.ofSeconds(1));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  @Test
  void anAnswerWithoutAVolumeIsInDoubt() { // PROV-96
    bench.driver().answers(_ -> Volume.getDefaultInstance());
    bench.create(storageClass(), claim());
    run();

    assertThat(bench.events()).last().asString().contains("without a volume id");
    assertHeld();
  }

  @Test
  void aHoldWithoutAnIntentIsAskedFor() { // PROV-191
    bench.driver().refuses(Code.UNAVAILABLE, "cannot look");
    bench.create(storageClass(), claim().finalizers(Finalizers.PROVISIONING));
    run();

    assertHeld();
    bench.pass(Duration.ofSeconds(1));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    bind();
    assertLetGo();
  }

  @Test
  void aRefusalLetsTheClaimGoAndIsTriedAgainAfterAPause() { // PROV-112
    bench.driver().refuses(Code.INTERNAL, "pool is on fire");
    bench.driver().refuses(Code.INTERNAL, "pool is on fire");
    bench.create(storageClass(), claim());
    run();

    assertLetGo();
    assertThat(bench.events())
        .last()
        .isEqualTo("ProvisioningFailed: rpc error: code = Internal desc = pool is on fire");
    bench.pass(Duration.ofMillis(900));
    assertThat(creations()).isEqualTo(1);
    bench.pass(Duration.ofMillis(100));
    assertThat(creations()).isEqualTo(2);
    bench.pass(Duration.ofMillis(1900));
    assertThat(creations()).isEqualTo(2);
    bench.pass(Duration.ofMillis(100));
    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  @Test
  void aRefusalIsNotForgottenIfTheClaimIsDeletedMeanwhile() { // PROV-112
    var refusing =
        new SmallDriver() {
          private int asked;

          @Override
          public CreateVolumeResponse createVolume(CreateVolumeRequest request) {
            asked++;
            bench.api().delete(Resources.CLAIMS, DATA, DeleteOptions.DEFAULT);
            bench
                .api()
                .patch(
                    Resources.CLAIMS,
                    DATA,
                    new JsonPatch().remove("metadata", "finalizers", "0").patch());
            throw new CsiException(Code.INTERNAL, "pool is on fire");
          }
        };
    bench.create(storageClass(), claim());
    bench.run(provisioner(PLAIN, refusing, bench));
    bench.pass(Duration.ofMinutes(10));

    assertThat(bench.find(Kinds.CLAIM, "data")).isEmpty();
    assertThat(refusing.asked).isEqualTo(1);
  }

  @Test
  void anUnknownOutcomeIsFoundOutByTheSameRequest() { // PROV-113, PROV-115
    bench.driver().losesAnswer();
    bench.create(storageClass(), claim());
    run();

    assertHeld();
    bench.delete(Resources.STORAGE_CLASSES, "fast");
    bench.create(storageClass().with("silver", "parameters", "tier"));
    bench.delete(Resources.CLAIMS, "data");
    bench.pass(Duration.ofSeconds(1));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    assertLetGo();
  }

  @Test
  void successIsNotToldOfAClaimThatIsGoneButForOurHold() { // PROV-180
    bench.driver().losesAnswer();
    bench.create(storageClass(), claim());
    run();
    assertHeld();
    bench.patch(
        Resources.CLAIMS,
        "data",
        "{\"metadata\": {\"finalizers\": [\"%s\"]}}".formatted(Finalizers.PROVISIONING));
    bench.delete(Resources.CLAIMS, "data");
    bench.pass(Duration.ofSeconds(1));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    assertThat(bench.events()).noneMatch(it -> it.startsWith("ProvisioningSucceeded"));
  }

  @Test
  void successIsToldOfADeletedClaimThatAPodKeeps() { // PROV-180
    bench.driver().losesAnswer();
    bench.create(storageClass(), claim());
    run();
    bench.delete(Resources.CLAIMS, "data");
    bench.pass(Duration.ofSeconds(1));

    assertThat(bench.events()).last().asString().startsWith("ProvisioningSucceeded");
  }

  @Test
  void aRefusalIsFinalAfterAnUnknownOutcome() { // PROV-111
    bench.driver().losesAnswer();
    bench.driver().refuses(Code.INTERNAL, "cannot reach the back end");
    bench.create(storageClass(), claim());
    run();
    assertHeld();
    bench.pass(Duration.ofSeconds(1));

    assertLetGo();

    bench.pass(Duration.ofSeconds(2)); // the claim is still there, and so is its volume's name
    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    assertThat(bench.driver().volumes()).hasSize(1);
  }

  @Test
  void aDeletedClaimIsForgottenWithARefusal() { // PROV-113
    bench.driver().refuses(Code.DEADLINE_EXCEEDED, "slow");
    bench.driver().refuses(Code.DEADLINE_EXCEEDED, "slow");
    bench.driver().refuses(Code.INTERNAL, "pool is on fire");
    bench.create(storageClass(), claim());
    run();
    bench.delete(Resources.CLAIMS, "data");
    bench.pass(Duration.ofSeconds(1));
    assertHeld();
    bench.pass(Duration.ofMinutes(10));

    assertLetGo();
    assertThat(creations()).isEqualTo(3);
  }

  @Test
  void aHopelessRequestIsNotRepeatedForAWhile() { // PROV-120
    bench.driver().refuses(Code.INVALID_ARGUMENT, "no tier gold");
    bench.create(storageClass(), claim());
    run();

    assertLetGo();
    assertThat(bench.events())
        .last()
        .asString()
        .isEqualTo(
            "ProvisioningFailed: Volume provisioning failed with infeasible error. Retries will be"
                + " delayed. rpc error: code = InvalidArgument desc = no tier gold");
    bench.pass(Duration.ofSeconds(299));
    assertThat(creations()).isEqualTo(1);
    bench.pass(Duration.ofSeconds(1));
    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    bind();
    assertThat(claimMeta().annotations()).doesNotContainKey(Annotations.PROVISIONING_REFUSED);
  }

  @Test
  void norIfTheClassIsReplaced() { // PROV-120
    bench.driver().refuses(Code.INVALID_ARGUMENT, "no tier gold");
    bench.create(storageClass(), claim());
    run();
    bench.delete(Resources.STORAGE_CLASSES, "fast");
    bench.create(storageClass());
    bench.time().settle();
    bench.pass(Duration.ofSeconds(1));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  @Test
  void aFullNodeIsGivenBack() { // PROV-123
    bench.driver().refuses(Code.RESOURCE_EXHAUSTED, "disk full");
    bench.create(
        waitingClass(),
        claim().annotated(Annotations.SELECTED_NODE, "n1"),
        node("n1", Map.of("host", "n1")),
        node("n2", Map.of("host", "n2")),
        csiNode("n1", "host"),
        csiNode("n2", "host"));
    bench.run(provisioner(WITH_TOPOLOGY, bench.driver(), bench));

    assertLetGo();
    assertThat(claimMeta().annotations()).doesNotContainKey(Annotations.SELECTED_NODE);
    bench.pass(Duration.ofMinutes(1));
    assertThat(creations()).isEqualTo(1);

    bench.patch(
        Resources.CLAIMS,
        "data",
        "{\"metadata\": {\"annotations\": {\"volume.kubernetes.io/selected-node\": \"n2\"}}}");

    var request = bench.driver().requestOf(bench.volumeName());
    assertThat(request.getAccessibilityRequirements().getPreferred(0).getSegmentsMap())
        .containsEntry("host", "n2");
  }

  @Test
  void aNodeThatIsGoneIsGivenBack() { // PROV-82
    bench.create(waitingClass(), claim().annotated(Annotations.SELECTED_NODE, "n1"));
    bench.run(provisioner(WITH_TOPOLOGY, bench.driver(), bench));

    assertThat(claimMeta().annotations()).doesNotContainKey(Annotations.SELECTED_NODE);
    assertThat(creations()).isZero();
    assertThat(bench.events()).last().asString().contains("ProvisioningFailed");
  }

  @Test
  void anUnreadableSecretKeepsTheDriverOut() { // PROV-55
    bench.create(
        storageClass()
            .with("keys", "parameters", "csi.storage.k8s.io/provisioner-secret-name")
            .with("shop", "parameters", "csi.storage.k8s.io/provisioner-secret-namespace"),
        claim());
    run();

    assertThat(creations()).isZero();
    assertLetGo();
    assertThat(bench.events())
        .last()
        .isEqualTo(
            "ProvisioningFailed: error getting secret keys in namespace shop: secrets \"keys\" not"
                + " found");

    bench.create(
        Tree.of("{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"data\": {\"user\": \"Ym9i\"}}")
            .named("keys")
            .with("shop", "metadata", "namespace"));
    bench.pass(Duration.ofSeconds(1));

    assertThat(bench.driver().requestOf(bench.volumeName()).getSecretsMap())
        .isEqualTo(Map.of("user", "bob"));
    assertThat(bench.json(Resources.CLAIMS, "data").toString()).doesNotContain("bob");
  }
}
