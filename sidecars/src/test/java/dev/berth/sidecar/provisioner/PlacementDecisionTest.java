package dev.berth.sidecar.provisioner;

import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.WITH_TOPOLOGY;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.node;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static dev.berth.sidecar.testing.Rule.complains;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.loop.Pace;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.sidecar.provisioner.topology.NameSpread;
import dev.berth.sidecar.provisioner.topology.Placement;
import dev.berth.sidecar.provisioner.topology.Segment;
import dev.berth.sidecar.provisioner.topology.Segments;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The table of PROV-83 and what surrounds it: three nodes in zones a, b and b.
class PlacementDecisionTest {
  private static final World NODES =
      World.of(
          node("n1", Map.of("zone", "a")),
          node("n2", Map.of("zone", "b")),
          node("n3", Map.of("zone", "b")),
          csiNode("n1", "zone"),
          csiNode("n2", "zone"),
          csiNode("n3", "zone"));
  private static final Segment A = Segment.of(Map.of("zone", "a"));
  private static final Segment B = Segment.of(Map.of("zone", "b"));
  private static final Segment C = Segment.of(Map.of("zone", "c"));
  private static final Tree ON_N2 = claim().annotated(Annotations.SELECTED_NODE, "n2");

  private static ProvisionerOptions options(boolean strict, boolean immediate) {
    return new ProvisionerOptions(
        "pvc",
        -1,
        strict,
        immediate,
        "",
        false,
        false,
        Duration.ofSeconds(10),
        Pace.SIDECAR,
        Optional.empty(),
        ProvisionerOptions.USUAL,
        ProvisionerOptions.DEFAULT.metrics());
  }

  private static Tree allowing(String... zones) {
    return storageClass()
        .with(
            List.of(
                Map.of("matchLabelExpressions", List.of(Map.of("key", "zone", "values", zones)))),
            "allowedTopologies");
  }

  private static Placement place(ProvisionerOptions options, World world, Tree claim, Tree clazz) {
    return new PlacementDecision(WITH_TOPOLOGY, options)
        .place(
            new View(world.snapshot(), Instant.EPOCH),
            claim.as(Kinds.CLAIM),
            clazz.as(Kinds.STORAGE_CLASS));
  }

  private static Placement place(Tree claim, Tree clazz) {
    return place(ProvisionerOptions.DEFAULT, NODES, claim, clazz);
  }

  private static Placement within(int first, Segment... segments) {
    return new Placement.Within(new Segments(List.of(segments), first));
  }

  private static void complaint(Placement placement, String on, String field, String text) {
    assertThat(placement).isInstanceOf(Placement.NotYet.class);
    complains(on, field, text).accept(((Placement.NotYet) placement).until());
  }

  @Test
  void aDriverWithoutTopologyIsToldNothing() { // PROV-80
    var placement =
        new PlacementDecision(PLAIN, ProvisionerOptions.DEFAULT)
            .place(
                new View(NODES.snapshot(), Instant.EPOCH),
                ON_N2.as(Kinds.CLAIM),
                storageClass().as(Kinds.STORAGE_CLASS));

    assertThat(placement).isEqualTo(new Placement.Anywhere());
  }

  @Test
  void aSelectedNodeIsPreferred() {
    assertThat(place(ON_N2, storageClass())).isEqualTo(within(1, A, B));
  }

  @Test
  void orTheOnlyOneIfStrict() {
    assertThat(place(options(true, true), NODES, ON_N2, storageClass())).isEqualTo(within(0, B));
    assertThat(place(options(true, true), NODES, ON_N2, allowing("b", "c")))
        .isEqualTo(within(0, B));
  }

  @Test
  void allowedTopologiesStandForTheNodesOwn() {
    assertThat(place(ON_N2, allowing("c", "b"))).isEqualTo(within(0, B, C));
    assertThat(place(claim(), allowing("c", "b"))).isInstanceOf(Placement.Within.class);
  }

  @Test
  void aNodeThatIsNotAllowedIsToldOf() {
    complaint(
        place(ON_N2, allowing("c")),
        "storageclass/fast",
        "allowedTopologies",
        "topology [{zone b}] from selected node \"n2\" is not in requisite: [[{zone c}]]");
    complaint(
        place(options(true, true), NODES, ON_N2, allowing("c")),
        "storageclass/fast",
        "allowedTopologies",
        "selected node '\"n2\"' topology '[{zone b}]' is not in allowed topologies: [[{zone c}]]");
  }

  @Test
  void withoutANodeTheNameDecidesWhereToStart() {
    var replica = claim().with("data-web-1", "metadata", "name");
    int start = NameSpread.start("data-web-1", 2);

    assertThat(place(replica, storageClass())).isEqualTo(within(start, A, B));
    assertThat(place(options(false, false), NODES, replica, storageClass()))
        .isEqualTo(new Placement.Anywhere());
  }

  @Test
  void emptyAllowedTopologiesSayNothing() { // PROV-85
    var empty = storageClass().with(List.of(Map.of()), "allowedTopologies");

    assertThat(place(ON_N2, empty)).isEqualTo(new Placement.Anywhere());
    assertThat(place(claim(), empty)).isEqualTo(new Placement.Anywhere());
  }

  @Test
  void expressionsOfATermAreMultipliedOut() { // PROV-85
    var both =
        storageClass()
            .with(
                List.of(
                    Map.of(
                        "matchLabelExpressions",
                        List.of(
                            Map.of("key", "zone", "values", List.of("b", "c")),
                            Map.of("key", "rack", "values", List.of("1"))))),
                "allowedTopologies");

    assertThat(place(claim(), both))
        .isInstanceOfSatisfying(
            Placement.Within.class,
            it ->
                assertThat(it.segments().requisite())
                    .containsExactly(
                        Segment.of(Map.of("rack", "1", "zone", "b")),
                        Segment.of(Map.of("rack", "1", "zone", "c"))));
  }

  @Test
  void anUnregisteredDriverIsWaitedFor() { // PROV-82, PROV-86
    complaint(
        place(ProvisionerOptions.DEFAULT, NODES.with(csiNode("n2")), ON_N2, storageClass()),
        "csinode/n2",
        "spec.drivers",
        "no topology key");
    complaint(
        place(ProvisionerOptions.DEFAULT, World.of(), claim(), storageClass()),
        "persistentvolumeclaim/data",
        "",
        "error generating accessibility requirements: no available topology found");
  }

  @Test
  void missingLabelsAreWaitedFor() { // PROV-82
    complaint(
        place(ProvisionerOptions.DEFAULT, NODES.with(node("n2", Map.of())), ON_N2, storageClass()),
        "node/n2",
        "metadata.labels",
        "topology labels from selected node map[] does not match topology keys from CSINode"
            + " [zone]");
  }
}
