package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static dev.berth.driver.baremetal.BareMetalWorld.block;
import static dev.berth.driver.baremetal.BareMetalWorld.controller;
import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static dev.berth.driver.baremetal.BareMetalWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiException;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.controller.BareMetalVolumes;
import dev.berth.driver.baremetal.decide.VolumeEffect;
import dev.berth.driver.baremetal.manager.loopback.LoopbackManager;
import dev.berth.driver.baremetal.node.DriveLocks;
import dev.berth.driver.baremetal.node.Pools;
import dev.berth.driver.baremetal.node.Preparation;
import dev.berth.driver.baremetal.node.SharePreparation;
import dev.berth.driver.baremetal.node.VolumeWork;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.BareMetalNode;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.driver.baremetal.object.Wiping;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.time.SystemTime;
import dev.berth.linux.file.Zeros;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// How a drive comes back from a volume: with nothing of the volume on it, and with all that is
/// somebody else's.
class GivingBackTest {
  private static final String ONE =
      """
      nodes:
      - nodeID: a
        driveCount: 1
        drives: [{serialNumber: S, size: 64Mi}]
      """;

  private static final String PULLED = ONE.replace("size: 64Mi", "size: 64Mi, removed: true");
  private static final String SECRET = "what the tenant before has written";
  private static final FileSystemTools TOOLS = new FileSystemTools(Tools.ofThisMachine());

  /// BM-102, BM-111: what was left alone once is left alone for good.
  @Test
  void whatAFailedVolumeFoundOnTheDriveStays() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      TOOLS.make(FileSystemType.EXT4, world.device("a", "S"), List.of());
      refused(() -> create(driver, "v", MIB, mount("")), "INTERNAL");
      assertThat(world.volume("v", _ -> true).status()).isEqualTo(CsiStatus.FAILED);
      delete(driver, "v");
      assertThat(world.all(BareMetalKinds.VOLUME)).isEmpty();
      assertThat(TOOLS.contentOf(world.device("a", "S"))).isInstanceOf(Content.FileSystem.class);
      world.drive("S", it -> it.claimant().isEmpty() && !it.observed().clean());

      refused(() -> create(driver, "v", MIB, mount("")), "RESOURCE_EXHAUSTED");
      assertThat(TOOLS.contentOf(world.device("a", "S"))).isInstanceOf(Content.FileSystem.class);
    }
  }

  /// BM-102, BM-111: nor is it wiped later.
  @Test
  void whatAFailedVolumeFoundOnADriveThatIsPulledStays() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      TOOLS.make(FileSystemType.EXT4, world.device("a", "S"), List.of());
      refused(() -> create(driver, "v", MIB, block()), "INTERNAL");
      world.plan(PULLED);
      world.drive("S", it -> it.observed().presence() == Presence.OFFLINE);
      delete(driver, "v");
      world.plan(ONE);
      world.drive(
          "S", it -> it.observed().presence() == Presence.ONLINE && it.claimant().isEmpty());
      assertThat(TOOLS.contentOf(world.device("a", "S"))).isInstanceOf(Content.FileSystem.class);
    }
  }

  /// BM-81, BM-102: a volume of the same name is another volume.
  @Test
  void aDriveThatIsStillToBeWipedIsNobodys() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      create(driver, "b2", MIB, block());
      Files.writeString(world.device("a", "S"), SECRET, StandardOpenOption.WRITE);
      world.plan(PULLED);
      world.drive("S", it -> it.observed().presence() == Presence.OFFLINE);
      delete(driver, "b2");
      refused(() -> create(driver, "b2", MIB, block()), "RESOURCE_EXHAUSTED");

      world.plan(ONE);
      world.drive("S", Drive::available);
      assertThat(Files.readAllBytes(world.device("a", "S")))
          .startsWith(new byte[SECRET.getBytes(StandardCharsets.UTF_8).length]);
      create(driver, "b2", MIB, block());
      refused(() -> create(driver, "b5", MIB, block()), "RESOURCE_EXHAUSTED");
      assertThat(world.volume("b2", _ -> true).status()).isEqualTo(CsiStatus.CREATED);
      assertThat(world.drive("S", _ -> true).claimant()).contains("default/b2");
    }
  }

  /// BM-81: what another controller has just claimed is given back, too, seen or not.
  @Test
  void aClaimThatThisControllerHasNotSeenIsGivenBack() throws Exception {
    try (var world = BareMetalWorld.of(ONE);
        var time = new SystemTime("test")) {
      world.node("a");
      var drive = world.drive("S", Drive::available);
      var recipe =
          new VolumeRecipe(
              "v",
              SizeRange.ANY,
              List.of(),
              Map.of(),
              Map.of(),
              Optional.empty(),
              Placement.ANYWHERE);
      var made =
          world.api.create(BareMetalKinds.VOLUMES, LocalVolume.draft(recipe, "", Wipe.ZERO, "ANY"));
      world.api.patch(
          BareMetalKinds.DRIVES,
          drive.meta().key(),
          new JsonPatch()
              .add("default/v", "spec", "Claimant")
              .add(made.path("metadata").path("uid").asText(), "spec", "ClaimantUID")
              .patch());
      try (var caches = Caches.of(world.api, time, BareMetalKinds.ALL)) { // sees nothing yet
        new BareMetalVolumes(caches, time::now, BareMetalDriver.NAME)
            .delete(new Volume("v", 0, Map.of(), List.of(), recipe), Secrets.NONE);
      }
      assertThat(world.all(BareMetalKinds.VOLUME)).isEmpty();
      world.drive("S", Drive::available);
    }
  }

  /// BM-160: nobody unstages on a node that is gone for good. BM-102: what is on its drive is
  /// known.
  @Test
  void aVolumeOfANodeThatIsGoneForGoodGoes() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var control = world.driver("", Set.of(Service.CONTROLLER));
      var driver = world.node("a");
      world.drive("S", Drive::available);
      create(driver, "v", MIB, mount("ext4"));
      world.stage(driver, "v", mount("ext4"));
      world.publish(driver, "v", mount("ext4"));
      refused(() -> delete(control, "v"), "FAILED_PRECONDITION");
      var node = BareMetalNode.key(world.volume("v", _ -> true).nodeId());
      world.unpublish(driver, "v");
      world.api.delete(BareMetalKinds.NODES, node, DeleteOptions.DEFAULT);
      delete(control, "v");
      assertThat(world.all(BareMetalKinds.VOLUME)).isEmpty();
      world.drive("S", it -> it.pendingWipe().isPresent() && !it.available());
    }
  }

  /// BM-119: that all is wiped is known for as long as the drive is not given back.
  @Test
  void whoIsKilledBeforeADriveIsGivenBackHasItWipedOnce() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      create(driver, "v", MIB, block());
      world.end();
      Files.writeString(world.device("a", "S"), SECRET, StandardOpenOption.WRITE);
      var volume = world.volume("v", _ -> true);
      world.status(volume, "REMOVING");
      var dying = DyingApi.of(world.api, 2, DyingApi.Last.LOST);
      var images = world.folder.resolve("img");
      var registry = new Registry(dying.api());
      var preparation = new Preparation(TOOLS);
      try (var manager = new LoopbackManager(world.drives, images, "a")) {
        var pools = new Pools(images.resolve("pools"), manager, TOOLS);
        var shares = new SharePreparation(registry, pools, preparation);
        var work =
            new VolumeWork(
                registry, manager, shares, preparation, new DriveLocks(), _ -> {}, () -> {});
        var release = new VolumeEffect.Release(volume, world.drive("S", _ -> true));
        assertThatThrownBy(() -> work.carryOut(release)).hasMessageContaining("killed");
      }
      var drive = world.drive("S", _ -> true);
      assertThat(drive.claimedBy(volume.meta())).isTrue();
      assertThat(drive.wiping().map(Wiping::done)).contains(64 * MIB);
      assertThat(Zeros.isAll(world.device("a", "S"), 0, 64 * MIB)).isTrue();
      world.node("a");
      world.drive("S", Drive::available);
      world.volume("v", it -> it.status() == CsiStatus.REMOVED);
    }
  }

  /// BM-119: what a class leaves on its drives is there until a person says that it may go.
  @Test
  void aDriveThatIsLeftUncleanIsNobodysUntilItIsInitialized() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      for (var pulled : List.of(false, true)) {
        var wanted = wanted("v", MIB, block()).putParameters("wipe", "none").build();
        var _ = controller(driver).createVolume(wanted);
        Files.writeString(world.device("a", "S"), SECRET, StandardOpenOption.WRITE);
        if (pulled) {
          world.plan(PULLED);
          world.drive("S", it -> it.observed().presence() == Presence.OFFLINE);
        }
        delete(driver, "v");
        refused(() -> create(driver, "w", MIB, block()), "RESOURCE_EXHAUSTED");
        world.plan(ONE);
        var left =
            world.drive(
                "S",
                it ->
                    it.observed().presence() == Presence.ONLINE
                        && it.claimant().isEmpty()
                        && !it.observed().clean());
        assertThat(left.observed().conditions())
            .anyMatch(it -> it.message().contains("what volume default/v has left"));
        refused(() -> create(driver, "w", MIB, block()), "RESOURCE_EXHAUSTED");
        assertThat(Files.readString(world.device("a", "S"), StandardCharsets.ISO_8859_1))
            .startsWith(SECRET);
        world.annotate(BareMetalKinds.DRIVE, left.meta().key(), Marks.INITIALIZE, left.review());
        world.drive("S", Drive::available);
        assertThat(Files.readAllBytes(world.device("a", "S"))).startsWith(new byte[64]);
      }
    }
  }

  private static void refused(ThrowingCallable call, String code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CsiException.class,
            it -> assertThat(it.code().name()).as(it.getMessage()).isEqualTo(code));
  }
}
