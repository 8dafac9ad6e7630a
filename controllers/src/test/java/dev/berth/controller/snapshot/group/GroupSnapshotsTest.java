package dev.berth.controller.snapshot.group;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.snapshot.Snapshots;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.GroupSnapshot;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The snapshot controller's groups on a real server, with the definitions that we ship; the test
/// is the sidecar.
final class GroupSnapshotsTest {
  private static final Path SHIPPED = Path.of("../cli/src/main/resources/dev/berth/cli/shipped");
  private static final ObjectKey KEY = ObjectKey.of("shop", "all");
  private static final ObjectKey CLAIM = ObjectKey.of("shop", "data");

  private final Cluster cluster;

  GroupSnapshotsTest() throws Exception {
    cluster =
        Cluster.of(means ->
            List.of(
                Snapshots.snapshots(Snapshots.Options.DEFAULT).controller(means),
                Snapshots.contents().controller(means),
                Snapshots.claims(Snapshots.Options.DEFAULT).controller(means),
                GroupSnapshots.groups().controller(means),
                GroupSnapshots.contents().controller(means)));
  }

  @BeforeEach
  void install() throws IOException {
    for (var kind : SnapshotKinds.ALL) define(kind);
    cluster.create(Groups.CLASS);
    cluster.create(Draft.claim("data").label("app", "db").set("spec.volumeName", "pv-1"));
    var uid = cluster.find(Kinds.CLAIM, CLAIM).orElseThrow().meta().uid();
    cluster.create(Draft.volume("pv-1").claimedBy("data").set("spec.claimRef.uid", uid));
    cluster.patchStatus(Kinds.CLAIM, CLAIM, body -> body.putObject("status").put("phase", "Bound"));
  }

  private void define(Kind<?> kind) throws IOException {
    var resource = kind.resource();
    var file = SHIPPED.resolve(resource.plural() + "." + resource.group() + ".yaml").toFile();
    cluster.api().create(Resources.DEFINITIONS, new YAMLMapper().readValue(file, ObjectNode.class));
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  /// SNAP-71 to SNAP-75 and SNAP-52: from asking to the end. Each volume has a snapshot of its own,
  /// ready without a class, and all go with the group.
  @Test
  void groupLivesAndGoes() {
    cluster.create(Groups.GROUP);
    var bound =
        cluster.until(SnapshotKinds.GROUP_SNAPSHOT, KEY, it -> it.boundContent().isPresent());
    var content = ObjectKey.cluster(bound.boundContent().orElseThrow());
    cluster.until(
        SnapshotKinds.GROUP_CONTENT,
        content,
        it -> it.meta().hasFinalizer(SnapshotFinalizers.GROUP_CONTENT_BOUND));

    assertThat(isHeld(cluster.find(Kinds.CLAIM, CLAIM).orElseThrow())).isTrue(); // SNAP-76

    cluster.patchStatus(SnapshotKinds.GROUP_CONTENT, content, GroupSnapshotsTest::taken);

    cluster.until(SnapshotKinds.GROUP_SNAPSHOT, KEY, GroupSnapshot::isReady);
    cluster.until(Kinds.CLAIM, CLAIM, claim -> !isHeld(claim));
    var member = cluster.list(SnapshotKinds.SNAPSHOT).getFirst().meta().key();
    var ready = cluster.until(SnapshotKinds.SNAPSHOT, member, VolumeSnapshot::isReady);
    assertThat(ready.claimName()).contains("data");
    assertThat(ready.shown().groupSnapshotName()).isEqualTo("all");
    assertThat(ready.shown().restoreSize().orElseThrow()).hasToString("1Gi");
    cluster.untilTold("GroupSnapshotReady: GroupSnapshot shop/all is ready to use.");

    cluster.delete(SnapshotKinds.GROUP_SNAPSHOT, KEY);
    cluster.until(SnapshotKinds.GROUP_CONTENT, content, it -> it.meta().deleting());
    cluster.until(SnapshotKinds.SNAPSHOT, member, it -> it.meta().deleting());
    var gone = cluster.find(SnapshotKinds.GROUP_CONTENT, content).orElseThrow();
    assertThat(gone.meta().hasAnnotation(SnapshotAnnotations.GROUP_BEING_DELETED)).isTrue();
    release(SnapshotKinds.GROUP_CONTENT, content);

    cluster.untilGone(SnapshotKinds.GROUP_SNAPSHOT, KEY);
    var own = ObjectKey.cluster(ready.boundContent().orElseThrow());
    cluster.until(SnapshotKinds.CONTENT, own, GroupSnapshotsTest::mayGo);
    release(SnapshotKinds.CONTENT, own);
    cluster.untilGone(SnapshotKinds.SNAPSHOT, member);
  }

  private static boolean isHeld(Claim claim) {
    return claim.meta().hasFinalizer(SnapshotFinalizers.CLAIM_AS_SOURCE);
  }

  private static void taken(ObjectNode body) {
    body.putObject("status")
        .put("volumeGroupSnapshotHandle", "g-1")
        .put("readyToUse", true)
        .put("creationTime", "2026-11-21T12:00:00Z")
        .putArray("volumeSnapshotInfoList")
        .addObject()
        .put("volumeHandle", "h-pv-1")
        .put("snapshotHandle", "s-1")
        .put("readyToUse", true)
        .put("creationTime", 1_000_000_000L)
        .put("restoreSize", 1 << 30);
  }

  private static boolean mayGo(SnapshotContent content) {
    return content.meta().deleting()
        && content.meta().hasAnnotation(SnapshotAnnotations.BEING_DELETED);
  }

  private void release(Kind<?> kind, ObjectKey key) {
    cluster.patch(kind, key, body -> body.putObject("metadata").putArray("finalizers"));
  }
}
