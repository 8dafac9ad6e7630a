package dev.berth.driver.baremetal.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.baremetal.decide.DriveEffect.Observe;
import dev.berth.driver.baremetal.decide.DriveEffect.Recognize;
import dev.berth.driver.baremetal.decide.DriveEffect.Register;
import dev.berth.driver.baremetal.manager.DriveManager.Led;
import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.manager.SeenDrives;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.ObjectKey;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Under which name a drive is known that is called differently by different layers, and by some
/// only a moment after it has come (BM-23).
class RegistrationTest {
  private static final String NODE = "node-1";
  private static final DriveIdentity BY_KERNEL =
      new DriveIdentity("ATA", "ST18000NM000J-2T", "5000c5");
  private static final DriveIdentity BY_UDEV =
      new DriveIdentity("ATA", "ST18000NM000J-2TV103", "ZR5A1");

  /// As it shows itself at once, and when udev has looked at it.
  private static final FoundDrive FRESH =
      found(
          new DriveNames(
              BY_KERNEL, false, false, Set.of("ATA"), Set.of(BY_KERNEL.pid()), Set.of("5000c5")),
          100);

  private static final FoundDrive KNOWN =
      found(
          new DriveNames(
              BY_UDEV,
              true,
              true,
              Set.of("ATA"),
              Set.of(BY_UDEV.pid(), BY_KERNEL.pid()),
              Set.of("ZR5A1", "5000c5")),
          100);

  private static FoundDrive found(DriveNames names, long size) {
    return new FoundDrive(
        names,
        DriveType.HDD,
        size,
        Path.of("/dev/sdb"),
        Health.GOOD,
        List.of(),
        false,
        true,
        Led.OFF);
  }

  private static SeenDrives passes(FoundDrive... found) {
    var seen = SeenDrives.NONE;
    for (var each : found) seen = seen.after(List.of(each));
    return seen;
  }

  private static Drive registered(DriveIdentity identity, String claimant) {
    return registered(identity, claimant, "");
  }

  private static Drive registered(DriveIdentity identity, String claimant, String knownAs) {
    var draft = Drive.draft(identity, DriveType.HDD, 100, NODE, true);
    var meta = draft.withObject("metadata").put("uid", "u").put("resourceVersion", "1");
    if (!knownAs.isEmpty()) meta.withObject("annotations").put(Marks.KNOWN_AS, knownAs);
    if (!claimant.isEmpty()) draft.withObject("spec").put("Claimant", claimant);
    return BareMetalKinds.DRIVE.read().apply(draft);
  }

  private static FoundDrive called(DriveIdentity identity, boolean complete, String... serials) {
    var names =
        new DriveNames(
            identity,
            true,
            complete,
            Set.of(identity.vid()),
            Set.of(BY_UDEV.pid(), BY_KERNEL.pid()),
            Set.of(serials));
    return found(names, 100);
  }

  private static Step decide(SeenDrives seen, DriveIdentity about, Drive... drives) {
    var objects = Snapshots.empty().with(BareMetalKinds.DRIVE, List.of(drives));
    var view = new DriveKeeper.View(Facts.of(objects), seen, Instant.parse("2026-11-27T12:00:00Z"));
    return new DriveKeeper(NODE).decide(view, ObjectKey.cluster(about.uuidOn(NODE)));
  }

  private static Presence presence(SeenDrives seen, DriveIdentity about, Drive... drives) {
    return decide(seen, about, drives) instanceof Act(Observe(_, var state, _), _)
        ? state.presence()
        : Presence.OFFLINE;
  }

  /// What the object says then of how it is.
  private static String told(SeenDrives seen, DriveIdentity about, Drive... drives) {
    return decide(seen, about, drives) instanceof Act(Observe(_, var state, _), _)
        ? state.conditions().toString()
        : "";
  }

  private static DriveState state(FoundDrive found, Drive drive) {
    var act = (Act) decide(passes(found, found), drive.identity(), drive);
    return ((Observe) act.effect()).state();
  }

  @Test
  void aDriveIsRegisteredWhenItIsKnownWhichItIs() {
    assertThat(decide(passes(FRESH), BY_KERNEL)).isEqualTo(new Settled());
    var seen = passes(FRESH, KNOWN);
    assertThat(decide(seen, BY_UDEV)).isEqualTo(new Act(new Register(KNOWN, NODE)));
    assertThat(decide(seen, BY_KERNEL)).isEqualTo(new Settled());
    assertThat(seen.byUuid(NODE)).containsOnlyKeys(BY_UDEV.uuidOn(NODE));
  }

  @Test
  void aDriveThatIsRegisteredKeepsItsName() {
    var old = registered(BY_KERNEL, "");
    var seen = passes(KNOWN, KNOWN);
    assertThat(decide(seen, BY_UDEV, old)).isEqualTo(new Settled());
    assertThat(presence(seen, BY_KERNEL, old)).isEqualTo(Presence.ONLINE);
  }

  /// What an earlier version has registered twice is one drive: that is seen which has something on
  /// it, and else that which is called as the drive is now. A person has to say that they are one.
  @Test
  void oneDriveIsOneObjects() {
    var old = registered(BY_KERNEL, "default/v");
    var now = registered(BY_UDEV, "");
    var seen = passes(KNOWN, KNOWN);
    assertThat(presence(seen, BY_KERNEL, old, now)).isEqualTo(Presence.ONLINE);
    assertThat(presence(seen, BY_UDEV, old, now)).isEqualTo(Presence.OFFLINE);
    assertThat(told(seen, BY_KERNEL, old, now)).contains("a second time").contains(now.uuid());
    assertThat(told(seen, BY_UDEV, old, now)).contains("delete this object").contains(old.uuid());
    var blank = registered(BY_KERNEL, "");
    assertThat(presence(seen, BY_UDEV, blank, now)).isEqualTo(Presence.ONLINE);
    assertThat(presence(seen, BY_KERNEL, blank, now)).isEqualTo(Presence.OFFLINE);
    var other = registered(new DriveIdentity("ATA", BY_KERNEL.pid(), "ZR5A1"), "");
    assertThat(presence(seen, BY_KERNEL, old, other)).isEqualTo(Presence.ONLINE);
    assertThat(presence(seen, other.identity(), old, other)).isEqualTo(Presence.OFFLINE);
  }

  /// BM-54: a machine that starts, or a disk that is plugged in again, before udev says which it
  /// is.
  @Test
  void aDriveIsNotMissedWhileOneOfItsSizeIsUnsettled() {
    var drive = registered(BY_UDEV, "");
    assertThat(decide(passes(FRESH, FRESH, FRESH), BY_UDEV, drive)).isEqualTo(new Settled());
    var again = passes(KNOWN, FRESH, FRESH, FRESH);
    assertThat(presence(again, BY_UDEV, drive)).isEqualTo(Presence.ONLINE);
    var other = found(FRESH.names(), 200);
    assertThat(presence(passes(other, other), BY_UDEV, drive)).isEqualTo(Presence.OFFLINE);
    assertThat(decide(passes(other, other), BY_UDEV, drive)).isInstanceOf(Act.class);
  }

  /// BM-23: a disk that bears a name by which another was registered that is pulled: its size tells
  /// it from that, or what was noted of that one since. It is a drive of its own.
  @Test
  void aDiskIsNotTakenForOneThatOnlySharesItsLowerName() {
    var pulled = registered(BY_KERNEL, "");
    var other = found(KNOWN.names(), 200);
    assertThat(presence(passes(other, other), BY_KERNEL, pulled)).isEqualTo(Presence.OFFLINE);
    assertThat(decide(passes(other, other), BY_UDEV, pulled))
        .isEqualTo(new Act(new Register(other, NODE)));
    var known = registered(BY_KERNEL, "", "A1");
    assertThat(presence(passes(KNOWN, KNOWN), BY_KERNEL, known)).isEqualTo(Presence.OFFLINE);
    assertThat(decide(passes(KNOWN, KNOWN), BY_UDEV, known))
        .isEqualTo(new Act(new Register(KNOWN, NODE)));
    assertThat(presence(passes(KNOWN, KNOWN), BY_KERNEL, registered(BY_KERNEL, "", "zr5a1")))
        .isEqualTo(Presence.ONLINE);
  }

  /// BM-23, BM-146: what may be a drive that volumes have written to, though it has grown or udev
  /// calls it otherwise by now, looks blank if raw bytes are all that is on it: it is nobody
  /// else's.
  @Test
  void whatMayBeADriveWithDataIsNotRegisteredAnew() {
    var grown = found(KNOWN.names(), 200);
    var old = registered(BY_KERNEL, "default/v");
    assertThat(decide(passes(grown, grown), BY_UDEV, old)).isEqualTo(new Settled());
    assertThat(presence(passes(grown, grown), BY_KERNEL, old)).isEqualTo(Presence.OFFLINE);
    assertThat(told(passes(grown, grown), BY_KERNEL, old))
        .contains("/dev/sdb")
        .contains("has 200 bytes, not 100");
    // udev said another serial number of it, or another product
    var known = registered(BY_KERNEL, "default/v", "A1");
    assertThat(decide(passes(KNOWN, KNOWN), BY_UDEV, known)).isEqualTo(new Settled());
    var product = new DriveIdentity("ATA", "another", "zr5a1");
    var renamed = registered(product, "default/v");
    assertThat(decide(passes(KNOWN, KNOWN), BY_UDEV, renamed)).isEqualTo(new Settled());
    assertThat(told(passes(KNOWN, KNOWN), product, renamed)).contains("/dev/sdb");
    var noted = registered(new DriveIdentity("ATA", "another", "X"), "default/v", "ZR5A1");
    assertThat(decide(passes(KNOWN, KNOWN), BY_UDEV, noted)).isEqualTo(new Settled());
    // the only other one of its name is another drive's
    var third = called(new DriveIdentity("ATA", BY_UDEV.pid(), "W3"), true, "W3", "5000c5");
    var beside = SeenDrives.NONE.after(List.of(third, grown)).after(List.of(third, grown));
    assertThat(decide(beside, BY_UDEV, old, registered(third.identity(), "default/w")))
        .isEqualTo(new Settled());
    // it is there beside this one
    var itself = called(new DriveIdentity("ATA", BY_UDEV.pid(), "W2"), true, "W2", "5000c5");
    var both = SeenDrives.NONE.after(List.of(itself, grown)).after(List.of(itself, grown));
    assertThat(decide(both, BY_UDEV, old)).isEqualTo(new Act(new Register(grown, NODE)));
  }

  /// BM-23: one that says just the same and is smaller is another, and its object says so.
  @Test
  void aDiskOfAnotherSizeIsAnother() {
    var pulled = registered(BY_UDEV, "default/v");
    var other = found(KNOWN.names(), 50);
    assertThat(told(passes(other, other), BY_UDEV, pulled))
        .contains("/dev/sdb")
        .contains("has 50 bytes, not 100");
    assertThat(presence(passes(other, other), BY_UDEV, pulled)).isEqualTo(Presence.OFFLINE);
    // nobody can say how large it is: it is looked at again
    assertThat(presence(passes(found(KNOWN.names(), 0)), BY_UDEV, pulled))
        .isEqualTo(Presence.ONLINE);
    assertThat(decide(passes(found(KNOWN.names(), 0)), BY_UDEV)).isEqualTo(new Settled());
  }

  /// BM-23: a virtual disk grows; it is the drive that it says it is, and its object says how large
  /// it is by now.
  @Test
  void aDriveMayGrow() {
    var drive = registered(BY_UDEV, "default/v");
    var grown = found(KNOWN.names(), 200);
    assertThat(presence(passes(grown, grown), BY_UDEV, drive)).isEqualTo(Presence.ONLINE);
    assertThat(presence(passes(KNOWN, grown), BY_UDEV, drive)).isEqualTo(Presence.ONLINE);
    assertThat(told(passes(grown, grown), BY_UDEV, drive))
        .contains("200 bytes")
        .contains("spec.Size");
    var act = (Act) decide(passes(grown, grown), BY_UDEV, drive.with(state(KNOWN, drive)));
    assertThat(((Observe) act.effect()).notices())
        .anyMatch(it -> it.toString().contains("DriveNotAsRegistered"));
    // bytes of it are still said by its object alone
    assertThat(told(passes(KNOWN, KNOWN), BY_UDEV, drive)).doesNotContain("spec.Size");
  }

  /// BM-23: without udev nobody can say whether it has the serial number that udev once said.
  @Test
  void whatOnlyUdevSaidIsNotMissedWhenUdevIsSilent() {
    var drive = registered(BY_KERNEL, "default/v", "ZR5A1");
    var silent = called(BY_KERNEL, false, "5000c5");
    assertThat(decide(passes(silent, silent, silent), BY_KERNEL, drive)).isEqualTo(new Settled());
    var spoken = called(BY_KERNEL, true, "5000c5");
    assertThat(presence(passes(spoken, spoken), BY_KERNEL, drive)).isEqualTo(Presence.OFFLINE);
    assertThat(decide(passes(spoken, spoken), BY_KERNEL, drive)).isInstanceOf(Act.class);
    // nor is it another drive
    var blank = registered(BY_KERNEL, "", "ZR5A1");
    var page = new DriveIdentity("ATA", BY_KERNEL.pid(), "page80");
    var named = called(page, false, "page80", "5000c5");
    assertThat(decide(passes(named, named), page, blank)).isEqualTo(new Settled());
  }

  /// BM-23: what tells a drive from others of its name is noted as soon as it is known.
  @Test
  void aBetterNameIsNoted() {
    var old = registered(BY_KERNEL, "");
    var seen = passes(KNOWN, KNOWN);
    var act = (Act) decide(seen, BY_KERNEL, old);
    var looked = old.with(((Observe) act.effect()).state());
    assertThat(decide(seen, BY_KERNEL, looked))
        .isEqualTo(new Act(new Recognize(looked, Map.of(Marks.KNOWN_AS, "ZR5A1"))));
    var noted = registered(BY_KERNEL, "", "ZR5A1").with(looked.observed());
    assertThat(decide(seen, BY_KERNEL, noted)).isEqualTo(new Settled());
    var byUdev = registered(BY_UDEV, "").with(looked.observed());
    assertThat(decide(seen, BY_UDEV, byUdev))
        .isEqualTo(new Act(new Recognize(byUdev, Map.of(Marks.ALSO_SERIALS, "5000C5"))));
    var whole = also(BY_UDEV, "", "5000C5").with(looked.observed());
    assertThat(decide(seen, BY_UDEV, whole)).isEqualTo(new Settled());
    // what is known stays, whatever is said later
    var more = also(BY_UDEV, "", "W1").with(looked.observed());
    assertThat(decide(seen, BY_UDEV, more))
        .isEqualTo(new Act(new Recognize(more, Map.of(Marks.ALSO_SERIALS, "5000C5\nW1"))));
  }

  /// BM-23: what a bridge says of itself may be anything, and what is noted once is not noted again
  /// and again.
  @Test
  void aNameWithALineEndIsNotedOnce() {
    var old = registered(BY_UDEV, "");
    var odd = called(BY_UDEV, true, BY_UDEV.serial(), "w\r\n1");
    var looked = old.with(state(odd, old));
    assertThat(decide(passes(odd, odd), BY_UDEV, looked))
        .isEqualTo(new Act(new Recognize(looked, Map.of(Marks.ALSO_SERIALS, "W1"))));
    var noted = also(BY_UDEV, "", "W1").with(looked.observed());
    assertThat(decide(passes(odd, odd), BY_UDEV, noted)).isEqualTo(new Settled());
    var full =
        also(BY_UDEV, "", String.join("\n", "ABCDEFGHIJKLMNOP".split(""))).with(looked.observed());
    assertThat(decide(passes(odd, odd), BY_UDEV, full)).isEqualTo(new Settled());
  }

  private static Drive also(DriveIdentity identity, String claimant, String serial) {
    var draft = Drive.draft(identity, DriveType.HDD, 100, NODE, true);
    draft
        .withObject("metadata")
        .put("uid", "u")
        .put("resourceVersion", "1")
        .withObject("annotations")
        .put(Marks.ALSO_SERIALS, serial);
    if (!claimant.isEmpty()) draft.withObject("spec").put("Claimant", claimant);
    return BareMetalKinds.DRIVE.read().apply(draft);
  }

  /// BM-23, BM-146: udev's note is gone for good, as its database is not there any more; what the
  /// drive is registered by only udev said. It is no new one, with data of volumes or without, and
  /// nobody says that the drive has gone.
  @Test
  void aDriveIsNotRegisteredAnewWhenUdevIsGone() {
    var silent = called(BY_KERNEL, false, "5000c5", "page80");
    var seen = passes(silent, silent, silent);
    for (var claimant : List.of("default/v", "")) {
      var drive = also(BY_UDEV, claimant, "5000C5");
      assertThat(decide(seen, BY_KERNEL, drive)).isEqualTo(new Settled());
      assertThat(decide(seen, BY_UDEV, drive)).isEqualTo(new Settled());
    }
    var grown = found(silent.names(), 200);
    var smaller = found(silent.names(), 50);
    var written = also(BY_UDEV, "default/v", "5000C5");
    assertThat(decide(passes(grown, grown), BY_KERNEL, written)).isEqualTo(new Settled());
    assertThat(decide(passes(smaller, smaller), BY_KERNEL, written)).isEqualTo(new Settled());
    assertThat(told(passes(smaller, smaller), BY_UDEV, written)).contains("/dev/sdb");
    // another disk is another, and so is one of which udev says that it is
    var other = called(new DriveIdentity("ATA", BY_KERNEL.pid(), "5000c6"), false, "5000c6");
    assertThat(decide(passes(other, other), other.identity(), written))
        .isEqualTo(new Act(new Register(other, NODE)));
    var spoken = called(BY_KERNEL, true, "5000c5");
    assertThat(decide(passes(spoken, spoken), BY_KERNEL, written))
        .isEqualTo(new Act(new Register(spoken, NODE)));
  }

  /// BM-23: under a name that may be another's in a moment nobody is there, nor gone.
  @Test
  void anUnsettledDiskIsNobodyYet() {
    var drive = registered(BY_KERNEL, "default/v");
    assertThat(decide(passes(FRESH, FRESH), BY_KERNEL, drive)).isEqualTo(new Settled());
  }
}
