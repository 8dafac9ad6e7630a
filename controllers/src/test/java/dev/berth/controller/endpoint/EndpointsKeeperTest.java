package dev.berth.controller.endpoint;

import static dev.berth.controller.endpoint.SliceKeeperTest.NODE;
import static dev.berth.controller.endpoint.SliceKeeperTest.SERVICE;
import static dev.berth.controller.endpoint.SliceKeeperTest.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What Endpoints say (API-03), as upstream's controller has it.
class EndpointsKeeperTest {
  private static final World WORLD =
      World.of(
          SERVICE,
          NODE,
          pod("a", "10.0.0.1"),
          pod("b", "10.0.0.2").set("status.conditions", "[]"),
          pod("c", "10.0.0.3").deleting());

  private static Step decide(World world) {
    return Rule.decide(new EndpointsKeeper(), world, ObjectKey.of("shop", "web"));
  }

  private static JsonNode made(World world) {
    assertThat(decide(world)).isInstanceOf(Act.class);
    return ((Make) ((Act) decide(world)).effect()).births().getFirst().object();
  }

  @Test
  void thoseThatAreReadyAreAddresses() {
    var made = made(WORLD);
    assertThat(made.at("/subsets/0/addresses")).hasSize(1);
    assertThat(made.at("/subsets/0/addresses/0/ip").asText()).isEqualTo("10.0.0.1");
    assertThat(made.at("/subsets/0/addresses/0/targetRef/uid").asText()).isEqualTo("uid-a");
    assertThat(made.at("/subsets/0/notReadyAddresses")).hasSize(1);
    assertThat(made.at("/subsets/0/notReadyAddresses/0/ip").asText()).isEqualTo("10.0.0.2");
    assertThat(made.at("/subsets/0/ports/0/port").asInt()).isEqualTo(8080);
    assertThat(made.at("/metadata/labels").toString())
        .isEqualTo(
            "{\"endpoints.kubernetes.io/managed-by\":\"endpoint-controller\",\"tier\":\"front\"}");
  }

  @Test
  void aServiceThatWantsItHasThemAll() {
    var made = made(WORLD.with(SERVICE.set("spec.publishNotReadyAddresses", "true")));
    assertThat(made.at("/subsets/0/addresses")).hasSize(3);
    assertThat(made.at("/subsets/0").has("notReadyAddresses")).isFalse();
  }

  @Test
  void whatTheySayIsNotWrittenAgainAndGoesWithTheService() {
    var made = made(WORLD);
    var there =
        Draft.of(
            "{apiVersion: v1, kind: Endpoints, metadata: %s, subsets: %s}"
                .formatted(made.path("metadata"), made.path("subsets")));
    assertThat(decide(WORLD.with(there))).isEqualTo(new Settled());
    var alone = decide(World.of(NODE, there));
    assertThat(((Act) alone).effect()).isInstanceOf(Remove.class);
    var changed = ((Act) decide(World.of(SERVICE, NODE, there))).effect();
    assertThat(((Change) changed).body().path("subsets")).isEmpty();
  }

  /// The API leaves an empty name of such a port away: to want one is to write for ever.
  @Test
  void aPortWithoutANameHasNone() {
    var unnamed = SERVICE.set("spec.ports", "[{port: 80, targetPort: 8080}]");
    var ports = made(WORLD.with(unnamed)).at("/subsets/0/ports");
    assertThat(ports.toString()).isEqualTo("[{\"protocol\":\"TCP\",\"port\":8080}]");
  }

  @Test
  void whileAFinalizerHoldsTheServiceTheyAreKept() {
    var made = made(WORLD.with(SERVICE.deleting()));
    assertThat(made.at("/subsets/0/addresses/0/ip").asText()).isEqualTo("10.0.0.1");
  }

  /// There is room for a thousand: those that are ready come first, whatever their names.
  @Test
  void thoseThatAreReadyHaveTheRoom() {
    var drafts = new ArrayList<>(List.of(SERVICE, NODE));
    for (int i = 0; i < 600; i++) {
      var ip = "10.%s." + i / 250 + "." + i % 250;
      drafts.add(pod("a%03d".formatted(i), ip.formatted(1)).set("status.conditions", "[]"));
      drafts.add(pod("b%03d".formatted(i), ip.formatted(2)));
    }
    var made = made(World.of(drafts.toArray(Draft[]::new)));
    assertThat(made.at("/subsets/0/addresses").size()).isEqualTo(600);
    assertThat(made.at("/subsets/0/notReadyAddresses").size()).isEqualTo(400);
  }

  @Test
  void othersEndpointsAreTakenOverForASelector() {
    var theirs =
        Draft.of("{apiVersion: v1, kind: Endpoints, metadata: {namespace: shop, name: web}}");
    var change = (Change) ((Act) decide(WORLD.with(theirs))).effect();
    assertThat(change.body().at("/subsets/0/addresses")).hasSize(1);
  }

  @Test
  void othersEndpointsAreLeftAlone() {
    var theirs =
        Draft.of("{apiVersion: v1, kind: Endpoints, metadata: {namespace: shop, name: web}}");
    assertThat(decide(World.of(NODE, theirs))).isEqualTo(new Settled());
    assertThat(decide(World.of(SERVICE.without("spec.selector"), NODE, theirs)))
        .isEqualTo(new Settled());
  }
}
