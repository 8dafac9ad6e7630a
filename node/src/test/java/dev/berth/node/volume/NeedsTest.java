package dev.berth.node.volume;

import static dev.berth.node.volume.World.WANTED;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.node.volume.need.Need;
import dev.berth.node.volume.need.Needs;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a pod's author reads of a volume that cannot be mounted, in a kubelet's words (NVM-03).
class NeedsTest {
  private static final String OWN_CLAIM =
      World.POD.replace(
          "persistentVolumeClaim: {claimName: data}", "ephemeral: {volumeClaimTemplate: {}}");

  record Rule(String id, String says, World given, String pod, String told) {
    @Override
    public String toString() {
      return id + ": " + says;
    }
  }

  static final List<Rule> rules =
      List.of(
          new Rule(
              "NVM-03",
              "there is no claim",
              WANTED.without(Kinds.CLAIM, World.CLAIM),
              World.POD,
              "error processing PVC ns/data: failed to fetch PVC from API server: not found"),
          new Rule(
              "EPH-04",
              "the claim was made for another pod",
              WANTED.with(Kinds.CLAIM, World.CLAIM.replace("name: data", "name: web-data")),
              OWN_CLAIM,
              "error processing PVC ns/web-data: PVC was not created for pod ns/web"),
          new Rule(
              "PROT-05",
              "the claim is being deleted and nothing keeps it",
              WANTED.with(Kinds.CLAIM, deleted("")),
              World.POD,
              "error processing PVC ns/data: PVC is being deleted"),
          new Rule(
              "NVM-03",
              "the volume does not exist",
              WANTED.without(Kinds.VOLUME, World.VOLUME),
              World.POD,
              "error processing PVC ns/data: failed to fetch PV pv-1: not found"),
          new Rule(
              "NVM-03",
              "the volume is another claim's",
              WANTED.with(Kinds.VOLUME, World.VOLUME.replace("claim-1", "claim-9")),
              World.POD,
              "error processing PVC ns/data: PV pv-1 is not bound to this PVC"),
          new Rule(
              "NVM-03",
              "no CSI driver serves the volume",
              WANTED.with(Kinds.VOLUME, World.VOLUME.replace("csi:", "nfs:")),
              World.POD,
              "error processing PVC ns/data: PV pv-1 is not a CSI volume"),
          new Rule(
              "NLAY-01",
              "a volume of the pod's own has the PersistentVolume's name",
              WANTED,
              World.POD.replace(
                  "volumes: [", "volumes: [{name: pv-1, csi: {driver: own.example}}, "),
              "error processing PVC ns/data: volume pv-1 of the pod has the name of"
                  + " PersistentVolume pv-1, and both would be mounted at one place"),
          new Rule(
              "NVM-03",
              "the pod takes a device for a file system",
              WANTED.with(Kinds.VOLUME, World.VOLUME.replace("csi:", "volumeMode: Block\n  csi:")),
              World.POD,
              "error processing PVC ns/data: volume data has volumeMode Block, but is specified in"
                  + " volumeMounts"));

  @ParameterizedTest
  @FieldSource("rules")
  void tellWhereTheWayEnds(Rule rule) {
    assertThat(needs(rule.given(), rule.pod()))
        .singleElement()
        .isInstanceOfSatisfying(
            Need.Unknown.class,
            need ->
                assertThat(need.until().notice().orElseThrow().message()).isEqualTo(rule.told()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local: {path: /disks/a}", "hostPath: {path: /disks/a}"})
  void aPlaceOfTheMachineNeedsNoDriver(String source) { // NVM-03
    var volume = World.VOLUME.replaceAll("csi:.*", source);
    assertThat(needs(WANTED.with(Kinds.VOLUME, volume), World.POD))
        .singleElement()
        .isInstanceOfSatisfying(
            Need.Placed.class,
            need -> assertThat(need.place().place().orElseThrow().path()).isEqualTo("/disks/a"));
  }

  @ParameterizedTest
  @FieldSource("usable")
  void aClaimThatIsBoundAndKeptMayBeUsed(String claim) {
    assertThat(needs(WANTED.with(Kinds.CLAIM, claim), World.POD))
        .singleElement()
        .isInstanceOf(Need.Known.class);
  }

  static final List<String> usable =
      List.of(World.CLAIM, deleted("kubernetes.io/pvc-protection")); // PROT-05

  @ParameterizedTest
  @FieldSource("unbound")
  void aClaimThatIsNotBoundIsWaitedForInSilence(String claim) {
    assertThat(needs(WANTED.with(Kinds.CLAIM, claim), World.POD))
        .singleElement()
        .isInstanceOfSatisfying(
            Need.Unknown.class,
            need -> {
              assertThat(need.until().until()).isEqualTo("the claim is bound to a volume");
              assertThat(need.until().notice()).isEmpty();
            });
  }

  static final List<String> unbound =
      List.of(World.CLAIM.replace("Bound", "Pending"), World.CLAIM.replace("volumeName: pv-1", ""));

  /// NREC-06: an agent that has not looked yet unmounts nothing and blames nobody.
  @Test
  void whatHasNotBeenSeenYetIsNeitherThereNorMissing() {
    var unread = JsonNodeFactory.instance.objectNode();
    unread.putObject("metadata").put("namespace", "ns").put("name", "data");
    unread.put("spec", "not yet");
    var unseen =
        WANTED
            .without(Kinds.CLAIM, World.CLAIM)
            .objects()
            .read(new Kind<>(Kinds.CLAIM.resource(), NeedsTest::unreadable), List.of(unread));
    assertThat(unseen.unknown(Kinds.CLAIM)).hasSize(1);
    assertThat(new Needs(unseen).of(World.read(Kinds.POD, World.POD)))
        .singleElement()
        .isInstanceOfSatisfying(
            Need.Unknown.class,
            need -> {
              assertThat(need.until().until()).isEqualTo("the node agent has looked it up");
              assertThat(need.until().notice()).isEmpty();
            });
  }

  private static Claim unreadable(JsonNode object) {
    throw new IllegalArgumentException(object + " is not a claim yet");
  }

  private static List<Need> needs(World world, String pod) {
    return new Needs(world.objects()).of(World.read(Kinds.POD, pod));
  }

  private static String deleted(String finalizer) {
    return World.CLAIM.replace(
        "uid: claim-1",
        "uid: claim-1, deletionTimestamp: \"2026-11-21T11:59:58Z\", finalizers: [%s]"
            .formatted(finalizer));
  }
}
