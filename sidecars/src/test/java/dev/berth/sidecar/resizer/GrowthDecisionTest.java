package dev.berth.sidecar.resizer;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.EXPAND_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER;
import static dev.berth.sidecar.resizer.Growing.CLAIM;
import static dev.berth.sidecar.resizer.Growing.GI;
import static dev.berth.sidecar.resizer.Growing.PV;
import static dev.berth.sidecar.resizer.Growing.asked;
import static dev.berth.sidecar.resizer.Growing.condition;
import static dev.berth.sidecar.resizer.Growing.large;
import static dev.berth.sidecar.resizer.Growing.pod;
import static dev.berth.sidecar.resizer.Growing.with;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Rule.act;
import static dev.berth.sidecar.testing.Rule.complains;
import static dev.berth.sidecar.testing.Rule.effect;
import static dev.berth.sidecar.testing.Rule.rule;
import static dev.berth.sidecar.testing.Rule.settled;
import static dev.berth.sidecar.testing.Rule.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.CapacityRange;
import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Quantity;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.resizer.GrowthEffect.ForgetFormerSize;
import dev.berth.sidecar.resizer.GrowthEffect.Grow;
import dev.berth.sidecar.resizer.GrowthEffect.NoteSize;
import dev.berth.sidecar.resizer.GrowthEffect.PassOn;
import dev.berth.sidecar.testing.Rule;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class GrowthDecisionTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "data");
  private static final DriverFacts GROWS = driver(EXPAND_VOLUME);
  private static final World WANTED = World.of(CLAIM, PV);
  private static final Tree USED =
      with(asked("2Gi", "ControllerResizeInProgress"), condition("Resizing", "VolumeInUse"));
  private static final Tree INFEASIBLE =
      with(
          asked("2Gi", "ControllerResizeInfeasible"),
          condition("Resizing", "WaitingForRetry"),
          condition("ControllerResizeError", ""));

  static final List<Rule> rules =
      List.of(
          rule("RSZ-20", "a claim that has what it asks for is left alone")
              .given(WANTED.with(CLAIM.with("1Gi", "spec", "resources", "requests", "storage")))
              .then(settled()),
          rule("RSZ-79a", "what an old kubelet has left of a growth that is done is left alone")
              .given(
                  WANTED.with(
                      asked("2Gi", "NodeResizePending")
                          .with("2Gi", "status", "capacity", "storage")))
              .then(settled()),
          rule("RSZ-20", "a claim that is not bound yet is left alone")
              .given(WANTED.with(CLAIM.with("Pending", "status", "phase")))
              .then(settled()),
          rule("RSZ-20", "a claim without a volume is left alone")
              .given(WANTED.with(CLAIM.without("spec", "volumeName")))
              .then(settled()),
          rule("RSZ-20", "a volume that is not seen yet is waited for")
              .given(WANTED.without(PV))
              .then(waits("persistentvolume/" + VOLUME, "")),
          rule("RSZ-20", "a volume of another claim of this name is left alone")
              .given(WANTED.with(PV.with("other", "spec", "claimRef", "uid")))
              .then(settled()),
          rule("RSZ-22", "another driver's volume is left alone")
              .given(WANTED.with(PV.with("other.example", "spec", "csi", "driver")))
              .then(settled()),
          rule("RSZ-105", "a claim that does not say what it has has nothing")
              .given(WANTED.with(CLAIM.without("status", "capacity")))
              .then(grow("2Gi")),
          rule("RSZ-41", "the driver is asked for what the claim asks for")
              .given(WANTED)
              .then(grow("2Gi")),
          rule("RSZ-23", "a former size that everybody has left behind is forgotten")
              .given(
                  World.of(
                      CLAIM.with("1Gi", "spec", "resources", "requests", "storage"),
                      PV.annotated(Annotations.PRE_RESIZE_CAPACITY, "512Mi")))
              .then(
                  act(
                      new ForgetFormerSize(
                          ObjectKey.cluster(VOLUME), new Seen<>(PV.as(Kinds.VOLUME))))),
          rule("RSZ-23", "not while a node has to follow")
              .given(
                  World.of(
                      asked("2Gi", "NodeResizePending"),
                      large("2Gi").annotated(Annotations.PRE_RESIZE_CAPACITY, "1Gi")))
              .then(waits("persistentvolumeclaim/data", "status.capacity")),
          rule("RSZ-100", "a node that has the volume is waited for by name")
              .given(World.of(asked("2Gi", "NodeResizePending"), large("2Gi"), pod("Running")))
              .then(step -> assertThat(((Wait) step).until()).startsWith("node n1 has made")),
          rule("RSZ-33", "a size that cannot be had is left alone for a while")
              .given(World.of(INFEASIBLE, PV))
              .then(waits("persistentvolumeclaim/data", "spec.resources.requests.storage")),
          rule("RSZ-34", "another size is asked for at once")
              .given(
                  World.of(
                      INFEASIBLE.with("1536Mi", "spec", "resources", "requests", "storage"), PV))
              .then(grow("1536Mi")),
          rule("RSZ-60", "a used volume of a driver that refuses it is left alone")
              .given(World.of(USED, PV, pod("Running")))
              .then(
                  complains(
                      "pod/web",
                      "",
                      "Unable to expand shop/data because CSI driver disk.example only supports"
                          + " offline expansion and volume is currently in-use")),
          rule("RSZ-38", "another size is noted meanwhile, for later")
              .given(
                  World.of(
                      USED.with("3Gi", "spec", "resources", "requests", "storage"),
                      PV,
                      pod("Running")))
              .then(
                  act(
                      new NoteSize(
                          KEY,
                          Quantity.parse("3Gi"),
                          "VolumeInUse",
                          new Seen<>(CLAIM.as(Kinds.CLAIM))))),
          rule("RSZ-61", "a pod that has ended uses nothing")
              .given(World.of(USED, PV, pod("Succeeded")))
              .then(grow("2Gi")),
          rule("RSZ-35", "the size is noted though the modes contradict each other")
              .given(
                  WANTED.with(
                      PV.with(List.of("ReadOnlyMany", "ReadWriteOnce"), "spec", "accessModes")))
              .then(
                  act(
                      new NoteSize(
                          KEY, Quantity.parse("2Gi"), "", new Seen<>(CLAIM.as(Kinds.CLAIM))))),
          rule("RSZ-42", "modes that contradict each other are waited out")
              .given(
                  World.of(
                      asked("2Gi", "ControllerResizeInProgress"),
                      PV.with(List.of("ReadOnlyMany", "ReadWriteOnce"), "spec", "accessModes")))
              .then(
                  complains(
                      "persistentvolume/" + VOLUME,
                      "spec.accessModes",
                      "failed to get capabilities of volume " + VOLUME)));

  private static Step grow(String size) {
    return act(
        new Grow(
            KEY,
            Quantity.parse(size),
            ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .setCapacityRange(
                    CapacityRange.newBuilder().setRequiredBytes(Quantity.parse(size).toLong()))
                .setVolumeCapability(capability(Mode.SINGLE_NODE_WRITER))
                .build(),
            Optional.empty(),
            new Seen<>(CLAIM.as(Kinds.CLAIM)),
            new Seen<>(PV.as(Kinds.VOLUME))));
  }

  private static VolumeCapability capability(Mode mode) {
    var capability = VolumeCapability.newBuilder();
    capability.getAccessModeBuilder().setMode(mode);
    capability.getMountBuilder().setFsType("ext4");
    return capability.build();
  }

  private static Step decide(DriverFacts driver, Reach reach, ResizerOptions options, World world) {
    var resizer = new Resizer(driver, reach, options);
    var now = Instant.parse("2026-01-01T00:02:00Z");
    return resizer.decide(resizer.view(Facts.of(world.snapshot()), now), KEY);
  }

  private static Step decide(World world) {
    return decide(GROWS, Reach.CONTROLLER, ResizerOptions.DEFAULT, world);
  }

  @ParameterizedTest
  @FieldSource("rules")
  void everyRuleHolds(Rule rule) {
    rule.expected().accept(decide(rule.world()));
  }

  @Test
  void anInfeasibleSizeIsAskedForAgainWhenItsTimeHasCome() { // RSZ-33, RSZ-53
    var wait = (Wait) decide(World.of(INFEASIBLE, PV));
    assertThat(wait.again()).contains(Instant.parse("2026-01-01T00:06:01Z"));

    var impatient =
        new ResizerOptions(
            ResizerOptions.DEFAULT.timeout(),
            ResizerOptions.DEFAULT.pace(),
            Duration.ofSeconds(59),
            ResizerOptions.WhileUsed.WAIT,
            true);
    assertThat(decide(GROWS, Reach.CONTROLLER, impatient, World.of(INFEASIBLE, PV)))
        .isEqualTo(grow("2Gi"));
  }

  @Test
  void aDriverMayBeAskedThoughItsVolumeIsUsedAndNobodyLooksAtPods() { // RSZ-62, RSZ-64
    var options =
        new ResizerOptions(
            ResizerOptions.DEFAULT.timeout(),
            ResizerOptions.DEFAULT.pace(),
            ResizerOptions.DEFAULT.slow(),
            ResizerOptions.WhileUsed.ASK_AGAIN,
            true);
    assertThat(decide(GROWS, Reach.CONTROLLER, options, World.of(USED, PV, pod("Running"))))
        .isEqualTo(grow("2Gi"));
    assertThat(new Resizer(GROWS, Reach.CONTROLLER, options).triggers()).hasSize(2);
  }

  @Test
  void withoutAControllerThatGrowsVolumesTheWishIsPassedOn() { // RSZ-03
    assertThat(decide(driver(), Reach.NODE, ResizerOptions.DEFAULT, WANTED))
        .isEqualTo(
            act(
                new PassOn(
                    KEY,
                    Quantity.parse("2Gi"),
                    new Seen<>(CLAIM.as(Kinds.CLAIM)),
                    new Seen<>(PV.as(Kinds.VOLUME)))));
  }

  @ParameterizedTest
  @CsvSource({
    "ReadWriteOnce, SINGLE_NODE_WRITER, SINGLE_NODE_MULTI_WRITER",
    "ReadWriteOncePod, SINGLE_NODE_WRITER, SINGLE_NODE_SINGLE_WRITER",
    "ReadOnlyMany, MULTI_NODE_READER_ONLY, MULTI_NODE_READER_ONLY",
    "ReadWriteMany, MULTI_NODE_MULTI_WRITER, MULTI_NODE_MULTI_WRITER"
  })
  void theDriverHearsOfAllAccessModesInOne(String mode, Mode plain, Mode fine) { // RSZ-42, RSZ-43
    var world = WANTED.with(PV.with(List.of(mode), "spec", "accessModes"));
    assertThat(mode(GROWS, world)).isEqualTo(plain);
    assertThat(mode(driver(EXPAND_VOLUME, SINGLE_NODE_MULTI_WRITER), world)).isEqualTo(fine);
  }

  private static Mode mode(DriverFacts driver, World world) {
    return request(driver, world).getVolumeCapability().getAccessMode().getMode();
  }

  private static ControllerExpandVolumeRequest request(DriverFacts driver, World world) {
    var step = decide(driver, Reach.CONTROLLER, ResizerOptions.DEFAULT, world);
    return effect(step, Grow.class).orElseThrow().request();
  }

  @Test
  void aBlockVolumeIsToldAsOneAndTheSecretIsTheVolumes() { // RSZ-41
    var pv =
        PV.with("Block", "spec", "volumeMode")
            .with(
                Map.of("name", "keys", "namespace", "vault"),
                "spec",
                "csi",
                "controllerExpandSecretRef");
    var step = decide(World.of(CLAIM, pv));
    var grow = effect(step, Grow.class).orElseThrow();
    assertThat(grow.request().getVolumeCapability().hasBlock()).isTrue();
    assertThat(grow.request().getCapacityRange())
        .isEqualTo(CapacityRange.newBuilder().setRequiredBytes(2 * GI).build());
    assertThat(grow.secret()).contains(new SecretRef("vault", "keys"));
  }

  @Test
  void sizesAreTriedEachForItself() { // RSZ-34
    var world = World.of(CLAIM.with("3Gi", "spec", "resources", "requests", "storage"), PV);
    assertThat(effect(decide(world), Grow.class).orElseThrow().likeness())
        .isNotEqualTo(effect(decide(WANTED), Grow.class).orElseThrow().likeness());
  }
}
