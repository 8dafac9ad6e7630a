package dev.berth.driver.baremetal.decide;

import static dev.berth.driver.baremetal.decide.DriveKeeperTest.GOOD;
import static dev.berth.driver.baremetal.decide.DriveKeeperTest.after;
import static dev.berth.driver.baremetal.decide.DriveKeeperTest.decide;
import static dev.berth.driver.baremetal.decide.DriveKeeperTest.drive;
import static dev.berth.driver.baremetal.decide.DriveKeeperTest.effect;
import static dev.berth.driver.baremetal.decide.DriveKeeperTest.found;
import static dev.berth.driver.baremetal.decide.DriveKeeperTest.in;
import static dev.berth.driver.baremetal.decide.DriveKeeperTest.passes;
import static dev.berth.driver.baremetal.decide.DriveKeeperTest.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.baremetal.decide.DriveEffect.Admit;
import dev.berth.driver.baremetal.decide.DriveEffect.Disregard;
import dev.berth.driver.baremetal.decide.DriveEffect.EndWipe;
import dev.berth.driver.baremetal.decide.DriveEffect.Heeded;
import dev.berth.driver.baremetal.decide.DriveEffect.Initialize;
import dev.berth.driver.baremetal.decide.DriveEffect.Lamp;
import dev.berth.driver.baremetal.decide.DriveEffect.Observe;
import dev.berth.driver.baremetal.decide.DriveEffect.WipeLeft;
import dev.berth.driver.baremetal.manager.DriveManager.Led;
import dev.berth.driver.baremetal.manager.DriveManager.Locate;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.manager.SeenDrives;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/// What people ask of a drive, and what it says that it waits for.
class DriveWishesTest {
  private static final FoundDrive FULL = found(Health.GOOD, "holds a file system: xfs 1234");

  /// BM-147: on when it is wanted, off only when that is said.
  @Test
  void aLampIsTurnedOnAndOff() {
    var dark = passes(GOOD);
    var lit = passes(with(Led.ON));
    assertThat(lamp(dark, "locate: 'on'")).isEqualTo(Locate.START);
    assertThat(after(lit, drive("locate: 'on'", "", STATUS))).isEqualTo(new Settled());
    assertThat(lamp(lit, "locate: 'off'")).isEqualTo(Locate.STOP);
    assertThat(lamp(dark, "locate: 'off'")).isEqualTo(Marks.LOCATE);
    assertThat(after(lit, drive("", "", STATUS))).isEqualTo(new Settled());
    var none = passes(with(Led.NOT_AVAILABLE));
    assertThat(after(none, drive("locate: 'on'", "", STATUS))).isEqualTo(new Settled());
    // what was done since the last look counts
    assertThat(after(dark, drive("locate: 'on'", "", STATUS + ", LEDState: 1")))
        .isEqualTo(new Settled());
  }

  private static final String STATUS = "Health: GOOD, Status: ONLINE";

  private static FoundDrive with(Led lamp) {
    return new FoundDrive(
        GOOD.names(),
        GOOD.type(),
        GOOD.size(),
        GOOD.path(),
        GOOD.health(),
        GOOD.obstacles(),
        GOOD.system(),
        true,
        lamp);
  }

  private static Object lamp(SeenDrives seen, String word) {
    var effect = effect(after(seen, drive(word, "", STATUS)));
    return switch (effect) {
      case Lamp(_, var what) -> what;
      case Heeded(_, var annotation) -> annotation;
      default -> effect;
    };
  }

  /// BM-211: what was read is taken; what has changed since, or is somebody's, is not.
  @Test
  void whatADriveHoldsIsTakenOffOnlyAsItWasRead() {
    var reviewed = rested(passes(FULL), drive("", "", "Health: GOOD, Status: ONLINE"));
    var word = "initialize: " + reviewed.review();
    assertThat(wish(passes(FULL), word, "")).isInstanceOf(Initialize.class);
    assertThat(wish(passes(FULL), "initialize: something-else", ""))
        .asInstanceOf(InstanceOfAssertFactories.type(Disregard.class))
        .satisfies(it -> assertThat(it.why().message()).contains("not as it was"));
    var other = found(Health.GOOD, "holds a file system: xfs 5678");
    assertThat(wish(passes(other), word, "")).isInstanceOf(Disregard.class);
    assertThat(wish(passes(FULL), word, ", Claimant: default/v")).isInstanceOf(Disregard.class);
    assertThat(wish(passes(GOOD), word, "")).isInstanceOf(Heeded.class);
  }

  /// BM-211: a blank drive is nobody's before somebody has said so: whoever set the driver up, or a
  /// person of this drive as it is.
  @Test
  void aBlankDriveIsNotTakenWithoutAWord() {
    var strange = passes(strange(List.of()));
    var rested = rested(strange, drive("", "", STATUS, "node-1"));
    assertThat(rested.available()).isFalse();
    assertThat(rested.room()).isZero();
    assertThat(rested.awaitsConsent()).isTrue();
    assertThat(rested.observed().conditions())
        .anySatisfy(it -> assertThat(it.reason()).isEqualTo("NotAdmitted"));
    assertThat(decide(strange, List.of(rested)))
        .isInstanceOfSatisfying(
            Wait.class, it -> assertThat(it.field()).isEqualTo("spec.Admitted"));
    assertThat(decide(passes(GOOD), List.of(rested))).isEqualTo(admits(rested, Optional.empty()));

    var word = "initialize: " + rested.review();
    var asked = drive(word, "", STATUS, "node-1").with(rested.observed());
    assertThat(decide(strange, List.of(asked)))
        .isEqualTo(admits(asked, Optional.of(Marks.INITIALIZE)));
    var old = drive("initialize: something-else", "", STATUS, "node-1").with(rested.observed());
    assertThat(effect(decide(strange, List.of(old)))).isInstanceOf(Disregard.class);
    // what is on it now was not there when it was read
    var full = passes(strange(List.of("holds a file system: xfs")));
    assertThat(effect(after(full, drive(word, "", STATUS, "node-1"))))
        .isInstanceOf(Disregard.class);
  }

  /// BM-119: who was killed between what a wipe was for and its note has left the note only.
  @Test
  void aWipeThatIsThroughIsEndedWhenNobodyWaitsForIt() {
    assertThat(wiped(100, "", "")).isInstanceOf(EndWipe.class);
    assertThat(wiped(99, "", "")).as("it was broken off").isNotInstanceOf(EndWipe.class);
    assertThat(wiped(100, "", ", Claimant: default/v")).isNotInstanceOf(EndWipe.class);
    assertThat(wiped(100, "", ", Claimant: default/v, PendingWipe: default/v"))
        .isInstanceOf(WipeLeft.class);
    assertThat(wiped(100, "initialize: read", "")).isInstanceOf(Initialize.class);
  }

  private static Object wiped(long done, String annotations, String spec) {
    var status = STATUS + ", Wiping: {Of: review read, Done: %d}".formatted(done);
    var step =
        decide(passes(GOOD), List.of(rested(passes(GOOD), drive(annotations, spec, status))));
    return step instanceof Act(var effect, _) ? effect : step;
  }

  private static Act admits(Drive drive, Optional<String> heeded) {
    return new Act(new Admit(drive, heeded));
  }

  private static FoundDrive strange(List<String> obstacles) {
    return new FoundDrive(
        GOOD.names(),
        GOOD.type(),
        GOOD.size(),
        GOOD.path(),
        GOOD.health(),
        obstacles,
        false,
        false,
        Led.OFF);
  }

  private static Object wish(SeenDrives seen, String annotations, String spec) {
    return effect(after(seen, drive(annotations, spec, "Health: GOOD, Status: ONLINE")));
  }

  private static Drive rested(SeenDrives seen, Drive drive, LocalVolume... volumes) {
    var now = drive;
    while (decide(seen, List.of(now), volumes) instanceof Act(Observe(_, var state, _), _))
      now = drive.with(state);
    return now;
  }

  /// BM-143: who allowed a removal once has not allowed the next one.
  @Test
  void aDriveThatStaysForgetsThatItMightGo() {
    assertThat(wish(passes(GOOD), "removal: ready", ""))
        .asInstanceOf(InstanceOfAssertFactories.type(Heeded.class))
        .returns(Marks.REMOVAL, Heeded::annotation);
    var bad = passes(found(Health.BAD), found(Health.BAD));
    // its lamp comes first
    assertThat(decide(bad, List.of(rested(bad, drive("removal: ready, health: bad", "", "")))))
        .isInstanceOfSatisfying(
            Act.class,
            it ->
                assertThat(it.effect())
                    .isInstanceOfSatisfying(
                        DriveEffect.Light.class,
                        light -> assertThat(light.state().usage()).isEqualTo(DriveUsage.REMOVED)));
  }

  /// BM-33, BM-143: what was said of one removal has been said of no other.
  @Test
  void aDriveThatStaysForgetsWhatWasReleasedOnce() {
    for (var said : List.of("status/v: RELEASED", "replacement: ready", "drive: ADD"))
      assertThat(wish(passes(GOOD), said, ""))
          .asInstanceOf(InstanceOfAssertFactories.type(Heeded.class))
          .returns(said.substring(0, said.indexOf(':')), Heeded::annotation);
    // what is said together with the removal itself counts
    var bad = passes(found(Health.BAD), found(Health.BAD));
    var drive = drive("status/v: RELEASED, removal: ready", ", Claimant: default/v", STATUS);
    assertThat(rested(bad, drive, volume("")).observed().usage()).isEqualTo(DriveUsage.REMOVING);
  }

  /// BM-210, BM-211: to take all off a drive is not proposed where volumes live.
  @Test
  void aDriveThatIsSharedIsNotProposedForInitialization() {
    var alone = drive("", ", Shares: [{Volume: default/v, UID: u, Size: 10}], Pool: true", STATUS);
    assertThat(rested(passes(FULL), alone).observed().clean()).isFalse();
    assertThat(after(passes(FULL), alone)).isEqualTo(new Settled());
  }

  /// BM-142: each state says what it waits for, on which object, and how it goes on.
  @Test
  void eachStateSaysWhatItWaitsFor() {
    var bad = passes(found(Health.BAD), found(Health.BAD));
    var claimed = ", Claimant: default/v";
    assertThat(said(bad, in(DriveUsage.RELEASING, "", claimed), true))
        .isEqualTo(
            "Volume metadata.annotations: the data of default/v has to be moved; then annotate each"
                + " volume with release=done");
    assertThat(said(bad, in(DriveUsage.RELEASED, "", ""), false))
        .startsWith("Drive metadata.annotations: annotate the drive with removal=ready");
    assertThat(said(bad, in(DriveUsage.REMOVING, "removal: ready", claimed), true))
        .isEqualTo(
            "Volume status.CSIStatus: default/v has to be deleted: delete its pod and its claim");
    assertThat(said(bad, in(DriveUsage.REMOVED, "", ""), false))
        .startsWith("Drive status.Status: the drive can be pulled");
    assertThat(said(bad, in(DriveUsage.FAILED, "", ""), false))
        .startsWith("Drive metadata.annotations: a release has failed");
    assertThat(said(passes(FULL), drive("", "", ""), false)).startsWith("Drive status.IsClean: ");
    var gone = passes(GOOD).after(List.of()).after(List.of());
    assertThat(said(gone, drive("", "", ""), false)).startsWith("Drive status.Status: plug it in");
  }

  private static String said(SeenDrives seen, Drive drive, boolean withVolume) {
    Step step = withVolume ? after(seen, drive, volume("")) : after(seen, drive);
    assertThat(step).isInstanceOf(Wait.class);
    var wait = (Wait) step;
    return "%s %s: %s"
        .formatted(wait.on().resource().kind(), wait.field(), wait.remedy().orElseThrow());
  }
}
