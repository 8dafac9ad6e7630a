package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.block;
import static dev.berth.driver.baremetal.BareMetalWorld.controller;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static dev.berth.driver.baremetal.BareMetalWorld.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.ControllerGetVolumeHealthRequest;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.NodeGetVolumeHealthRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.VolumeHealth;
import dev.berth.csi.v1.VolumeHealth.VolumeHealthEntry;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.fault.FailingPlaces;
import dev.berth.driver.baremetal.fault.Failure;
import dev.berth.driver.baremetal.fault.Failure.Victim;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.linux.check.Pace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Drives that really fail, all at once, and what is then said of their volumes on every way, and
/// after how long (BM-284). `-Dberth.failures=write` looks after them as often as a driver does
/// that nobody has told otherwise, and writes the table of docs/bare-metal.md anew.
class FailuresTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final boolean WRITES = "write".equals(System.getProperty("berth.failures"));
  private static final Pace QUICK =
      new Pace(
          Duration.ofSeconds(2),
          Duration.ofSeconds(5),
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofMinutes(2));

  /// File systems bear the ids of their volumes, and xfs mounts none that is mounted elsewhere.
  private final String run = Long.toHexString(System.nanoTime());

  private final Map<String, CsiConnection> drivers = new LinkedHashMap<>();

  /// When which way told of a failure.
  ///
  /// @param begun when it failed, in nanoseconds
  /// @param ways milliseconds, by the way
  private record Told(Victim victim, long begun, Map<String, Long> ways) {}

  private CsiConnection driver(Failure failure) {
    return Objects.requireNonNull(drivers.get(failure.place()));
  }

  /// BM-77, BM-187, BM-188, BM-191, BM-195, BM-198, BM-199, BM-250, BM-251, BM-252, BM-254, BM-255,
  /// BM-256, BM-257, BM-258, BM-284.
  @Test
  void whatFailsIsToldAndWhatIsSoundIsNot() throws Exception {
    assumeTrue(Files.isWritable(Path.of("/dev/fuse")), "needs root and FUSE: skipped");
    // Drivers end first: one that still looked for its drives would attach them again.
    try (var places = new FailingPlaces(Files.createTempDirectory("places"));
        var world = BareMetalWorld.of("nodes: []\n")) {
      try {
        fail(world, places);
      } finally {
        places.endFaults(); // nobody waits for what hangs
      }
    }
  }

  private void fail(BareMetalWorld world, FailingPlaces places) throws Exception {
    world.plan(plan(places));
    for (var node : new TreeSet<>(places.failures().stream().map(Failure::place).toList()))
      drivers.put(
          node,
          world.driver(
              new BareMetalOptions(
                  node,
                  Optional.of(world.drives),
                  places.images(node),
                  Set.of(Service.values()),
                  WRITES ? Pace.USUAL : QUICK)));
    var victims = new ArrayList<Victim>();
    for (int i = 0; i < places.failures().size(); i++) victims.add(used(world, places, i));
    for (var victim : victims)
      await(victim.failure().words())
          .atMost(PATIENCE)
          .until(() -> onNode(victim).getHealthStatusesList().isEmpty());

    var told = new ArrayList<Told>();
    for (var victim : victims) {
      told.add(new Told(victim, System.nanoTime(), new LinkedHashMap<>()));
      victim.failure().failing().begin(victim);
    }
    await("all that fails is told")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> {
          boolean all = true;
          for (var each : told) if (each.victim().isTold()) all &= look(world, each);
          return all;
        });
    places.endFaults();
    for (var victim : victims)
      if (!victim.isTold())
        assertThat(onNode(victim).getHealthStatusesList()).as(victim.failure().words()).isEmpty();
    compare(told);
  }

  private static String plan(FailingPlaces places) {
    var text = new StringBuilder("defaultDrivePerNodeCount: 0\nnodes:\n");
    var all = places.failures();
    for (var node : new TreeSet<>(all.stream().map(Failure::place).toList())) {
      text.append("- nodeID: ").append(node).append("\n  drives:\n");
      IntStream.range(0, all.size())
          .filter(i -> all.get(i).place().equals(node))
          .mapToObj(i ->
              "  - {serialNumber: %s, size: %d}\n"
                  .formatted(FailingPlaces.serial(i), places.bytes(i)))
          .forEach(text::append);
    }
    return text.toString();
  }

  /// A volume on the drive, written to.
  private Victim used(BareMetalWorld world, FailingPlaces places, int number) throws Exception {
    var failure = places.failures().get(number);
    var id = "v%s-%d".formatted(run, number);
    var serial = FailingPlaces.serial(number);
    world.drive(serial, it -> it.available());
    var use = failure.raw() ? block() : mount(failure.type());
    var wanted = BareMetalWorld.wanted(id, places.bytes(number), use);
    wanted.getCapacityRangeBuilder().setLimitBytes(places.bytes(number));
    var driver = driver(failure);
    controller(driver).createVolume(wanted.build());
    world.stage(driver, id, use);
    world.publish(driver, id, use);
    var volume = world.volume(id, it -> it.health() == Health.GOOD);
    var drive = world.drive(serial, it -> it.uuid().equals(volume.location()));
    if (!failure.raw())
      Files.writeString(world.target(id).resolve("file"), "what a tenant has written");
    return new Victim(
        failure,
        id,
        world.folder("stage-" + id),
        world.target(id),
        Path.of(drive.observed().path()),
        places.images(failure.place()).resolve(places.image(number)));
  }

  /// What the node says of it in the words of CSI 1.13.
  private VolumeHealth onNode(Victim victim) {
    return node(driver(victim.failure()))
        .nodeGetVolumeHealth(
            NodeGetVolumeHealthRequest.newBuilder()
                .setVolumeId(victim.id())
                .setStagingTargetPath(victim.staged().toString())
                .setVolumePublishPath(victim.published().toString())
                .build())
        .getVolumeHealth();
  }

  private static boolean says(VolumeHealth health, Failure failure) {
    return health.getHealthStatusesList().stream()
        .map(VolumeHealthEntry::getReason)
        .anyMatch(failure.reasons()::contains);
  }

  /// The node's call of either version, the controller's, the volume's events, and the drive.
  ///
  /// @return whether all have told
  private boolean look(BareMetalWorld world, Told told) {
    var victim = told.victim();
    var ways = told.ways();
    if (ways.size() == 5) return true;
    var failure = victim.failure();
    long now = (System.nanoTime() - told.begun()) / 1_000_000;
    if (says(onNode(victim), failure)) ways.putIfAbsent("node", now);
    var driver = driver(failure);
    var stats =
        node(driver)
            .nodeGetVolumeStats(
                NodeGetVolumeStatsRequest.newBuilder()
                    .setVolumeId(victim.id())
                    .setVolumePath(victim.published().toString())
                    .build());
    if (stats.getVolumeCondition().getAbnormal()) {
      assertThat(stats.getUsageList()).as("BM-187").isNotEmpty();
      ways.putIfAbsent("stats", now);
    }
    var condition =
        controller(driver)
            .controllerGetVolume(
                ControllerGetVolumeRequest.newBuilder().setVolumeId(victim.id()).build())
            .getStatus()
            .getVolumeCondition();
    var health =
        controller(driver)
            .controllerGetVolumeHealth(
                ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(victim.id()).build())
            .getVolumeHealth();
    if (condition.getAbnormal() && says(health, failure)) ways.putIfAbsent("controller", now);
    if (world.events(victim.id()).stream().anyMatch(failure.reasons()::contains))
      ways.putIfAbsent("event", now);
    var image = String.valueOf(victim.image().getFileName());
    var serial = image.substring(image.indexOf('-') + 1, image.lastIndexOf('.'));
    if (world.drive(serial, _ -> true).observed().health() == failure.drive())
      ways.putIfAbsent("drive", now);
    return ways.size() == 5;
  }

  private static void compare(List<Told> told) throws Exception {
    var document = Path.of("../../docs/bare-metal.md").toAbsolutePath().normalize();
    var table = FailureTable.in(Files.readString(document));
    var rows = told.stream().map(it -> it.victim().failure().row()).toList();
    var lines = new ArrayList<String>();
    for (var it : told)
      lines.add("%s %s |".formatted(it.victim().failure().row(), seconds(it.ways())));
    lines.forEach(System.out::println);
    if (WRITES) Files.writeString(document, table.with(lines));
    else
      assertThat(table.rowsWithoutTimes())
          .as("the table of docs/bare-metal.md; write it with -Dberth.failures=write")
          .isEqualTo(rows);
  }

  private static String seconds(Map<String, Long> millis) {
    var last = millis.values().stream().mapToLong(it -> it).max();
    return last.isEmpty() ? "" : "%.1f s".formatted(last.getAsLong() / 1000.0);
  }

  /// The table of a document.
  ///
  /// @param before what stands before its rows
  /// @param after what stands after them
  private record FailureTable(String before, List<String> rows, String after) {
    private static final String HEAD = "| failure | told as | the drive becomes | after |\n";

    static FailureTable in(String text) {
      int head = text.indexOf(HEAD);
      if (head < 0) throw new IllegalStateException("there is no table");
      int from = text.indexOf('\n', head + HEAD.length()) + 1;
      int to = text.indexOf("\n\n", from - 1) + 1;
      return new FailureTable(
          text.substring(0, from), text.substring(from, to).lines().toList(), text.substring(to));
    }

    String with(List<String> lines) {
      return before + String.join("\n", lines) + "\n" + after;
    }

    List<String> rowsWithoutTimes() {
      return rows.stream()
          .map(row -> row.substring(0, row.lastIndexOf('|', row.length() - 2) + 1))
          .toList();
    }
  }
}
