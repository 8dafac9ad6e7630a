package dev.berth.driver.baremetal.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.driver.baremetal.decide.DriveEffect.Forget;
import dev.berth.driver.baremetal.decide.DriveEffect.Heeded;
import dev.berth.driver.baremetal.decide.DriveEffect.Light;
import dev.berth.driver.baremetal.decide.DriveEffect.Observe;
import dev.berth.driver.baremetal.decide.DriveEffect.Register;
import dev.berth.driver.baremetal.decide.DriveEffect.ReleaseAgain;
import dev.berth.driver.baremetal.decide.DriveEffect.WipeLeft;
import dev.berth.driver.baremetal.manager.DriveManager.Led;
import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.manager.SeenDrives;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.ObjectKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is done about a drive, look by look.
class DriveKeeperTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final DriveIdentity DISK = new DriveIdentity("Test", "Loopback", "S1");
  private static final String NODE = "node-1";
  private static final String UUID = DISK.uuidOn(NODE);
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

  static final FoundDrive GOOD = found(Health.GOOD);

  static FoundDrive found(Health health, String... obstacles) {
    return new FoundDrive(
        DriveNames.of(DISK),
        DriveType.HDD,
        100,
        Path.of("/dev/x"),
        health,
        List.of(obstacles),
        false,
        true,
        Led.OFF);
  }

  static SeenDrives passes(FoundDrive... found) {
    var seen = SeenDrives.NONE;
    for (var each : found) seen = seen.after(List.of(each));
    return seen;
  }

  /// @param spec further fields of the drive's spec
  static Drive drive(String annotations, String spec, String status) {
    return drive(annotations, ", Admitted: true" + spec, status, NODE);
  }

  static Drive drive(String annotations, String spec, String status, String node) {
    return read(
        """
        metadata: {name: %s, uid: u, resourceVersion: "1", creationTimestamp: 2026-11-23T11:00:00Z, annotations: {%s}}
        spec: {VID: Test, PID: Loopback, SerialNumber: S1, Type: HDD, Size: 100, NodeId: %s%s}
        %s
        """
            .formatted(
                UUID, annotations, node, spec, status.isEmpty() ? "" : "status: {" + status + "}"));
  }

  private static Drive read(String yaml) {
    try {
      return BareMetalKinds.DRIVE.read().apply(YAML.readTree(yaml));
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static LocalVolume volume(String annotations) {
    var recipe =
        new VolumeRecipe(
            "v",
            SizeRange.ANY,
            List.of(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Placement.ANYWHERE);
    var tree = LocalVolume.draft(recipe, "ext4", Wipe.ZERO, "ANY");
    tree.withObject("spec").put("Location", UUID).put("NodeId", NODE).put("Size", 100);
    tree.withObject("status").put("CSIStatus", "CREATED");
    for (var word : annotations.isEmpty() ? new String[0] : annotations.split(",")) {
      var parts = word.split("=");
      tree.withObject("metadata").withObject("annotations").put(parts[0], parts[1]);
    }
    return BareMetalKinds.VOLUME.read().apply(tree);
  }

  static Step decide(SeenDrives seen, List<Drive> drives, LocalVolume... volumes) {
    var objects =
        Snapshots.empty()
            .with(BareMetalKinds.DRIVE, drives)
            .with(BareMetalKinds.VOLUME, List.of(volumes));
    var keeper = new DriveKeeper(NODE);
    return keeper.decide(
        new DriveKeeper.View(Facts.of(objects), seen, NOW), ObjectKey.cluster(UUID));
  }

  private static DriveState lit(DriveState dark) {
    return new DriveState(
        dark.health(),
        dark.presence(),
        dark.usage(),
        dark.path(),
        dark.clean(),
        dark.system(),
        1,
        dark.conditions());
  }

  /// Goes on until the drive's state rests, as the loop would; lamps can be turned on.
  private static DriveState settled(SeenDrives seen, Drive drive, LocalVolume... volumes) {
    var now = drive;
    for (int i = 0; i < 10; i++) {
      var step = decide(seen, List.of(now), volumes);
      DriveState state;
      if (step instanceof Act(Observe(_, var observed, _), _)) state = observed;
      else if (step instanceof Act(Light(_, var dark, _), _)) state = lit(dark);
      else return now.observed();
      now = now.with(state);
    }
    throw new AssertionError("the state never rests: " + now);
  }

  static Drive in(DriveUsage usage, String annotations, String spec) {
    return drive(annotations, spec, "Health: BAD, Status: ONLINE, LEDState: 1, Usage: " + usage);
  }

  /// BM-57: only what is there is registered, and BM-23: only what can be told from others.
  @Test
  void aDriveIsRegisteredWhenItIsSeen() {
    assertThat(decide(passes(GOOD), List.of())).isEqualTo(new Act(new Register(GOOD, NODE)));
    assertThat(decide(passes(GOOD).after(List.of()), List.of())).isEqualTo(new Settled());
    assertThat(decide(SeenDrives.NONE.after(List.of(GOOD, GOOD)), List.of()))
        .isEqualTo(new Settled());
  }

  /// BM-05, BM-24.
  @Test
  void nobodySaysAnythingBeforeTheFirstPassNorOfOthersDrives() {
    var mine = drive("", "", "Health: GOOD, Status: ONLINE, IsClean: true");
    assertThat(decide(SeenDrives.NONE, List.of(mine))).isEqualTo(new Settled());
    var others =
        read(
            "{metadata: {name: %s}, spec: {VID: Test, PID: Loopback, SerialNumber: S1, NodeId: other}}"
                .formatted(UUID));
    assertThat(decide(passes(GOOD, GOOD), List.of(others))).isEqualTo(new Settled());
  }

  /// BM-54: one pass without it is nothing; BM-72, BM-145: absent is not removed.
  @Test
  void onlyADriveThatIsMissedTwiceIsOffline() {
    var online = drive("", "", "Health: GOOD, Status: ONLINE");
    assertThat(settled(passes(GOOD).after(List.of()), online).presence())
        .isEqualTo(Presence.ONLINE);
    var gone = settled(passes(GOOD).after(List.of()).after(List.of()), online);
    assertThat(gone.presence()).isEqualTo(Presence.OFFLINE);
    assertThat(gone.health()).isEqualTo(Health.UNKNOWN);
    assertThat(gone.usage()).isEqualTo(DriveUsage.IN_USE);
    var restarted = SeenDrives.NONE.after(List.of());
    assertThat(decide(restarted, List.of(online))).isEqualTo(new Settled());
    assertThat(settled(restarted.after(List.of()), online).presence()).isEqualTo(Presence.OFFLINE);
  }

  /// BM-30, BM-71, BM-76: what is measured has to repeat, what a person says counts at once.
  @Test
  void aFailingDriveLeavesServiceAfterTwoReadingsOrOneWord() {
    var good = drive("", "", "Health: GOOD, Status: ONLINE");
    var bad = found(Health.BAD);
    assertThat(settled(passes(GOOD, bad), good).usage()).isEqualTo(DriveUsage.IN_USE);
    assertThat(settled(passes(GOOD, bad, GOOD, bad), good).usage()).isEqualTo(DriveUsage.IN_USE);
    assertThat(settled(passes(GOOD, bad, bad), good, volume("")).usage())
        .isEqualTo(DriveUsage.RELEASING);
    assertThat(settled(passes(GOOD), drive("health: Bad", "", ""), volume("")).usage())
        .isEqualTo(DriveUsage.RELEASING);
    assertThat(settled(passes(GOOD), drive("health: rotten", "", "")).usage())
        .isEqualTo(DriveUsage.IN_USE);
    assertThat(settled(passes(found(Health.UNKNOWN)), good).usage()).isEqualTo(DriveUsage.IN_USE);
  }

  /// BM-131 to BM-140, BM-141, BM-143, BM-144: a row each.
  @Test
  void theStatesOfReplacement() {
    var bad = passes(found(Health.BAD), found(Health.BAD));
    var claimed = ", Claimant: default/v";
    var rows =
        List.of(
            row("BM-131", bad, drive("", claimed, ""), volume(""), DriveUsage.RELEASING),
            row("BM-132 empty", bad, drive("", "", ""), null, DriveUsage.RELEASED),
            row(
                "BM-132",
                bad,
                in(DriveUsage.RELEASING, "", claimed),
                volume("release=done"),
                DriveUsage.RELEASED),
            row(
                "BM-33",
                bad,
                in(DriveUsage.RELEASING, "status/v: RELEASED", claimed),
                volume(""),
                DriveUsage.RELEASED),
            row(
                "BM-141",
                bad,
                in(DriveUsage.RELEASING, "", claimed),
                volume("release=processing"),
                DriveUsage.RELEASING),
            row(
                "BM-133",
                bad,
                in(DriveUsage.RELEASING, "", claimed),
                volume("release=failed"),
                DriveUsage.FAILED),
            row(
                "BM-144",
                passes(GOOD),
                in(DriveUsage.RELEASING, "", claimed),
                volume(""),
                DriveUsage.IN_USE),
            row("BM-143c", bad, in(DriveUsage.RELEASED, "", ""), null, DriveUsage.RELEASED),
            row(
                "BM-134",
                bad,
                in(DriveUsage.RELEASED, "removal: ready", claimed),
                volume("release=done"),
                DriveUsage.REMOVING),
            row(
                "BM-31 old",
                bad,
                in(DriveUsage.RELEASED, "replacement: READY", claimed),
                volume("release=done"),
                DriveUsage.REMOVING),
            row(
                "BM-143a",
                bad,
                in(DriveUsage.RELEASED, "action: add", ""),
                null,
                DriveUsage.RELEASED),
            row(
                "BM-135",
                passes(GOOD),
                in(DriveUsage.RELEASED, "action: add", ""),
                null,
                DriveUsage.IN_USE),
            row(
                "BM-135 word",
                bad,
                in(DriveUsage.RELEASED, "action: add, health: good", ""),
                null,
                DriveUsage.IN_USE),
            row(
                "BM-136 waits",
                bad,
                in(DriveUsage.REMOVING, "removal: ready", claimed),
                volume(""),
                DriveUsage.REMOVING),
            row(
                "BM-136",
                bad,
                in(DriveUsage.REMOVING, "removal: ready", ""),
                null,
                DriveUsage.REMOVED),
            row(
                "BM-136 fake",
                bad,
                in(DriveUsage.REMOVING, "removal: ready", claimed),
                volume("fake-attach=yes"),
                DriveUsage.REMOVED),
            row(
                "BM-102 BM-136",
                bad.after(List.of()).after(List.of()),
                in(DriveUsage.REMOVING, "removal: ready", claimed + ", PendingWipe: default/v"),
                null,
                DriveUsage.REMOVED),
            row(
                "BM-139",
                passes(GOOD),
                in(DriveUsage.FAILED, "action: add", ""),
                null,
                DriveUsage.IN_USE),
            row(
                "BM-140",
                bad,
                in(DriveUsage.FAILED, "action: remove", ""),
                null,
                DriveUsage.REMOVED),
            row("BM-32", bad, in(DriveUsage.FAILED, "", ""), null, DriveUsage.FAILED));
    var wrong = new ArrayList<String>();
    for (var row : rows) {
      var usage = settled(row.seen, row.drive, row.volumes).usage();
      if (usage != row.wanted) wrong.add("%s: %s, not %s".formatted(row.id, usage, row.wanted));
    }
    assertThat(wrong).isEmpty();
  }

  private record Row(
      String id, SeenDrives seen, Drive drive, LocalVolume[] volumes, DriveUsage wanted) {}

  private static Row row(
      String id, SeenDrives seen, Drive drive, @Nullable LocalVolume volume, DriveUsage wanted) {
    return new Row(
        id, seen, drive, volume == null ? new LocalVolume[0] : new LocalVolume[] {volume}, wanted);
  }

  /// BM-102, BM-135, BM-136, BM-138, BM-142: what is done besides.
  @Test
  void whatIsDoneOnTheWay() {
    var bad = passes(found(Health.BAD), found(Health.BAD));
    assertThat(after(bad, in(DriveUsage.REMOVED, "", ""))).isInstanceOf(Wait.class);
    // BM-136: with its lamp on it counts as removed, not before
    var dark =
        drive("removal: ready", "", "Health: BAD, Status: ONLINE, LEDState: 0, Usage: REMOVING");
    assertThat(effect(decide(bad, List.of(dark)))).isInstanceOf(Light.class);
    var absent = bad.after(List.of()).after(List.of());
    assertThat(after(absent, in(DriveUsage.REMOVED, "", "")))
        .matches(it -> effect(it) instanceof Forget);
    // BM-146: who might come back with a volume's bytes is not forgotten without a word
    for (var left : List.of("PendingWipe: default/v", "PendingWipe: default/v, Pool: true"))
      assertThat(after(absent, in(DriveUsage.REMOVED, "", ", " + left)))
          .isInstanceOfSatisfying(
              Wait.class,
              it -> assertThat(it.remedy().orElseThrow()).contains("default/v", "action=remove"));
    assertThat(after(absent, in(DriveUsage.REMOVED, "left-unclean: default/v", "")))
        .isInstanceOf(Wait.class);
    assertThat(after(absent, in(DriveUsage.REMOVED, "action: remove", ", PendingWipe: default/v")))
        .matches(it -> effect(it) instanceof Forget);
    // BM-119: nor one whose wipe was broken off, which shows nothing when it is back
    var halfWiped = "Usage: REMOVED, Wiping: {Of: initialize, Done: 64}";
    assertThat(after(absent, drive("", "", halfWiped)))
        .isInstanceOfSatisfying(
            Wait.class,
            it -> assertThat(it.remedy().orElseThrow()).contains("plug it in", "action=remove"));
    assertThat(after(absent, drive("action: remove", "", halfWiped)))
        .matches(it -> effect(it) instanceof Forget);
    // BM-138, BM-140: one that was removed by force is still lived on
    var forced = in(DriveUsage.REMOVED, "", ", Claimant: default/v");
    assertThat(after(absent, forced, volume("")))
        .isInstanceOfSatisfying(
            Wait.class, it -> assertThat(it.remedy().orElseThrow()).contains("default/v"));
    assertThat(after(absent, forced, volume("fake-attach=yes")))
        .matches(it -> effect(it) instanceof Forget);
    // BM-135, BM-139: a word counts once, and a release that failed is tried again
    assertThat(decide(passes(GOOD), List.of(in(DriveUsage.IN_USE, "action: add", ""))))
        .matches(it -> effect(it) instanceof Heeded);
    var failed = in(DriveUsage.FAILED, "action: add", ", Claimant: default/v");
    assertThat(decide(bad, List.of(failed), volume("release=failed")))
        .matches(it -> effect(it) instanceof ReleaseAgain);
    assertThat(after(passes(GOOD), drive("", ", PendingWipe: default/v, Claimant: default/v", "")))
        .matches(it -> effect(it) instanceof WipeLeft);
    var waiting = after(bad, in(DriveUsage.RELEASING, "", ", Claimant: default/v"), volume(""));
    assertThat(waiting)
        .isInstanceOfSatisfying(
            Wait.class,
            it ->
                assertThat(it.remedy().orElseThrow())
                    .contains("default/v")
                    .contains("release=done"));
  }

  static Step after(SeenDrives seen, Drive drive, LocalVolume... volumes) {
    var state = settled(seen, drive, volumes);
    return decide(seen, List.of(drive.with(state)), volumes);
  }

  static Object effect(Step step) {
    return step instanceof Act(var effect, _) ? effect : step;
  }

  /// BM-39, BM-56, BM-80: whoever has any reason against it does not get it, and hears it.
  @Test
  void whyNobodyGetsADrive() {
    assertThat(reason(passes(GOOD), drive("", "", ""))).isEqualTo("Free");
    assertThat(reason(passes(GOOD), drive("", ", Claimant: default/v", ""))).isEqualTo("Claimed");
    assertThat(reason(passes(found(Health.GOOD, "holds a file system: xfs")), drive("", "", "")))
        .isEqualTo("HasData");
    assertThat(reason(passes(GOOD).after(List.of()).after(List.of()), drive("", "", "")))
        .isEqualTo("Offline");
    assertThat(reason(passes(GOOD), drive("health: suspect", "", ""))).isEqualTo("Released");
    assertThat(reason(SeenDrives.NONE.after(List.of(GOOD, GOOD)), drive("", "", "")))
        .isEqualTo("SameIdentity");
  }

  private static String reason(SeenDrives seen, Drive drive) {
    return settled(seen, drive).conditions().stream()
        .filter(it -> it.type().equals("Available"))
        .findFirst()
        .orElseThrow()
        .reason();
  }

  /// BM-75: nothing changed, nothing written.
  @Test
  void aLookThatFindsNothingNewWritesNothing() {
    var seen = passes(GOOD);
    var state = settled(seen, drive("", "", ""));
    assertThat(after(seen.after(List.of(GOOD)), drive("", "", ""))).isEqualTo(new Settled());
    assertThat(state.conditions()).allMatch(it -> it.since().equals(NOW));
  }
}
