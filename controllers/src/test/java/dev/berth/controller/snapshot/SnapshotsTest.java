package dev.berth.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The snapshot controller on a real server, with the definitions that we ship; the test is the
/// sidecar.
final class SnapshotsTest {
  private static final Path SHIPPED = Path.of("../cli/src/main/resources/dev/berth/cli/shipped");
  private static final ObjectKey KEY = ObjectKey.of("shop", "monday");
  private static final ObjectKey CLAIM = ObjectKey.of("shop", "data");

  private static final String[] DRIVER_IN_SCHEMA =
      "spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/driver/enum".split("/");

  private final Cluster cluster;

  SnapshotsTest() throws Exception {
    cluster =
        Cluster.of(means ->
            List.of(
                Snapshots.snapshots(Snapshots.Options.DEFAULT).controller(means),
                Snapshots.contents().controller(means),
                Snapshots.claims(Snapshots.Options.DEFAULT).controller(means)));
  }

  @BeforeEach
  void install() throws IOException {
    for (var kind : List.of("volumesnapshots", "volumesnapshotcontents", "volumesnapshotclasses"))
      cluster
          .api()
          .create(
              Resources.DEFINITIONS,
              new YAMLMapper()
                  .readValue(
                      SHIPPED.resolve(kind + ".snapshot.storage.k8s.io.yaml").toFile(),
                      ObjectNode.class));
    cluster.create(Drafts.snapshotClass("fast"));
    cluster.create(Draft.claim("data").set("spec.volumeName", "pv-1"));
    var uid = cluster.find(Kinds.CLAIM, CLAIM).orElseThrow().meta().uid();
    cluster.create(Draft.volume("pv-1").claimedBy("data").set("spec.claimRef.uid", uid));
    cluster.patchStatus(Kinds.CLAIM, CLAIM, body -> body.putObject("status").put("phase", "Bound"));
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  /// SNAP-30, SNAP-42, SNAP-53, SNAP-54, SNAP-91: from asking to the end. The claim is held as long
  /// as the snapshot is being taken, and by updates alone.
  @Test
  void snapshotLivesAndGoes() {
    cluster.create(Drafts.snapshot().without("metadata.finalizers"));
    var bound = cluster.until(SnapshotKinds.SNAPSHOT, KEY, it -> it.boundContent().isPresent());
    var content = ObjectKey.cluster(bound.boundContent().orElseThrow());
    cluster.until(
        SnapshotKinds.CONTENT,
        content,
        it -> it.meta().hasFinalizer(SnapshotFinalizers.CONTENT_BOUND));
    assertThat(held()).isTrue();

    cluster.patchStatus(
        SnapshotKinds.CONTENT,
        content,
        body ->
            body.putObject("status")
                .put("snapshotHandle", "s-1")
                .put("readyToUse", true)
                .put("creationTime", 1_000_000_000L)
                .put("restoreSize", 1 << 30));

    var ready = cluster.until(SnapshotKinds.SNAPSHOT, KEY, VolumeSnapshot::isReady);
    assertThat(ready.shown().restoreSize().orElseThrow()).hasToString("1Gi");
    cluster.until(
        Kinds.CLAIM,
        CLAIM,
        claim -> !claim.meta().hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE));
    cluster.untilTold(
        "CreatingSnapshot: Waiting for a snapshot shop/monday to be created by the CSI driver.");
    cluster.untilTold("SnapshotReady: Snapshot shop/monday is ready to use.");

    cluster.delete(SnapshotKinds.SNAPSHOT, KEY);
    cluster.until(SnapshotKinds.CONTENT, content, it -> it.meta().deleting());
    assertThat(cluster.find(SnapshotKinds.SNAPSHOT, KEY)).isPresent();
    cluster.patch(
        SnapshotKinds.CONTENT, content, body -> body.putObject("metadata").putArray("finalizers"));
    cluster.untilGone(SnapshotKinds.SNAPSHOT, KEY);
  }

  /// SNAP-21: whoever took the last snapshot away while the controller was not there left the claim
  /// held.
  @Test
  void claimThatIsHeldForNothingIsLetGoOf() {
    cluster.patch(
        Kinds.CLAIM,
        CLAIM,
        body ->
            body.putObject("metadata")
                .putArray("finalizers")
                .add("example.com/mine")
                .add(SnapshotFinalizers.CLAIM_AS_SOURCE));
    var free =
        cluster.until(
            Kinds.CLAIM,
            CLAIM,
            claim -> !claim.meta().hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE));
    assertThat(free.meta().finalizers()).containsExactly("example.com/mine");
  }

  /// SNAP-33: an attempt that fails as the one before it is an event of its own, but the snapshot's
  /// error is written and told once.
  @Test
  void refusedContentIsToldOnce() {
    cluster
        .api()
        .patch(
            Resources.DEFINITIONS,
            ObjectKey.cluster("volumesnapshotcontents.snapshot.storage.k8s.io"),
            new JsonPatch()
                .add(
                    JsonNodeFactory.instance.arrayNode().add("other.example.com"), DRIVER_IN_SCHEMA)
                .patch());
    cluster.create(Drafts.snapshot().without("metadata.finalizers"));

    cluster.until(SnapshotKinds.SNAPSHOT, KEY, it -> it.shown().error().isPresent());
    await().until(() -> told("CreateSnapshotContentFailed: ") > 2);
    assertThat(told("SnapshotContentCreationFailed: ")).isEqualTo(1);
  }

  private long told(String reason) {
    return cluster.told().stream().filter(it -> it.startsWith(reason)).count();
  }

  private boolean held() {
    return cluster
        .find(Kinds.CLAIM, CLAIM)
        .orElseThrow()
        .meta()
        .hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE);
  }
}
