package dev.berth.controller;

import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.fact.Counted;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VolumeMatchTest {
  private static final Draft CLAIM = claim("data");

  @Test
  void theSmallestThatFitsServes() {
    assertThat(best(CLAIM, sized("a", "4Gi"), sized("b", "1500Mi"), sized("c", "512Mi")))
        .contains("b");
  }

  @Test
  void whatIsExactlyAsLargeServes() {
    assertThat(best(CLAIM, sized("a", "1Gi"))).contains("a");
  }

  @Test
  void fewerAccessModesComeBeforeLessSize() { // MATCH-01
    var manyModes = sized("a", "1Gi").set("spec.accessModes", "[ReadWriteOnce, ReadWriteMany]");
    assertThat(best(CLAIM, manyModes, sized("b", "100Gi"))).contains("b");
    assertThat(best(CLAIM, manyModes)).contains("a");
  }

  @Test
  void whatDoesNotFitDoesNotServe() { // MATCH-02, MATCH-06, VAC-01
    assertThat(best(CLAIM, volume("a").set("spec.storageClassName", "slow"))).isEmpty();
    assertThat(best(CLAIM, volume("a").set("spec.volumeMode", "Block"))).isEmpty();
    assertThat(best(CLAIM, volume("a").set("spec.accessModes", "[ReadOnlyMany]"))).isEmpty();
    assertThat(best(CLAIM, volume("a").set("spec.volumeAttributesClassName", "gold"))).isEmpty();
    assertThat(best(CLAIM, volume("a").set("status.phase", "Released"))).isEmpty();
    assertThat(best(CLAIM, volume("a").claimedBy("other"))).isEmpty();
    assertThat(best(CLAIM, volume("a").deleting())).isEmpty();
  }

  @Test
  void theOlderAnnotationNamesTheClassWhereverItIs() { // VOC-01
    var annotated = CLAIM.annotate("volume.beta.kubernetes.io/storage-class", "slow");
    assertThat(best(annotated, volume("a"))).isEmpty();
    var slow = volume("b").annotate("volume.beta.kubernetes.io/storage-class", "slow");
    assertThat(best(annotated, volume("a"), slow)).contains("b");
    assertThat(best(CLAIM, slow)).as("fast in its spec").isEmpty();
  }

  @Test
  void aVolumeWithoutAModeHasAFileSystem() { // VOC-02
    assertThat(best(CLAIM, volume("a").without("spec.volumeMode"))).contains("a");
    assertThat(best(CLAIM.without("spec.volumeMode"), volume("a"))).contains("a");
  }

  @Test
  void aSelectorAsksForLabels() {
    var picky = CLAIM.set("spec.selector", "{matchLabels: {tier: gold}}");
    assertThat(best(picky, volume("a"), volume("b").label("tier", "gold"))).contains("b");
  }

  @Test
  void claimsThatLookAtOnceSpreadOverEqualVolumes() {
    var volumes = IntStream.range(0, 50).mapToObj(i -> volume("pv-" + i)).toArray(Draft[]::new);
    var chosen = new HashSet<>(Set.<String>of());
    for (int i = 0; i < 50; i++) {
      var best = best(claim("c-" + i), volumes);
      assertThat(best).isEqualTo(best(claim("c-" + i), volumes));
      best.ifPresent(chosen::add);
    }
    assertThat(chosen).hasSizeGreaterThan(25);
  }

  @Test
  void aReservedVolumeServesWhateverItsClass() { // MATCH-03
    var reserved = volume("a").claimedBy("data").set("spec.storageClassName", "slow");
    assertThat(reserved(reserved)).contains("a");
    assertThat(reserved(reserved.set("spec.capacity.storage", "1Mi"))).isEmpty(); // MATCH-04
    assertThat(reserved(volume("a").claimedBy("other"))).isEmpty();
  }

  @Test
  void aVolumeReservedByUidComesBeforeOneReservedByName() {
    var byName = volume("a").claimedBy("data").without("spec.claimRef.uid");
    assertThat(reserved(byName, volume("b").claimedBy("data"))).contains("b");
  }

  /// Each label is a place where a volume may be, and volumes come in hundreds of shapes.
  @Test
  void aNodesLabelsCostOneQuestionEach() {
    var near =
        volume("near")
            .set(
                "spec.nodeAffinity",
                "{required: {nodeSelectorTerms: [{matchExpressions:"
                    + " [{key: zone, operator: In, values: [here]}]}]}}");
    var node = node("node-1").label("zone", "here");
    var labelled = node;
    for (int i = 0; i < 40; i++) labelled = labelled.label("label-" + i, "some");
    assertThat(reads(labelled, near)).isEqualTo(reads(node, near) + 40);
  }

  private static int reads(Draft node, Draft volume) {
    var objects = new Counted(Facts.of(World.of(volume).snapshot()));
    var found =
        VolumeMatch.smallestFree(objects, CLAIM.as(Kinds.CLAIM), node.as(Kinds.NODE), _ -> true);
    assertThat(found).map(VolumeMatchTest::name).contains("near");
    return objects.reads();
  }

  private static Draft sized(String name, String size) {
    return volume(name).set("spec.capacity.storage", size);
  }

  private static Optional<String> best(Draft claim, Draft... volumes) {
    return VolumeMatch.smallestFree(World.of(volumes).snapshot(), claim.as(Kinds.CLAIM))
        .map(VolumeMatchTest::name);
  }

  private static Optional<String> reserved(Draft... volumes) {
    return VolumeMatch.reserved(World.of(volumes).snapshot(), CLAIM.as(Kinds.CLAIM))
        .map(VolumeMatchTest::name);
  }

  private static String name(Volume volume) {
    return volume.meta().name();
  }
}
