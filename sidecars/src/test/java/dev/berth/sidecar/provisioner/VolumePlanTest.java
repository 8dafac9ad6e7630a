package dev.berth.sidecar.provisioner;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.WITH_TOPOLOGY;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.CapacityRange;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.Topology;
import dev.berth.csi.v1.TopologyRequirement;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.model.Kinds;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.intent.Intent;
import dev.berth.sidecar.provisioner.intent.Recipe;
import dev.berth.sidecar.provisioner.topology.Segment;
import dev.berth.sidecar.provisioner.topology.Segments;
import dev.berth.sidecar.secret.SecretParameters;
import dev.berth.sidecar.secret.SecretParameters.Resolved;
import dev.berth.sidecar.secret.TemplateSubject;
import dev.berth.sidecar.testing.Tree;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a driver is asked, and what is saved of its answer.
class VolumePlanTest {
  private static final Tree CLASS =
      storageClass()
          .with(List.of("noatime"), "mountOptions")
          .with("xfs", "parameters", "csi.storage.k8s.io/fstype")
          .with("keys", "parameters", "csi.storage.k8s.io/provisioner-secret-name")
          .with("${pvc.namespace}", "parameters", "csi.storage.k8s.io/provisioner-secret-namespace")
          .with("stage-${pvc.name}", "parameters", "csi.storage.k8s.io/node-stage-secret-name")
          .with("kube", "parameters", "csi.storage.k8s.io/node-stage-secret-namespace");

  private static VolumePlan plan(
      Tree claim, Tree clazz, DriverFacts driver, ProvisionerOptions options) {
    var segments =
        new Segments(List.of(Segment.of(Map.of("zone", "a")), Segment.of(Map.of("zone", "b"))), 1);
    var intent =
        new Intent(
            DRIVER,
            VOLUME,
            Optional.empty(),
            Recipe.of(clazz.as(Kinds.STORAGE_CLASS)),
            driver.hasTopology() ? Optional.of(segments) : Optional.empty(),
            Optional.empty(),
            Optional.empty());
    var resolved =
        (Resolved)
            SecretParameters.resolve(
                intent.recipe().parameters(), TemplateSubject.of(VOLUME, claim.as(Kinds.CLAIM)));
    return VolumePlan.of(claim.as(Kinds.CLAIM), intent, resolved, driver, options);
  }

  private static CreateVolumeRequest request(Tree claim, DriverFacts driver) {
    return plan(claim, CLASS, driver, ProvisionerOptions.DEFAULT).request(Map.of("key", "x"));
  }

  private static Topology zone(String zone) {
    return Topology.newBuilder().putSegments("zone", zone).build();
  }

  @Test
  void theRequestSaysWhatClaimAndClassAskFor() { // PROV-31, PROV-37
    var capability =
        VolumeCapability.newBuilder()
            .setAccessMode(
                VolumeCapability.AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER))
            .setMount(
                VolumeCapability.MountVolume.newBuilder()
                    .setFsType("xfs")
                    .addMountFlags("noatime"));

    assertThat(request(claim(), WITH_TOPOLOGY))
        .isEqualTo(
            CreateVolumeRequest.newBuilder()
                .setName(VOLUME)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1 << 30))
                .addVolumeCapabilities(capability)
                .putParameters("tier", "gold")
                .putSecrets("key", "x")
                .setAccessibilityRequirements(
                    TopologyRequirement.newBuilder()
                        .addRequisite(zone("a"))
                        .addRequisite(zone("b"))
                        .addPreferred(zone("b"))
                        .addPreferred(zone("a")))
                .build());
  }

  @Test
  void blockVolumesHaveNoFileSystem() { // PROV-32
    var block = request(claim().with("Block", "spec", "volumeMode"), PLAIN);

    assertThat(block.getVolumeCapabilities(0).hasBlock()).isTrue();
    assertThat(block.hasAccessibilityRequirements()).isFalse();
  }

  @Test
  void accessModesAreMappedOneByOne() { // PROV-33
    var claim =
        claim()
            .with(List.of("ReadWriteMany", "ReadOnlyMany", "ReadWriteOnce"), "spec", "accessModes");

    assertThat(modes(request(claim, PLAIN)))
        .containsExactly(
            Mode.MULTI_NODE_MULTI_WRITER, Mode.MULTI_NODE_READER_ONLY, Mode.SINGLE_NODE_WRITER);
    assertThat(modes(request(claim, driver(CREATE_DELETE_VOLUME, SINGLE_NODE_MULTI_WRITER))))
        .endsWith(Mode.SINGLE_NODE_MULTI_WRITER);
  }

  private static List<Mode> modes(CreateVolumeRequest request) {
    return request.getVolumeCapabilitiesList().stream()
        .map(capability -> capability.getAccessMode().getMode())
        .toList();
  }

  @Test
  void namesAreToldIfWanted() { // PROV-36
    var options =
        new ProvisionerOptions(
            "vol",
            4,
            false,
            true,
            "",
            true,
            false,
            Duration.ofSeconds(10),
            Pace.SIDECAR,
            Optional.empty(),
            ProvisionerOptions.USUAL,
            ProvisionerOptions.DEFAULT.metrics());

    assertThat(plan(claim(), CLASS, PLAIN, options).parameters())
        .containsEntry("csi.storage.k8s.io/pvc/name", "data")
        .containsEntry("csi.storage.k8s.io/pvc/namespace", "shop")
        .containsEntry("csi.storage.k8s.io/pv/name", VOLUME);
    assertThat(options.volumeName("0a1b-2c3d")).isEqualTo("vol-0a1b");
  }

  @Test
  void theVolumeIsSavedWithAllThatOthersNeed() { // PROV-97, PROV-100, PROV-101
    var created =
        Volume.newBuilder()
            .setVolumeId("vol-1")
            .setCapacityBytes(2L << 30)
            .putVolumeContext("pool", "a")
            .addAccessibleTopology(zone("b"))
            .addAccessibleTopology(Topology.getDefaultInstance())
            .build();
    var plan = plan(claim(), CLASS, WITH_TOPOLOGY, ProvisionerOptions.DEFAULT);

    assertThat(new NewVolume(WITH_TOPOLOGY, "me").describe(plan, created))
        .isEqualTo(
            Tree.of(
                    """
                    {"apiVersion": "v1", "kind": "PersistentVolume",
                     "metadata": {"name": "pvc-0a1b-2c3d",
                       "finalizers": ["external-provisioner.volume.kubernetes.io/finalizer"],
                       "annotations": {
                         "pv.kubernetes.io/provisioned-by": "disk.example",
                         "volume.kubernetes.io/provisioner-deletion-secret-name": "keys",
                         "volume.kubernetes.io/provisioner-deletion-secret-namespace": "shop"}},
                     "spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "2Gi"},
                       "mountOptions": ["noatime"], "persistentVolumeReclaimPolicy": "Delete",
                       "volumeMode": "Filesystem", "storageClassName": "fast",
                       "claimRef": {"kind": "PersistentVolumeClaim", "apiVersion": "v1",
                         "namespace": "shop", "name": "data", "uid": "0a1b-2c3d",
                         "resourceVersion": "7"},
                       "csi": {"driver": "disk.example", "volumeHandle": "vol-1", "fsType": "xfs",
                         "volumeAttributes": {"pool": "a",
                           "storage.kubernetes.io/csiProvisionerIdentity": "me"},
                         "nodeStageSecretRef": {"name": "stage-data", "namespace": "kube"}},
                       "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions":
                         [{"key": "zone", "operator": "In", "values": ["b"]}]}]}}}}
                    """)
                .json());
  }

  @Test
  void theSecretsToDeleteAndToModifyItAreNoted() { // PROV-101
    var modified =
        storageClass()
            .with("m", "parameters", "csi.storage.k8s.io/controller-modify-secret-name")
            .with("kube", "parameters", "csi.storage.k8s.io/controller-modify-secret-namespace");
    var plan = plan(claim(), modified, PLAIN, ProvisionerOptions.DEFAULT);

    var annotations =
        new NewVolume(PLAIN, "me")
            .describe(plan, Volume.getDefaultInstance())
            .at("/metadata/annotations");

    assertThat(annotations)
        .isEqualTo(
            Tree.of(
                    """
                    {"pv.kubernetes.io/provisioned-by": "disk.example",
                     "volume.kubernetes.io/provisioner-deletion-secret-name": "",
                     "volume.kubernetes.io/provisioner-deletion-secret-namespace": "",
                     "volume.kubernetes.io/controller-modify-secret-name": "m",
                     "volume.kubernetes.io/controller-modify-secret-namespace": "kube"}
                    """)
                .json());
  }

  @Test
  void aVolumeThatIsReachedFromEverywhereHasNoAffinity() { // PROV-92
    var created =
        Volume.newBuilder()
            .setVolumeId("vol-1")
            .addAccessibleTopology(Topology.getDefaultInstance())
            .build();
    var plan = plan(claim(), CLASS, WITH_TOPOLOGY, ProvisionerOptions.DEFAULT);

    var saved = new NewVolume(WITH_TOPOLOGY, "me").describe(plan, created);

    assertThat(saved.path("spec").has("nodeAffinity")).isFalse();
    assertThat(saved.at("/spec/capacity/storage").asText()).isEqualTo("1Gi"); // PROV-95
  }

  @Test
  void aVolumeToRetainIsNotHeld() {
    var plan =
        plan(claim(), CLASS.with("Retain", "reclaimPolicy"), PLAIN, ProvisionerOptions.DEFAULT);

    var saved = new NewVolume(PLAIN, "me").describe(plan, Volume.getDefaultInstance());

    assertThat(saved.path("metadata").has("finalizers")).isFalse();
  }
}
