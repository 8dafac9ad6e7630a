package dev.berth.sidecar.provisioner;

import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.WITH_TOPOLOGY;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.node;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static dev.berth.sidecar.testing.Objects.waitingClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.WatchedApi;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a driver may still be working at stays known, whatever else goes meanwhile.
class BackgroundTest {
  private static final Tree SECRET =
      Tree.of("{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"data\": {\"user\": \"Ym9i\"}}")
          .named("keys")
          .with("shop", "metadata", "namespace");

  private static final Tree WITH_SECRETS =
      storageClass()
          .with("keys", "parameters", "csi.storage.k8s.io/provisioner-secret-name")
          .with("shop", "parameters", "csi.storage.k8s.io/provisioner-secret-namespace")
          .with("absent", "parameters", "csi.storage.k8s.io/node-stage-secret-name")
          .with("shop", "parameters", "csi.storage.k8s.io/node-stage-secret-namespace");

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void run(DriverFacts driver) {
    bench.run((api, events) ->
        Provisioner.of(driver, ProvisionerOptions.DEFAULT).controller(bench.means(api, events)));
  }

  private void assertHeld() {
    assertThat(bench.get(Kinds.CLAIM, "data").meta().finalizers())
        .contains(Finalizers.PROVISIONING);
  }

  @Test
  void aLostSecretIsNoReasonToForgetIt() { // PROV-110, PROV-114
    bench.driver().losesAnswer();
    bench.create(WITH_SECRETS, SECRET, claim());
    run(PLAIN);
    bench.delete(Resources.SECRETS, "keys");
    bench.delete(Resources.CLAIMS, "data");
    bench.pass(Duration.ofMinutes(30));

    assertHeld();
    assertThat(bench.driver().calls()).hasSize(1);

    bench.create(SECRET);
    bench.pass(Duration.ofMinutes(5));
    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    assertThat(bench.driver().volumes()).hasSize(1);
  }

  /// The same request goes on, and the node stays selected: another's volume would be a second one.
  @Test
  void aNodeThatVanishesIsNotGivenBack() { // PROV-90, PROV-91, PROV-124
    bench.driver().losesAnswer();
    for (int i = 0; i < 3; i++) bench.driver().refuses(Code.UNAVAILABLE, "still at it");
    bench.create(
        waitingClass(),
        claim().annotated(Annotations.SELECTED_NODE, "n1"),
        node("n1", Map.of("host", "n1")),
        csiNode("n1", "host"));
    run(WITH_TOPOLOGY);
    bench.delete(Resources.CSI_NODES, "n1");
    bench.delete(Resources.NODES, "n1");
    bench.pass(Duration.ofSeconds(2));

    assertHeld();
    assertThat(bench.get(Kinds.CLAIM, "data").meta().annotations())
        .containsEntry(Annotations.SELECTED_NODE, "n1");

    bench.pass(Duration.ofMinutes(1));
    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    assertThat(
            bench
                .driver()
                .requestOf(bench.volumeName())
                .getAccessibilityRequirements()
                .getPreferred(0)
                .getSegmentsMap())
        .containsEntry("host", "n1");
  }

  /// The others are named on the volume, and need not even exist.
  @Test
  void onlyTheProvisionersOwnSecretIsRead() { // PROV-37, PROV-56
    bench.create(WITH_SECRETS, SECRET, claim());
    var read = new ArrayList<String>();
    bench.run(
        (api, events) ->
            Provisioner.of(PLAIN, ProvisionerOptions.DEFAULT).controller(bench.means(api, events)),
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                if (request.contains(" secrets ")) read.add(request);
              }

              @Override
              public void after(String request) {}
            }));

    assertThat(read).isEqualTo(List.of("get secrets shop/keys"));
    assertThat(
            bench
                .json(Resources.VOLUMES, bench.volumeName())
                .at("/spec/csi/nodeStageSecretRef/name")
                .asText())
        .isEqualTo("absent");
  }

  @Test
  void aDeviceIsAskedForAndTheDriverMayRefuseIt() { // PROV-19
    bench.driver().refuses(Code.INVALID_ARGUMENT, "no devices");
    bench.create(storageClass(), claim().with("Block", "spec", "volumeMode"));
    run(PLAIN);
    assertThat(bench.events()).last().asString().contains("no devices");

    bench.pass(Duration.ofMinutes(6));
    var saved = bench.json(Resources.VOLUMES, bench.volumeName()).path("spec");
    assertThat(saved.path("volumeMode").asText()).isEqualTo("Block");
    assertThat(saved.path("csi").has("fsType")).isFalse();
  }
}
