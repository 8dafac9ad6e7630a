package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static dev.berth.driver.baremetal.BareMetalWorld.controller;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static dev.berth.driver.baremetal.BareMetalWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.KilledDriver.Step;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.linux.partition.PartitionTable;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// Real processes that get SIGKILL between the steps of making a volume and of taking it away
/// (BM-282), each at a step that chance decides, for as long as there is time: whoever comes after
/// them goes on, and there is one partition, one file system, and at the end nothing.
///
/// A build takes [#SECONDS]; `-Dberth.killed.seconds=3600` an hour, `-Dberth.killed.seed=N` another
/// order.
class KilledProcessTest {
  private static final int SECONDS = 40;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final FileSystemTools TOOLS = new FileSystemTools(Tools.ofThisMachine());
  private static final String ONE =
      "nodes: [{nodeID: a, driveCount: 1, drives: [{serialNumber: S, size: 64Mi}]}]";

  /// More than a process has of them for one volume: the last rows are those of one that lives on.
  private static final int MOST_WRITES = 9;

  private static final int MOST_PROGRAMS = 6;

  /// A process that is to be killed.
  ///
  /// @param node whether it is the node's; else the controller's
  /// @param deleting whether it is killed while a volume goes; else while one is made
  private record Row(boolean node, boolean deleting, Step step) {}

  private static List<Row> rows() {
    var rows = new ArrayList<Row>();
    for (boolean deleting : new boolean[] {false, true})
      for (int number = 1; number <= MOST_WRITES; number++)
        for (var what : new Step.What[] {Step.What.BEFORE_WRITE, Step.What.AFTER_WRITE}) {
          rows.add(new Row(true, deleting, new Step(what, number)));
          rows.add(new Row(false, deleting, new Step(what, number)));
          if (number <= MOST_PROGRAMS && what == Step.What.AFTER_WRITE)
            rows.add(new Row(true, deleting, new Step(Step.What.IN_PROGRAM, number)));
        }
    return rows;
  }

  /// BM-81, BM-100, BM-110, BM-119, BM-282.
  @Test
  void whoeverIsKilledAnotherGoesOn() throws Exception {
    long seed = Long.getLong("berth.killed.seed", System.currentTimeMillis());
    long end =
        System.nanoTime()
            + Duration.ofSeconds(Long.getLong("berth.killed.seconds", SECONDS)).toNanos();
    var rows = rows();
    Collections.shuffle(rows, new Random(seed));
    int killed = 0;
    try (var world = BareMetalWorld.of(ONE)) {
      var control = world.driver("", Set.of(Service.CONTROLLER));
      try (var _ = world.started("a", world.api)) {
        world.drive("S", Drive::available);
      }
      int number = 0;
      for (var row : rows) {
        if (number > 0 && System.nanoTime() > end) break;
        number++;
        if (play(world, control, row, "v" + number, "seed %d, %s".formatted(seed, row))) killed++;
      }
    }
    assertThat(killed).as("some were killed at a step; seed %d", seed).isPositive();
  }

  /// @return whether it was killed at that step: it may have fewer
  private static boolean play(
      BareMetalWorld world, CsiConnection control, Row row, String id, String words)
      throws Exception {
    boolean killed = phase(world, control, row, true, id);
    var volume = world.volume(id, it -> it.status() == CsiStatus.CREATED);
    world.drive("S", it -> it.claimedBy(volume.meta()));
    assertThat(world.all(BareMetalKinds.VOLUME)).as(words).hasSize(1);
    assertThat(PartitionTable.read(world.device("a", "S")).orElseThrow().partitions())
        .as(words)
        .hasSize(1);
    assertThat(TOOLS.contentAt(world.device("a", "S"), MIB))
        .as(words)
        .isEqualTo(new Content.FileSystem("ext4", "", LocalVolume.uuid(id).toString()));
    killed |= phase(world, control, row, false, id);
    assertThat(world.all(BareMetalKinds.VOLUME)).as(words).isEmpty();
    assertThat(TOOLS.contentOf(world.device("a", "S"))).as(words).isEqualTo(new Content.Blank());
    assertThat(Files.exists(world.partition("a", "S"))).as(words).isFalse();
    return killed;
  }

  /// Makes the volume, or takes it away: while the row's process is at work, if it is killed at
  /// that, and then while others are.
  private static boolean phase(
      BareMetalWorld world, CsiConnection control, Row row, boolean making, String id)
      throws Exception {
    if (row.deleting == making) {
      try (var _ = world.started("a", world.api)) {
        assertThat(again(control, making, id, () -> false).join()).isTrue();
        if (!making) world.drive("S", Drive::available);
      }
      return false;
    }
    var socket = world.folder.resolve("k.sock");
    Files.deleteIfExists(socket);
    return row.node
        ? withoutNode(world, control, row.step, making, id, socket)
        : withoutController(world, control, row.step, making, id, socket);
  }

  private static boolean withoutNode(
      BareMetalWorld world,
      CsiConnection control,
      Step step,
      boolean making,
      String id,
      Path socket)
      throws Exception {
    var done = again(control, making, id, () -> false);
    boolean killed;
    try (var dying = KilledDriver.start(world.folder, socket, world.kubeconfig(), "a", step)) {
      await(step.toString()).atMost(PATIENCE).until(() -> dying.isDead() || done.isDone());
      killed = dying.isDead();
    }
    try (var _ = world.started("a", world.api)) {
      assertThat(done.join()).isTrue();
      if (!making) world.drive("S", Drive::available);
    }
    return killed;
  }

  private static boolean withoutController(
      BareMetalWorld world,
      CsiConnection control,
      Step step,
      boolean making,
      String id,
      Path socket)
      throws Exception {
    try (var _ = world.started("a", world.api)) {
      boolean killed;
      try (var dying = KilledDriver.start(world.folder, socket, world.kubeconfig(), "", step);
          var connection = CsiConnection.open(socket)) {
        var done = again(connection, making, id, dying::isDead);
        await(step.toString()).atMost(PATIENCE).until(() -> dying.isDead() || done.isDone());
        killed = dying.isDead();
      }
      assertThat(again(control, making, id, () -> false).join()).isTrue();
      if (!making) world.drive("S", Drive::available);
      return killed;
    }
  }

  /// Asks until it is done, or until `over`.
  ///
  /// @return whether it was done
  private static CompletableFuture<Boolean> again(
      CsiConnection driver, boolean making, String id, BooleanSupplier over) {
    return CompletableFuture.supplyAsync(
        () -> {
          long end = System.nanoTime() + PATIENCE.toNanos();
          while (!over.getAsBoolean())
            try {
              if (making)
                controller(driver)
                    .createVolume(
                        wanted(id, 16 * MIB, mount("ext4"))
                            .putParameters("isPartitioned", "true")
                            .build());
              else delete(driver, id);
              return true;
            } catch (CsiException e) {
              if (System.nanoTime() > end) throw e;
              LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
          return false;
        },
        Thread::startVirtualThread);
  }
}
