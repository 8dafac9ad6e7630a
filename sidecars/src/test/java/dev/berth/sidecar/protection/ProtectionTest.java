package dev.berth.sidecar.protection;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CLONE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.volume;
import static dev.berth.sidecar.testing.SnapshotObjects.filledFrom;
import static dev.berth.sidecar.testing.SnapshotObjects.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.SnapshotObjects;
import dev.berth.sidecar.testing.Tree;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// When sources are let go, on the real API and the real loop.
class ProtectionTest {
  private static final DriverFacts COPIER =
      driver(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT, CLONE_VOLUME);

  private final Bench bench = SnapshotObjects.install(new Bench());

  @AfterEach
  void close() {
    bench.close();
  }

  private void run() {
    bench.run((api, events) -> CloneProtection.of(COPIER).controller(bench.means(api, events)));
    bench.run((api, events) -> SnapshotProtection.of(COPIER).controller(bench.means(api, events)));
  }

  private static Tree source() {
    return claim().named("old").finalizers(Finalizers.CLONING);
  }

  private static Tree heldSnapshot() {
    return snapshot().finalizers("example.com/held", SnapshotFinalizers.PROVISIONER_SOURCE);
  }

  private boolean claimIsHeld() {
    return bench.get(Kinds.CLAIM, "old").meta().hasFinalizer(Finalizers.CLONING);
  }

  private boolean snapshotIsHeld() {
    return bench
        .get(SnapshotKinds.SNAPSHOT, "monday")
        .meta()
        .hasFinalizer(SnapshotFinalizers.PROVISIONER_SOURCE);
  }

  @Test
  void aClaimThatNobodyDeletesKeepsItsFinalizer() { // PROV-145
    bench.create(source());
    run();

    assertThat(claimIsHeld()).isTrue();
  }

  @Test
  void aClaimThatIsDeletedIsLetGoWhenItsCopyIsMade() { // PROV-145
    bench.create(source(), filledFrom("PersistentVolumeClaim", "old"));
    run();
    bench.delete(Resources.CLAIMS, "old");
    assertThat(claimIsHeld()).isTrue();

    bench.patchStatus(Resources.CLAIMS, "data", "{\"status\": {\"phase\": \"Bound\"}}");
    assertThat(claimIsHeld()).isFalse();
  }

  @Test
  void orWhenNobodyWantsACopyAnyMore() { // PROV-145
    bench.create(source(), filledFrom("PersistentVolumeClaim", "old"));
    run();
    bench.delete(Resources.CLAIMS, "old");
    bench.delete(Resources.CLAIMS, "data");
    bench.patch(Resources.CLAIMS, "data", "{\"metadata\": {\"finalizers\": []}}");

    assertThat(claimIsHeld()).isFalse();
  }

  @Test
  void aCopyInAnotherNamespaceCounts() { // PROV-146
    bench.create(Tree.of("{\"apiVersion\": \"v1\", \"kind\": \"Namespace\"}").named("lab"));
    bench.create(
        source(),
        claim()
            .with("lab", "metadata", "namespace")
            .with("PersistentVolumeClaim", "spec", "dataSourceRef", "kind")
            .with("old", "spec", "dataSourceRef", "name")
            .with("shop", "spec", "dataSourceRef", "namespace"));
    run();
    bench.delete(Resources.CLAIMS, "old");

    assertThat(claimIsHeld()).isTrue();
  }

  @Test
  void aSnapshotIsLetGoWhenTheLastVolumeIsMadeFromIt() { // PROV-147, PROV-148
    bench.create(
        heldSnapshot(),
        filledFrom("VolumeSnapshot", "monday"),
        filledFrom("VolumeSnapshot", "monday").named("second"));
    run();
    bench.patchStatus(Resources.CLAIMS, "data", "{\"status\": {\"phase\": \"Bound\"}}");
    assertThat(snapshotIsHeld()).isTrue();

    bench.patchStatus(Resources.CLAIMS, "second", "{\"status\": {\"phase\": \"Bound\"}}");
    assertThat(snapshotIsHeld()).isFalse();
    assertThat(bench.get(SnapshotKinds.SNAPSHOT, "monday").meta().finalizers())
        .contains("example.com/held");
  }

  @Test
  void aSnapshotIsLetGoWhenTheVolumeIsSavedWhetherBoundOrNot() { // PROV-147
    bench.create(heldSnapshot(), filledFrom("VolumeSnapshot", "monday"));
    run();
    assertThat(snapshotIsHeld()).isTrue();

    var uid = bench.get(Kinds.CLAIM, "data").meta().uid();
    bench.create(volume().with(uid, "spec", "claimRef", "uid"));
    bench.time().settle();
    assertThat(snapshotIsHeld()).isFalse();
  }

  @Test
  void aSnapshotThatNobodyWantsIsLetGo() { // PROV-147
    bench.create(heldSnapshot());
    run();

    assertThat(snapshotIsHeld()).isFalse();
  }

  @Test
  void aSnapshotThatIsDeletedStaysForThePendingClaim() { // PROV-148
    bench.create(heldSnapshot(), filledFrom("VolumeSnapshot", "monday"));
    run();
    bench.delete(SnapshotResources.SNAPSHOTS, "monday");

    assertThat(snapshotIsHeld()).isTrue();
  }
}
