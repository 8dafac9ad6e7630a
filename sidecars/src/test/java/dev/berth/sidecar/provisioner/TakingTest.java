package dev.berth.sidecar.provisioner;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_CAPACITY;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.onNode;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static dev.berth.sidecar.testing.Objects.waitingClass;
import static dev.berth.sidecar.testing.Rule.effect;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.Patch;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.ProvisionEffect.Take;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.WatchedApi;
import dev.berth.sidecar.testing.World;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Claims that wait for no pod, where each node has a provisioner of its own.
class TakingTest {
  private static Step later(World world, ProvisionerOptions options) {
    var later = claim().as(Kinds.CLAIM).meta().created().plusSeconds(20);
    return new ProvisionDecision(onNode("node-1", "here"), options)
        .decide(new View(world.snapshot(), later), ObjectKey.of("shop", "data"));
  }

  @Test
  void aClaimThatWaitsForNoPodIsTakenAfterAWhile() { // PROV-152
    var world = World.of(storageClass(), claim());
    var created = claim().as(Kinds.CLAIM).meta().created();
    var first =
        new ProvisionDecision(onNode("node-1", "here"), ProvisionerOptions.DEFAULT)
            .decide(new View(world.snapshot(), created), ObjectKey.of("shop", "data"));

    assertThat(first).isInstanceOf(Settled.class);
    assertThat(((Settled) first).again().orElseThrow()).isBetween(created, created.plusSeconds(20));
    assertThat(effect(later(world, ProvisionerOptions.DEFAULT), Take.class))
        .get()
        .satisfies(take -> {
          assertThat(take.node()).isEqualTo("node-1");
          assertThat(take.room().orElseThrow().getAccessibleTopology().getSegmentsMap())
              .isEqualTo(Map.of("zone", "here")); // PROV-153
        });
  }

  @Test
  void aHinderedClaimIsTakenTooSoThatSomebodySaysSo() { // PROV-153
    var hindered = claim().with(Map.of("matchLabels", Map.of("a", "b")), "spec", "selector");

    assertThat(
            effect(
                later(World.of(storageClass(), hindered), ProvisionerOptions.DEFAULT), Take.class))
        .get()
        .satisfies(take -> assertThat(take.room()).isEmpty());
  }

  @Test
  void noOtherClaimIsTaken() { // PROV-151, PROV-152
    var elsewhere =
        storageClass()
            .with(
                List.of(
                    Map.of(
                        "matchLabelExpressions",
                        List.of(Map.of("key", "zone", "values", List.of("elsewhere"))))),
                "allowedTopologies");
    var options = ProvisionerOptions.DEFAULT;

    assertThat(later(World.of(waitingClass(), claim()), options)).isEqualTo(new Settled());
    assertThat(later(World.of(elsewhere, claim()), options)).isEqualTo(new Settled());
    assertThat(later(World.of(storageClass(), claim()), options.takingNone()))
        .isEqualTo(new Settled());
  }

  @Test
  void aNodeTakesAClaimIfItHasRoom() { // PROV-152, PROV-153
    var onNode = onNode("node-1", "here");
    var asked =
        new DriverFacts(
            DRIVER,
            "",
            onNode.plugin(),
            Set.of(),
            Set.of(CREATE_DELETE_VOLUME, GET_CAPACITY),
            Set.of(),
            Set.of(),
            onNode.own());
    try (var bench = new Bench()) {
      bench.create(storageClass(), claim());
      bench.run((api, events) ->
          Provisioner.of(asked, ProvisionerOptions.DEFAULT).controller(bench.means(api, events)));
      bench.pass(Duration.ofSeconds(20));

      assertThat(annotations(bench)).doesNotContainKey(Annotations.SELECTED_NODE);
      assertThat(bench.driver().volumes()).isEmpty();

      bench.driver().hasRoom(Map.of("{zone=here}", 1L << 40));
      bench.pass(Duration.ofMinutes(1));

      assertThat(annotations(bench)).containsEntry(Annotations.SELECTED_NODE, "node-1");
      assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    }
  }

  private static Bench.Maker onNode1(Bench bench) {
    return (api, events) ->
        Provisioner.of(onNode("node-1", "here"), ProvisionerOptions.DEFAULT)
            .controller(bench.means(api, events));
  }

  @Test
  void whoeverTakesAClaimFirstHasIt() { // PROV-152
    try (var bench = new Bench()) {
      bench.create(storageClass(), claim());
      bench.run(
          onNode1(bench),
          new WatchedApi(
              bench.api(),
              new WatchedApi.Guard() {
                private boolean taken;

                @Override
                public void before(String request) {
                  if (taken || !request.equals("patch persistentvolumeclaims shop/data")) return;
                  taken = true;
                  bench
                      .api()
                      .patch(
                          Resources.CLAIMS,
                          ObjectKey.of("shop", "data"),
                          Patch.merge(
                              Tree.of(
                                      "{\"metadata\": {\"annotations\": {\"%s\": \"node-2\"}}}"
                                          .formatted(Annotations.SELECTED_NODE))
                                  .json()));
                }

                @Override
                public void after(String request) {}
              }));
      bench.pass(Duration.ofMinutes(1));

      assertThat(annotations(bench)).containsEntry(Annotations.SELECTED_NODE, "node-2");
      assertThat(bench.driver().calls()).isEmpty();
    }
  }

  @Test
  void whoeverHadNoRoomLetsOthersTakeItFirst() { // PROV-123, PROV-152
    try (var bench = new Bench()) {
      bench.driver().refuses(Code.RESOURCE_EXHAUSTED, "full");
      bench.create(storageClass(), claim());
      bench.run(onNode1(bench));
      bench.pass(Duration.ofSeconds(20));

      assertThat(bench.driver().calls()).hasSize(1);
      assertThat(annotations(bench)).doesNotContainKey(Annotations.SELECTED_NODE);

      bench.pass(Duration.ofMinutes(1));
      assertThat(annotations(bench)).containsEntry(Annotations.SELECTED_NODE, "node-1");
      assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    }
  }

  @Test
  void eachTimeForLonger() { // PROV-152
    var taking = new Taking(Duration.ofSeconds(20), Duration.ofSeconds(60));
    assertThat(List.of(taking.after(0), taking.after(1), taking.after(2), taking.after(99)))
        .containsExactly(
            Duration.ofSeconds(20),
            Duration.ofSeconds(40),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60));
    try (var bench = new Bench()) {
      for (int i = 0; i < 3; i++) bench.driver().refuses(Code.RESOURCE_EXHAUSTED, "full");
      bench.create(storageClass(), claim());
      bench.run(onNode1(bench));
      bench.pass(Duration.ofSeconds(20));
      assertThat(bench.driver().calls()).hasSize(1);

      bench.pass(Duration.ofSeconds(45)); // tried again at backoffs of 1, 2, 4, … s
      assertThat(bench.driver().calls()).hasSize(2);
      bench.pass(Duration.ofSeconds(35));
      assertThat(bench.driver().calls()).hasSize(2);
      bench.pass(Duration.ofMinutes(10));
      assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    }
  }

  private static Map<String, String> annotations(Bench bench) {
    return bench.get(Kinds.CLAIM, "data").meta().annotations();
  }
}
