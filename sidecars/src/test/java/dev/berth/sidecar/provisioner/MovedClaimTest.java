package dev.berth.sidecar.provisioner;

import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.node;
import static dev.berth.sidecar.testing.Objects.onNode;
import static dev.berth.sidecar.testing.Objects.waitingClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeResponse;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.SmallDriver;
import dev.berth.sidecar.testing.World;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Claims that another node is selected for, or none, while a node's own provisioner does not know
/// what has become of their volume (PROV-191).
class MovedClaimTest {
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  /// Begun on node-1, which has made the volume, but not heard of it.
  private void begin(SmallDriver driver) {
    driver.losesAnswer();
    bench.create(waitingClass(), claim().annotated(Annotations.SELECTED_NODE, "node-1"));
    bench.run((api, events) ->
        Provisioner.of(onNode("node-1", "here"), ProvisionerOptions.DEFAULT)
            .controller(bench.means(driver, api, events)));
    assertHeld();
  }

  private void select(String node) {
    bench.patch(
        Resources.CLAIMS,
        "data",
        "{\"metadata\": {\"annotations\": {\"%s\": %s}}}"
            .formatted(Annotations.SELECTED_NODE, node));
  }

  private Meta meta() {
    return bench.get(Kinds.CLAIM, "data").meta();
  }

  private void assertHeld() {
    assertThat(meta().finalizers()).contains(Finalizers.PROVISIONING);
    assertThat(meta().annotations()).containsKey(Annotations.PROVISIONING_INTENT);
  }

  private void assertLetGo() {
    assertThat(meta().finalizers()).doesNotContain(Finalizers.PROVISIONING);
    assertThat(meta().annotations()).doesNotContainKey(Annotations.PROVISIONING_INTENT);
  }

  @Test
  void aDeletedClaimIsLetGoThoughNoNodeIsSelectedAnyMore() {
    begin(bench.driver());
    select("null");
    bench.delete(Resources.CLAIMS, "data");
    bench.pass(Duration.ofSeconds(2));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1); // nobody's: the reclaimer's
    assertLetGo();
  }

  @Test
  void aClaimOfAnotherNodeIsLetGoWithoutTheVolume() {
    begin(bench.driver());
    select("\"node-2\"");
    bench.pass(Duration.ofSeconds(2));

    assertThat(bench.driver().volumes()).isEmpty();
    assertThat(bench.all(Kinds.VOLUME)).isEmpty();
    assertLetGo();
    assertThat(meta().annotations()).containsEntry(Annotations.SELECTED_NODE, "node-2");
  }

  @Test
  void andNotBeforeTheVolumeIsDeleted() {
    var stuck = new boolean[] {true};
    var driver =
        new SmallDriver() {
          @Override
          public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request) {
            if (stuck[0]) throw new CsiException(Code.UNAVAILABLE, "away");
            return super.deleteVolume(request);
          }
        };
    begin(driver);
    select("\"node-2\"");
    bench.pass(Duration.ofSeconds(2));
    assertHeld();

    stuck[0] = false;
    bench.pass(Duration.ofMinutes(1));

    assertThat(driver.volumes()).isEmpty();
    assertLetGo();
  }

  private void runOnNode2() {
    bench.run((api, events) ->
        Provisioner.of(onNode("node-2", "there"), ProvisionerOptions.DEFAULT)
            .controller(bench.means(new SmallDriver(), api, events)));
  }

  @Test
  void aDeletedClaimIsLetGoWhenTheNodeThatBeganHasLeftTheCluster() {
    begin(bench.driver());
    bench.kill();
    bench.create(node("node-1", Map.of()));
    runOnNode2();
    bench.delete(Resources.CLAIMS, "data");
    bench.pass(Duration.ofHours(2));
    assertHeld(); // the node may come back

    bench.delete(Resources.NODES, "node-1");
    bench.pass(Duration.ofMinutes(4));
    assertHeld(); // it may be put back
    bench.pass(Duration.ofMinutes(15));

    assertThat(meta().finalizers()).doesNotContain(Finalizers.PROVISIONING);
    assertThat(bench.events())
        .filteredOn(it -> it.contains("node node-1, which has begun volume"))
        .hasSize(1);
  }

  @Test
  void andSoIsOneForWhichAnotherNodeIsSelected() {
    begin(bench.driver());
    bench.kill();
    select("\"node-2\"");
    runOnNode2();
    bench.pass(Duration.ofMinutes(4));
    assertHeld();
    bench.pass(Duration.ofMinutes(15));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1); // made by node-2
  }

  @Test
  void theNodeThatIsSelectedNowWaits() {
    begin(bench.driver());
    var begun =
        claim()
            .annotated(Annotations.SELECTED_NODE, "node-2")
            .annotated(
                Annotations.PROVISIONING_INTENT,
                meta().annotation(Annotations.PROVISIONING_INTENT).orElseThrow());
    var world = World.of(waitingClass(), begun);

    var step = decide(world, "node-2");
    assertThat(step).isInstanceOf(Act.class);
    assertThat(((Act) step).then().toString()).contains("on node node-1 has finished");
    assertThat(decide(world, "node-3")).isEqualTo(new Settled());
  }

  private static Step decide(World world, String node) {
    var now = claim().as(Kinds.CLAIM).meta().created().plusSeconds(60);
    return new ProvisionDecision(onNode(node, "there"), ProvisionerOptions.DEFAULT)
        .decide(new View(world.snapshot(), now), ObjectKey.of("shop", "data"));
  }
}
