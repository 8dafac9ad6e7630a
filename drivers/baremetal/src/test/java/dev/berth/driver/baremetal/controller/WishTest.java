package dev.berth.driver.baremetal.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.Layout;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.kube.cache.Snapshots;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// What a class may say, and which drive comes of it.
class WishTest {
  private static final long MIB = 1L << 20;

  private static Usage mount(String fsType, String... flags) {
    return new Usage(new Access.Mount(fsType, List.of(flags), ""), AccessMode.SINGLE_NODE_WRITER);
  }

  private static Wish wish(String storageType) {
    return Wish.of(List.of(mount("")), Map.of("storageType", storageType));
  }

  private static Drive drive(String serial, DriveType type, long size) {
    var tree = Drive.draft(new DriveIdentity("V", "P", serial), type, size, "n", true);
    tree.putObject("status")
        .put("Health", "GOOD")
        .put("Status", "ONLINE")
        .put("Usage", "IN_USE")
        .put("IsClean", true);
    return BareMetalKinds.DRIVE.read().apply(tree);
  }

  /// BM-21: any letter case; what is unknown is ANY.
  @Test
  void theWordsOfAClass() {
    assertThat(wish("hdd").type()).contains(DriveType.HDD);
    assertThat(wish("Nvme").type()).contains(DriveType.NVME);
    assertThat(wish("tape").type()).isEmpty();
    assertThat(wish("tape").storageType()).isEqualTo("ANY");
    assertThat(Wish.of(List.of(mount("xfs", "noatime")), Map.of("wipe", "signatures")).wipe())
        .isEqualTo(Wipe.SIGNATURES);
  }

  /// BM-20, BM-21, BM-110, BM-210.
  @Test
  void howAVolumeLiesOnItsDrive() {
    var block = new Usage(new Access.Block(), AccessMode.SINGLE_NODE_WRITER);
    assertThat(Wish.of(List.of(mount("")), Map.of()).layout()).isEqualTo(Layout.DRIVE);
    assertThat(Wish.of(List.of(mount("")), Map.of("isPartitioned", "true")).layout())
        .isEqualTo(Layout.PARTITION);
    assertThat(Wish.of(List.of(block), Map.of()).layout()).isEqualTo(Layout.DRIVE);
    assertThat(Wish.of(List.of(block), Map.of("isPartitioned", "True")).layout())
        .isEqualTo(Layout.PARTITION);
    assertThat(wish("shared").layout()).isEqualTo(Layout.SHARE);
  }

  /// BM-21, BM-221.
  @Test
  void whatCannotBeIsRefused() {
    var wrong = new ArrayList<String>();
    for (var parameters :
        List.of(
            Map.of("storageType", "SSDLVG"),
            Map.of("storageType", "syslvg"),
            Map.of("wipe", "burn"),
            Map.of("wipe", "none", "storageType", "shared"),
            Map.of("colour", "red"),
            Map.of("fsType", "ntfs"))) {
      try {
        Wish.of(List.of(mount("")), parameters);
        wrong.add("taken: " + parameters);
      } catch (Refusal refused) {
        if (!String.valueOf(refused.getMessage())
                .contains(parameters.values().iterator().next().toUpperCase())
            && refused.reason() == Refusal.Reason.WRONG_STATE)
          wrong.add(parameters + ": " + refused.getMessage());
      }
    }
    assertThat(wrong).isEmpty();
    assertThatThrownBy(() -> Wish.of(List.of(mount("", "sync")), Map.of()))
        .hasMessageContaining("only noatime");
  }

  /// BM-21, BM-91, BM-242: the cheapest kind, of that the smallest that holds it.
  @Test
  void theDriveThatFitsBest() {
    var drives =
        List.of(
            drive("nvme", DriveType.NVME, 10 * MIB),
            drive("large", DriveType.HDD, 400 * MIB),
            drive("small", DriveType.HDD, 100 * MIB),
            drive("ssd", DriveType.SSD, 50 * MIB));
    assertThat(first("ANY", "", SizeRange.ANY, drives)).isEqualTo("small");
    assertThat(first("ANY", "", SizeRange.atLeast(101 * MIB), drives)).isEqualTo("large");
    assertThat(first("ANY", "xfs", SizeRange.ANY, drives)).isEqualTo("large");
    assertThat(first("NVME", "", SizeRange.ANY, drives)).isEqualTo("nvme");
    assertThat(first("ANY", "", new SizeRange(1, OptionalLong.of(20 * MIB)), drives))
        .isEqualTo("nvme");
  }

  /// BM-210: it goes where others are already, and where it fits.
  @Test
  void aVolumeThatSharesFillsTheFullestDrive() {
    var drives =
        List.of(
            drive("small", DriveType.HDD, 100 * MIB),
            shared("half", 400 * MIB, 100 * MIB),
            shared("full", 400 * MIB, 300 * MIB));
    assertThat(first("SHARED", "", SizeRange.atLeast(40 * MIB), drives)).isEqualTo("full");
    assertThat(first("HDDSHARED", "", SizeRange.atLeast(200 * MIB), drives)).isEqualTo("half");
    assertThat(
            first(
                "shared",
                "xfs",
                SizeRange.atLeast(300 * MIB),
                List.of(drives.get(2), drive("other", DriveType.SSD, 400 * MIB))))
        .isEqualTo("other");
    assertThat(first("ANY", "", SizeRange.ANY, drives)).isEqualTo("small");
    var wish = Wish.of(List.of(mount("")), Map.of("storageType", "SHARED"));
    assertThat(wish.size(SizeRange.atLeast(40 * MIB + 1), 80 * MIB)).hasValue(41 * MIB);
    assertThat(wish.size(SizeRange.ANY, 80 * MIB)).hasValue(80 * MIB);
  }

  /// BM-81, BM-146: what a drive that is away has of a volume is on it wherever it shows itself.
  @Test
  void aDriveThatMayBeOneThatIsAwayIsNobodys() {
    var here = drive("S1", DriveType.HDD, 100 * MIB);
    for (var field : List.of("Claimant", "PendingWipe")) {
      var away = away("s1", 100 * MIB, field);
      assertThatThrownBy(() -> first("ANY", "", SizeRange.ANY, List.of(away, here)))
          .hasMessageContaining(away.uuid());
      // another serial number: another drive
      assertThat(first("ANY", "", SizeRange.ANY, List.of(away("S2", 100 * MIB, field), here)))
          .isEqualTo("S1");
      // it may have grown, and may have been known by another name
      assertNone(List.of(away("S1", 90 * MIB, field), here));
      assertNone(List.of(away("S2", 100 * MIB, field, "s1"), here));
    }
    var empty = away("S1", 100 * MIB, "Slot");
    assertThat(first("ANY", "", SizeRange.ANY, List.of(empty, here))).isEqualTo("S1");
  }

  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

  /// BM-146: of a drive that was moved its last node says for a while that it is there.
  @Test
  void aDriveThatMayHaveBeenMovedIsNobodys() {
    var old = "2026-11-27T11:00:00Z";
    var fresh = "2026-11-27T11:58:00Z";
    assertThat(mayBeMoved(old, fresh, NOW)).isTrue();
    assertThat(mayBeMoved(old, fresh, NOW.plusSeconds(600))).as("its node has not left").isFalse();
    assertThat(mayBeMoved(fresh, old, NOW)).as("both were there before the volume was").isFalse();
    assertThat(mayBeMoved("", fresh, NOW)).as("nobody knows when it was written to").isTrue();
  }

  /// @param volume when the volume was made that has the drive in the first node; empty: it is gone
  /// @param drive when the drive was first seen in the second node
  private static boolean mayBeMoved(String volume, String drive, Instant now) {
    var here = drive("S1", DriveType.HDD, 100 * MIB);
    var tree = Drive.draft(here.identity(), DriveType.HDD, 100 * MIB, "other", true);
    tree.withObject("metadata").put("creationTimestamp", drive);
    var there = BareMetalKinds.DRIVE.read().apply(tree);
    var claimed = Drive.draft(here.identity(), DriveType.HDD, 100 * MIB, "n", true);
    claimed.withObject("spec").put("Claimant", "default/v");
    claimed.putObject("status").put("Status", "ONLINE");
    var recipe =
        new VolumeRecipe(
            "v",
            SizeRange.ANY,
            List.of(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Placement.ANYWHERE);
    var made = LocalVolume.draft(recipe, "", Wipe.ZERO, "ANY");
    made.withObject("metadata").put("creationTimestamp", volume);
    var objects =
        Snapshots.empty()
            .with(BareMetalKinds.DRIVE, List.of(there, BareMetalKinds.DRIVE.read().apply(claimed)))
            .with(
                BareMetalKinds.VOLUME,
                volume.isEmpty() ? List.of() : List.of(BareMetalKinds.VOLUME.read().apply(made)));
    return !AwayDrives.of(objects, now).isNone(there);
  }

  private static void assertNone(List<Drive> drives) {
    assertThatThrownBy(() -> first("ANY", "", SizeRange.ANY, drives))
        .hasMessageContaining("may have been moved");
  }

  private static Drive away(String serial, long size, String field) {
    return away(serial, size, field, "");
  }

  private static Drive away(String serial, long size, String field, String knownAs) {
    var tree = Drive.draft(new DriveIdentity("V", "P", serial), DriveType.HDD, size, "m", true);
    tree.withObject("spec").put(field, "default/x");
    tree.withObject("metadata").withObject("annotations").put(Marks.KNOWN_AS, knownAs);
    tree.putObject("status").put("Status", "OFFLINE").put("Usage", "IN_USE");
    return BareMetalKinds.DRIVE.read().apply(tree);
  }

  private static Drive shared(String serial, long size, long taken) {
    var tree = Drive.draft(new DriveIdentity("V", "P", serial), DriveType.HDD, size, "n", true);
    tree.withObject("spec")
        .put("Pool", true)
        .putArray("Shares")
        .addObject()
        .put("Volume", "default/x")
        .put("UID", "u")
        .put("Size", taken);
    tree.putObject("status").put("Health", "GOOD").put("Status", "ONLINE").put("Usage", "IN_USE");
    return BareMetalKinds.DRIVE.read().apply(tree);
  }

  private static String first(String type, String fsType, SizeRange size, List<Drive> drives) {
    var wish = Wish.of(List.of(mount(fsType)), Map.of("storageType", type));
    return new Choice(wish, size, Placement.ANYWHERE)
        .candidates(
            drives,
            AwayDrives.of(Snapshots.empty().with(BareMetalKinds.DRIVE, drives), Instant.now()))
        .getFirst()
        .drive()
        .identity()
        .serial();
  }
}
