package dev.berth.volume;

import static dev.berth.volume.World.BOUND;
import static dev.berth.volume.World.CLAIM;
import static dev.berth.volume.World.POD;
import static dev.berth.volume.World.VOLUME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.PodClaim.Origin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Where the ways from a pod's volumes end.
class WaysTest {
  private static final PodClaim USED = new PodClaim(ObjectKey.of("ns", "data"), Origin.REFERENCED);
  private static final PodClaim MADE =
      new PodClaim(ObjectKey.of("ns", "web-scratch"), Origin.MADE_FOR_POD);
  private static final CsiSource SOURCE = VOLUME.csi().orElseThrow();

  private static final Claim BY_NAME_ONLY_OTHER =
      World.read(
          Kinds.CLAIM,
          """
          metadata: {namespace: ns, name: data, uid: claim-9}
          spec: {volumeName: pv-1}
          """);
  private static final Claim UNBOUND =
      World.read(Kinds.CLAIM, "metadata: {namespace: ns, name: data, uid: claim-1}");
  private static final Volume WITHOUT_CLAIM = World.volume("null");
  private static final Volume RESERVED = World.volume("{namespace: ns, name: data}");
  private static final Volume ANOTHERS = World.volume("{namespace: ns, name: other, uid: claim-1}");
  private static final Volume IN_TREE =
      World.read(
          Kinds.VOLUME,
          """
          metadata: {name: pv-1, uid: pv-1}
          spec:
            claimRef: {namespace: ns, name: data, uid: claim-1}
            awsElasticBlockStore: {volumeID: vol-1}
          """);

  /// @param volume name of the pod's volume
  private record Row(String sentence, World world, String volume, Way way) {
    @Override
    public String toString() {
      return sentence;
    }
  }

  static final List<Row> rows =
      List.of(
          new Row(
              "claim and volume name each other: the source is found",
              BOUND,
              "d",
              new Way.Arrived(USED, CLAIM, VOLUME, SOURCE)),
          new Row(
              "the claim does not exist",
              BOUND.without(Kinds.CLAIM, CLAIM),
              "d",
              new Way.NoClaim(USED, Kinds.CLAIM.ref(USED.key()))),
          new Row(
              "the claim names no volume",
              BOUND.with(Kinds.CLAIM, UNBOUND),
              "d",
              new Way.Unbound(USED, UNBOUND)),
          new Row(
              "the volume does not exist",
              BOUND.without(Kinds.VOLUME, VOLUME),
              "d",
              new Way.NoVolume(USED, CLAIM, Kinds.VOLUME.ref(ObjectKey.cluster("pv-1")))),
          new Row(
              "the volume names no claim",
              BOUND.with(Kinds.VOLUME, WITHOUT_CLAIM),
              "d",
              new Way.Misbound(USED, CLAIM, WITHOUT_CLAIM)),
          new Row(
              "the volume names the claim without its uid: it is reserved, not bound",
              BOUND.with(Kinds.VOLUME, RESERVED),
              "d",
              new Way.Misbound(USED, CLAIM, RESERVED)),
          new Row(
              "the volume names a claim of another name, whatever the uid",
              BOUND.with(Kinds.VOLUME, ANOTHERS),
              "d",
              new Way.Misbound(USED, CLAIM, ANOTHERS)),
          new Row(
              "the volume names a claim that had this one's name",
              BOUND.with(Kinds.CLAIM, BY_NAME_ONLY_OTHER),
              "d",
              new Way.Misbound(USED, BY_NAME_ONLY_OTHER, VOLUME)),
          new Row(
              "no CSI driver serves the volume",
              BOUND.with(Kinds.VOLUME, IN_TREE),
              "d",
              new Way.Unserved(USED, CLAIM, IN_TREE)),
          new Row(
              "EPH-01: a claim made for the pod has the pod's and the volume's name",
              BOUND,
              "scratch",
              new Way.Unbound(MADE, World.OWNED)),
          new Row(
              "EPH-04: a claim of that name that was made for another pod is not the pod's",
              BOUND.with(Kinds.CLAIM, World.owned("pod-9")),
              "scratch",
              new Way.Foreign(MADE, World.owned("pod-9"))),
          new Row("an emptyDir needs no driver", BOUND, "tmp", new Way.Local(POD.volumes().get(3))),
          new Row(
              "an inline volume has a source in the pod, and its Secret in the pod's namespace",
              BOUND,
              "token",
              new Way.Inline(
                  POD.volumes().get(4),
                  new CsiSource(
                      "secrets.example",
                      "csi-5d9498ed266c20ad79278fb381f3c47a04b6abd1ee8b7c26cc21f58acc4eb47e",
                      true,
                      "xfs",
                      Map.of("class", "a"),
                      Optional.empty(),
                      Optional.empty(),
                      Optional.of(new SecretRef("ns", "key")),
                      Optional.empty(),
                      Optional.empty()))));

  @ParameterizedTest
  @FieldSource("rows")
  void endWhereTheyStop(Row row) {
    var volume = POD.volumes().stream().filter(it -> it.name().equals(row.volume())).findFirst();
    var way = new Ways(row.world().objects(), Translation.NONE).of(POD, volume.orElseThrow());
    assertThat(way).isEqualTo(row.way());
  }

  @Test
  void aClaimThatAPodNamesTwiceIsOneWay() {
    var ways = new Ways(BOUND.objects(), Translation.NONE).ofClaims(POD).toList();
    assertThat(ways).extracting(Way.OfClaim::used).containsExactly(USED, MADE);
  }

  @Test
  void aTranslatedVolumeArrivesAtItsDriver() { // MIG-02
    Translation toDisk = volume -> volume.equals(IN_TREE) ? VOLUME : volume;
    var world = BOUND.with(Kinds.VOLUME, IN_TREE);
    var way = new Ways(world.objects(), toDisk).of(POD, USED);
    assertThat(way).isEqualTo(new Way.Arrived(USED, CLAIM, VOLUME, SOURCE));
    assertThat(((Way.Arrived) way).name()).isEqualTo(new VolumeName("disk.berth.dev", "vol-1"));
  }
}
