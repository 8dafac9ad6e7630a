package dev.berth.sidecar;

import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.WITH_TOPOLOGY;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.node;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Counted;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Ref;
import dev.berth.sidecar.connection.Supposition;
import dev.berth.sidecar.provisioner.Provisioner;
import dev.berth.sidecar.testing.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Where the nodes are in a few zones, a claim's volume is placed by these: however many nodes.
class LookCostTest {
  private static final String ZONE = "topology.disk.example/zone";
  private static final String RACK = "topology.disk.example/rack";

  /// In three zones, of two racks each; the driver has registered on each node.
  private static Snapshots cluster(int nodes, Tree claim) {
    var names = IntStream.range(0, nodes).boxed().toList();
    return Snapshots.empty()
        .read(Kinds.VOLUME, List.of())
        .read(Kinds.CSI_DRIVER, List.of())
        .read(Kinds.STORAGE_CLASS, List.of(storageClass().json()))
        .read(Kinds.CLAIM, List.of(claim.json()))
        .read(Kinds.NODE, names.stream().map(number -> labelled(number).json()).toList())
        .read(
            Kinds.CSI_NODE,
            names.stream().map(number -> csiNode("n" + number, ZONE, RACK).json()).toList());
  }

  private static Tree labelled(int number) {
    return node("n" + number, Map.of(ZONE, "zone-" + number % 3, RACK, "rack-" + number % 2));
  }

  private static int reads(int nodes, Tree claim) {
    var decider = Provisioner.of(WITH_TOPOLOGY, SidecarOptions.DEFAULT.provisioner()).decider();
    var objects = cluster(nodes, claim);
    return reads(decider, objects, claim.as(Kinds.CLAIM).ref());
  }

  private static <K, V> int reads(Decider<K, V, ?> decider, Snapshots objects, Ref about) {
    var counted = new Counted(Facts.of(objects));
    decider
        .about(about, objects)
        .forEach(key -> decider.decide(decider.view(counted, Instant.EPOCH), key));
    return counted.reads();
  }

  @Test
  void aClaimThatIsPlacedReadsTheSegments() {
    var near = claim().annotated(Annotations.SELECTED_NODE, "n1");
    for (var claim : List.of(claim(), near)) {
      int few = reads(30, claim);
      assertThat(reads(3_000, claim)).isEqualTo(few);
      assertThat(few).as("the six segments were read").isBetween(7, 20);
    }
  }

  @Test
  void whatIsSupposedOfADriverReadsOneNode() {
    var counted = new Counted(Facts.of(cluster(1_000, claim())));
    assertThat(Supposition.of(DRIVER, counted).hasTopology()).isTrue();
    assertThat(counted.reads()).isLessThan(5);
  }
}
