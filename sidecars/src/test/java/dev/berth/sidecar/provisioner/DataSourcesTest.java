package dev.berth.sidecar.provisioner;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CLONE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.MODIFY_VOLUME;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static dev.berth.sidecar.testing.Objects.volume;
import static dev.berth.sidecar.testing.SnapshotObjects.content;
import static dev.berth.sidecar.testing.SnapshotObjects.filledFrom;
import static dev.berth.sidecar.testing.SnapshotObjects.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Resources;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.value.Json;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.SnapshotObjects;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.WatchedApi;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Volumes that are not empty at their birth, on the real API and the real loop.
class DataSourcesTest {
  private static final DriverFacts COPIER =
      driver(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT, CLONE_VOLUME, MODIFY_VOLUME);

  private final Bench bench = SnapshotObjects.install(new Bench());

  @AfterEach
  void close() {
    bench.close();
  }

  private void run() {
    run(ProvisionerOptions.DEFAULT);
  }

  private void run(ProvisionerOptions options) {
    bench.run(maker(options));
  }

  private Bench.Maker maker(ProvisionerOptions options) {
    return (api, events) -> Provisioner.of(COPIER, options).controller(bench.means(api, events));
  }

  private CreateVolumeRequest request() {
    return bench.driver().requestOf(bench.volumeName());
  }

  private long creations() {
    return bench.driver().calls().stream().filter(call -> call.startsWith("CreateVolume")).count();
  }

  private void createSnapshot(Tree snapshot, Tree content) {
    bench.create(snapshot);
    var uid = Json.text(bench.json(SnapshotResources.SNAPSHOTS, "monday").path("metadata"), "uid");
    var ref = content.json().path("spec").path("volumeSnapshotRef");
    bench.create(
        Json.text(ref, "uid").equals("snap-uid-1")
            ? content.with(uid, "spec", "volumeSnapshotRef", "uid")
            : content);
  }

  @Test
  void aVolumeIsRestoredFromASnapshot() { // PROV-65
    createSnapshot(snapshot(), content());
    bench
        .driver()
        .answers(made -> {
          assertThat(bench.get(SnapshotKinds.SNAPSHOT, "monday").meta().finalizers())
              .contains(SnapshotFinalizers.PROVISIONER_SOURCE); // PROV-69
          return made;
        });
    bench.create(storageClass(), filledFrom("VolumeSnapshot", "monday"));
    run();

    assertThat(request().getVolumeContentSource().getSnapshot().getSnapshotId())
        .isEqualTo("snap-1");
    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  /// @param change what is otherwise
  record Unready(String id, String sentence, Tree snapshot, Tree content, String text) {
    @Override
    public String toString() {
      return id + ": " + sentence;
    }
  }

  static final List<Unready> unready =
      List.of(
          new Unready(
              "PROV-65",
              "a snapshot that is not there",
              snapshot().named("sunday"),
              content(),
              "error getting snapshot monday"),
          new Unready(
              "PROV-65",
              "one without content",
              snapshot().without("status", "boundVolumeSnapshotContentName"),
              content(),
              "snapshot monday is not bound"),
          new Unready(
              "PROV-65",
              "one whose content is not there",
              snapshot(),
              content().named("content-2"),
              "error getting snapshotcontent content-1"),
          new Unready(
              "PROV-65",
              "one whose content is another's",
              snapshot(),
              content().with("other", "spec", "volumeSnapshotRef", "uid"),
              "bound to a different snapshot"),
          new Unready(
              "PROV-65",
              "one of another driver",
              snapshot(),
              content().with("other.example", "spec", "driver"),
              "different CSI driver"),
          // SNAP-82
          new Unready(
              "PROV-65",
              "one that is not ready",
              snapshot().with(false, "status", "readyToUse"),
              content(),
              "snapshot monday is not Ready"),
          new Unready(
              "PROV-65",
              "one without a handle",
              snapshot(),
              content().without("status", "snapshotHandle"),
              "snapshot handle monday is not available"),
          new Unready(
              "PROV-65",
              "one that is larger",
              snapshot().with("2Gi", "status", "restoreSize"),
              content(),
              "size 1073741824 is less than the size 2147483648"),
          new Unready(
              "PROV-67",
              "one of another mode",
              snapshot(),
              content().with("Block", "spec", "sourceVolumeMode"),
              "annotation is not present on snapshotcontent content-1"),
          new Unready(
              "PROV-67",
              "one of another mode, which is forbidden",
              snapshot(),
              blockContent("f"),
              "is set to false on snapshotcontent content-1"),
          new Unready(
              "PROV-67",
              "one of another mode, about which is said what is no truth value",
              snapshot(),
              blockContent("yes"),
              "is no boolean: \"yes\""));

  private static Tree blockContent(String allowed) {
    return content()
        .with("Block", "spec", "sourceVolumeMode")
        .annotated("snapshot.storage.kubernetes.io/allow-volume-mode-change", allowed);
  }

  @ParameterizedTest
  @FieldSource("unready")
  void noVolumeIsRestoredFrom(Unready world) {
    if (world.snapshot().json().path("metadata").path("name").asText().equals("monday"))
      createSnapshot(world.snapshot(), world.content());
    bench.create(storageClass(), filledFrom("VolumeSnapshot", "monday"));
    run();

    assertThat(creations()).isZero();
    assertThat(bench.events())
        .last()
        .asString()
        .startsWith(
            "ProvisioningFailed: error getting handle for DataSource Type VolumeSnapshot by Name"
                + " monday: ")
        .contains(world.text());
    assertThat(bench.get(Kinds.CLAIM, "data").meta().finalizers())
        .doesNotContain(Finalizers.PROVISIONING);
  }

  @Test
  void aModeMayChangeIfAnAdministratorSaysSo() { // PROV-67
    createSnapshot(snapshot(), blockContent("T"));
    bench.create(storageClass(), filledFrom("VolumeSnapshot", "monday"));
    run();

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  @Test
  void orIfTheProvisionerIsToldNotToMind() { // PROV-67
    createSnapshot(snapshot(), blockContent("f"));
    bench.create(storageClass(), filledFrom("VolumeSnapshot", "monday"));
    run(ProvisionerOptions.DEFAULT.with(EnumSet.noneOf(Feature.class)));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  @Test
  void aSnapshotThatGoesIsRestoredOnlyIfThatWasBegunBefore() { // PROV-66
    createSnapshot(snapshot().finalizers("example.com/held"), content());
    bench.delete(SnapshotResources.SNAPSHOTS, "monday");
    bench.create(storageClass(), filledFrom("VolumeSnapshot", "monday"));
    run();

    assertThat(creations()).isZero();
    assertThat(bench.events()).last().asString().contains("snapshot monday is being deleted");
  }

  @Test
  void norDoesAnothersFinalizerCount() { // PROV-66
    createSnapshot(snapshot().finalizers(SnapshotFinalizers.PROVISIONER_SOURCE), content());
    bench.delete(SnapshotResources.SNAPSHOTS, "monday");
    bench.create(storageClass(), filledFrom("VolumeSnapshot", "monday"));
    run();

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  @Test
  void aSnapshotThatMayNotBeWrittenIsRestoredAllTheSame() { // PROV-69
    createSnapshot(snapshot(), content());
    bench.create(storageClass(), filledFrom("VolumeSnapshot", "monday"));
    forbid("update volumesnapshots");

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  @Test
  void aProvisionerThatMayNotPatchClaimsReplacesThem() { // PROV-189
    bench.create(storageClass(), claim());
    forbid("patch persistentvolumeclaims");

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    assertThat(bench.get(Kinds.CLAIM, "data").meta().finalizers())
        .contains(Finalizers.PROVISIONING);
    new dev.berth.sidecar.testing.Binder(bench.api()).work();
    bench.pass(Duration.ofSeconds(1));
    assertThat(bench.get(Kinds.CLAIM, "data").meta().finalizers())
        .doesNotContain(Finalizers.PROVISIONING);
  }

  private void forbid(String beginning) {
    bench.run(
        maker(ProvisionerOptions.DEFAULT),
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                if (request.startsWith(beginning))
                  throw new ApiException(403, "Forbidden", "you may not");
              }

              @Override
              public void after(String request) {}
            }));
  }

  private void createSource(String phase) {
    bench.create(
        claim().named("old").with("pv-old", "spec", "volumeName").with(phase, "status", "phase"));
    var uid = bench.get(Kinds.CLAIM, "old").meta().uid();
    bench.create(
        volume()
            .named("pv-old")
            .with("vol-old", "spec", "csi", "volumeHandle")
            .with("old", "spec", "claimRef", "name")
            .with(uid, "spec", "claimRef", "uid"));
  }

  @Test
  void aVolumeIsACopyOfAnotherClaims() { // PROV-68
    createSource("Bound");
    bench
        .driver()
        .answers(made -> {
          assertThat(bench.get(Kinds.CLAIM, "old").meta().finalizers())
              .contains(Finalizers.CLONING); // PROV-69
          return made;
        });
    bench.create(storageClass(), filledFrom("PersistentVolumeClaim", "old"));
    run();

    assertThat(request().getVolumeContentSource().getVolume().getVolumeId()).isEqualTo("vol-old");
    assertThat(bench.find(Kinds.VOLUME, bench.volumeName())).isPresent();
  }

  @Test
  void aCopyWaitsUntilTheOtherClaimIsBound() { // PROV-68
    createSource("Pending");
    bench.create(storageClass(), filledFrom("PersistentVolumeClaim", "old"));
    run();

    assertThat(bench.events()).last().asString().contains("old must have a status of Bound");
    assertThat(creations()).isZero();

    bench.patchStatus(Resources.CLAIMS, "old", "{\"status\": {\"phase\": \"Bound\"}}");

    assertThat(creations()).isEqualTo(1);
  }

  @Test
  void aCopyThatWasBegunIsFinishedThoughItsSourceGoes() { // PROV-71
    createSource("Bound");
    bench.driver().losesAnswer();
    bench.create(storageClass(), filledFrom("PersistentVolumeClaim", "old"));
    run();
    bench.delete(Resources.CLAIMS, "old");
    bench.pass(Duration.ofSeconds(1));

    assertThat(creations()).isEqualTo(2);
    assertThat(bench.find(Kinds.VOLUME, bench.volumeName())).isPresent();
  }

  @Test
  void aVolumeThatIsNotFilledIsDeleted() { // PROV-70
    createSnapshot(snapshot(), content());
    bench.driver().answers(made -> made.toBuilder().clearContentSource().build());
    bench.create(storageClass(), filledFrom("VolumeSnapshot", "monday"));
    run();

    assertThat(bench.driver().calls()).last().asString().startsWith("DeleteVolume vol-1");
    assertThat(bench.events()).last().asString().contains("volume content source missing");
    assertThat(bench.all(Kinds.VOLUME)).isEmpty();
  }

  @Test
  void orIfItIsFilledFromSomethingElse() { // PROV-70
    createSnapshot(snapshot(), content());
    bench
        .driver()
        .answers(made -> {
          var other = made.toBuilder();
          other.getContentSourceBuilder().getSnapshotBuilder().setSnapshotId("snap-2");
          return other.build();
        });
    bench.create(storageClass(), filledFrom("VolumeSnapshot", "monday"));
    run();

    assertThat(bench.driver().volumes()).isEmpty();
    bench.driver().answers(Volume.class::cast);
    bench.pass(Duration.ofSeconds(1));
    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  private static Tree fromElsewhere() {
    return claim()
        .with(
            Map.of(
                "apiGroup",
                "snapshot.storage.k8s.io",
                "kind",
                "VolumeSnapshot",
                "name",
                "monday",
                "namespace",
                "vault"),
            "spec",
            "dataSourceRef");
  }

  private static Tree grant() {
    return Tree.of(
        """
        {"apiVersion": "gateway.networking.k8s.io/v1beta1", "kind": "ReferenceGrant",
         "metadata": {"name": "shop", "namespace": "vault"},
         "spec": {"from": [{"group": "", "kind": "PersistentVolumeClaim", "namespace": "shop"}],
           "to": [{"group": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot"}]}}
        """);
  }

  private void createElsewhere() {
    bench.create(Tree.of("{\"apiVersion\": \"v1\", \"kind\": \"Namespace\"}").named("vault"));
    bench.create(snapshot().with("vault", "metadata", "namespace"));
    var there = dev.berth.kube.object.ObjectKey.of("vault", "monday");
    var uid =
        Json.text(bench.api().get(SnapshotResources.SNAPSHOTS, there).path("metadata"), "uid");
    bench.create(
        content()
            .with("vault", "spec", "volumeSnapshotRef", "namespace")
            .with(uid, "spec", "volumeSnapshotRef", "uid"));
    bench.create(storageClass(), fromElsewhere());
  }

  @Test
  void aSourceInAnotherNamespaceHasToBeGranted() { // PROV-62
    createElsewhere();
    var options = ProvisionerOptions.DEFAULT.with(EnumSet.of(Feature.CROSS_NAMESPACE_SOURCES));
    run(options);

    assertThat(creations()).isZero();
    assertThat(bench.events())
        .last()
        .asString()
        .contains("vault/monday of VolumeSnapshot dataSource from shop/data isn't allowed");

    bench.create(grant().with(new Object[] {Map.of("group", "", "kind", "Other")}, "spec", "to"));
    bench.pass(Duration.ofSeconds(1));
    assertThat(creations()).isZero();

    bench.create(grant().named("really"));
    bench.pass(Duration.ofSeconds(2));
    assertThat(creations()).isEqualTo(1);
  }

  @Test
  void aSourceIsWaitedForLikeAFailure() { // PROV-55
    bench.driver().refuses(Code.INTERNAL, "never asked");
    bench.create(storageClass(), filledFrom("VolumeSnapshot", "monday"));
    run();
    createSnapshot(snapshot(), content());
    bench.pass(Duration.ofMillis(900));
    assertThat(creations()).isZero();
    bench.pass(Duration.ofMillis(100));
    assertThat(creations()).isEqualTo(1);
  }
}
