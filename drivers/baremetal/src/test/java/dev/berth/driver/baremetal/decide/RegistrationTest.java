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
              BY_KERNEL, false, Set.of("ATA"), Set.of(BY_KERNEL.pid()), Set.of("5000c5")),
          100);

  private static final FoundDrive KNOWN =
      found(
          new DriveNames(
              BY_UDEV,
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
    var draft = Drive.draft(identity, DriveType.HDD, 100, NODE, true);
    draft.withObject("metadata").put("uid", "u").put("resourceVersion", "1");
    if (!claimant.isEmpty()) draft.withObject("spec").put("Claimant", claimant);
    return BareMetalKinds.DRIVE.read().apply(draft);
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

  /// What an earlier version has registered twice is one drive: that is seen which is called as the
  /// drive is now, and else that which has something on it.
  @Test
  void oneDriveIsOneObjects() {
    var old = registered(BY_KERNEL, "default/v");
    var now = registered(BY_UDEV, "");
    assertThat(presence(passes(KNOWN, KNOWN), BY_UDEV, old, now)).isEqualTo(Presence.ONLINE);
    assertThat(presence(passes(KNOWN, KNOWN), BY_KERNEL, old, now)).isEqualTo(Presence.OFFLINE);
    var other = registered(new DriveIdentity("ATA", BY_KERNEL.pid(), "ZR5A1"), "");
    assertThat(presence(passes(KNOWN, KNOWN), BY_KERNEL, old, other)).isEqualTo(Presence.ONLINE);
    assertThat(presence(passes(KNOWN, KNOWN), other.identity(), old, other))
        .isEqualTo(Presence.OFFLINE);
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
    var pulled = registered(BY_KERNEL, "default/v");
    var other = found(KNOWN.names(), 200);
    assertThat(presence(passes(other, other), BY_KERNEL, pulled)).isEqualTo(Presence.OFFLINE);
    assertThat(decide(passes(other, other), BY_UDEV, pulled))
        .isEqualTo(new Act(new Register(other, NODE)));
    var known = knownAs(pulled, "A1");
    assertThat(presence(passes(KNOWN, KNOWN), BY_KERNEL, known)).isEqualTo(Presence.OFFLINE);
    assertThat(decide(passes(KNOWN, KNOWN), BY_UDEV, known))
        .isEqualTo(new Act(new Register(KNOWN, NODE)));
    assertThat(presence(passes(KNOWN, KNOWN), BY_KERNEL, knownAs(pulled, "zr5a1")))
        .isEqualTo(Presence.ONLINE);
  }

  /// BM-23: one that says just the same and is not as large is another, and its object says so.
  @Test
  void aDiskOfAnotherSizeIsAnother() {
    var pulled = registered(BY_UDEV, "default/v");
    var other = found(KNOWN.names(), 200);
    assertThat(decide(passes(other, other), BY_UDEV, pulled))
        .isInstanceOfSatisfying(
            Act.class,
            act ->
                assertThat(((Observe) act.effect()).state().conditions().getFirst().message())
                    .contains("/dev/sdb")
                    .contains("has 200 bytes, not 100"));
    assertThat(presence(passes(other, other), BY_UDEV, pulled)).isEqualTo(Presence.OFFLINE);
    // nobody can say how large it is: it is looked at again
    assertThat(presence(passes(found(KNOWN.names(), 0)), BY_UDEV, pulled))
        .isEqualTo(Presence.ONLINE);
    assertThat(decide(passes(found(KNOWN.names(), 0)), BY_UDEV)).isEqualTo(new Settled());
  }

  /// BM-23: what tells a drive from others of its name is noted as soon as it is known.
  @Test
  void aBetterNameIsNoted() {
    var old = registered(BY_KERNEL, "");
    var seen = passes(KNOWN, KNOWN);
    var act = (Act) decide(seen, BY_KERNEL, old);
    var looked = old.with(((Observe) act.effect()).state());
    assertThat(decide(seen, BY_KERNEL, looked)).isEqualTo(new Act(new Recognize(looked, "ZR5A1")));
    var noted = knownAs(old, "ZR5A1").with(looked.observed());
    assertThat(decide(seen, BY_KERNEL, noted)).isEqualTo(new Settled());
    var byUdev = registered(BY_UDEV, "").with(looked.observed());
    assertThat(decide(seen, BY_UDEV, byUdev)).isEqualTo(new Settled());
  }

  /// BM-23: under a name that may be another's in a moment nobody is there, nor gone.
  @Test
  void anUnsettledDiskIsNobodyYet() {
    var drive = registered(BY_KERNEL, "default/v");
    assertThat(decide(passes(FRESH, FRESH), BY_KERNEL, drive)).isEqualTo(new Settled());
  }

  private static Drive knownAs(Drive drive, String serial) {
    var draft = Drive.draft(drive.identity(), DriveType.HDD, 100, NODE, true);
    draft
        .withObject("metadata")
        .put("uid", "u")
        .put("resourceVersion", "1")
        .withObject("annotations")
        .put(Marks.KNOWN_AS, serial);
    return BareMetalKinds.DRIVE.read().apply(draft);
  }
}
