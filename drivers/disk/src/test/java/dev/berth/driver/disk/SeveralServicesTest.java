package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.delete;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.controller.DiskModification;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two services of one process control a pool; none knows of the other's calls.
class SeveralServicesTest {
  private static final int ROUNDS = 40;
  private static final VolumeCapability USE = block(Mode.SINGLE_NODE_WRITER);

  @AutoClose private DiskWorld world;
  private CsiConnection one;
  private CsiConnection other;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    one = world.node("n1");
    other = world.node("n2");
  }

  @Test
  void aRefusedChangeOfLimitsTakesBackNothingElse() throws IOException {
    var id = createVolume(one, "v", 16 * MIB, USE).getVolumeId();
    try (var pools = Pools.open(List.of(world.pool))) {
      var refusing =
          new DiskModification(
              pools,
              (_, _, _) -> {
                expand(one, id, 32 * MIB);
                throw Refusal.wrongState("no control group");
              });
      var volume = pools.find(id).orElseThrow().record().volume();
      assertThatThrownBy(() -> refusing.modify(volume, Map.of("readIops", "0"), Secrets.NONE))
          .isInstanceOf(Refusal.class);
      var record = pools.find(id).orElseThrow().record();
      assertThat(record.capacityBytes()).isEqualTo(32 * MIB);
      assertThat(record.mutable()).isEmpty();
    }
  }

  @Test
  void growthAndLimitsAtOnceAreBothKept() throws Exception {
    var id = createVolume(one, "v", 16 * MIB, USE).getVolumeId();
    try (var pools = Pools.open(List.of(world.pool))) {
      for (var round = 1; round <= ROUNDS; round++) {
        var size = (16 + round) * MIB;
        var none = "0".repeat(round);
        var codes = both(() -> expand(one, id, size), () -> limit(other, id, none));
        assertThat(codes).containsOnly(Status.Code.OK);
        var record = pools.find(id).orElseThrow().record();
        assertThat(record.capacityBytes()).isEqualTo(size);
        assertThat(record.mutable()).containsEntry("readIops", none);
        assertThat(world.image(id)).hasSize(size);
        assertThat(pools.all().getFirst().promises().provisioned()).isEqualTo(size);
      }
    }
  }

  @Test
  void growthAtOnceEndsAtTheLargest() throws Exception {
    var id = createVolume(one, "v", 16 * MIB, USE).getVolumeId();
    try (var pools = Pools.open(List.of(world.pool))) {
      for (var round = 1; round <= ROUNDS; round++) {
        var size = (16 + 2 * round) * MIB;
        var codes = both(() -> expand(one, id, size), () -> expand(other, id, size - MIB));
        assertThat(codes).isSubsetOf(Status.Code.OK, Status.Code.ABORTED);
        expand(one, id, size);
        var record = pools.find(id).orElseThrow().record();
        assertThat(record.capacityBytes()).isEqualTo(size);
        assertThat(world.image(id)).hasSize(size);
        assertThat(pools.all().getFirst().promises().provisioned()).isEqualTo(size);
      }
    }
  }

  @Test
  void aNameIsOneVolumeAndGoesOnce() throws Exception {
    try (var pools = Pools.open(List.of(world.pool))) {
      for (var round = 0; round < ROUNDS; round++) {
        var name = "v" + round;
        var ids = new ArrayList<String>();
        for (var answer :
            answers(
                () -> createVolume(one, name, 16 * MIB, USE).getVolumeId(),
                () -> createVolume(other, name, 16 * MIB, USE).getVolumeId()))
          answer.ifPresent(ids::add);
        var id = createVolume(one, name, 16 * MIB, USE).getVolumeId();
        assertThat(ids).isNotEmpty().containsOnly(id);
        assertThat(world.volumeFiles()).containsExactly(id + ".img");
        both(() -> delete(one, id), () -> delete(other, id));
        assertThat(pools.find(id)).isEmpty();
        assertThat(pools.all().getFirst().promises().provisioned()).isZero();
      }
    }
  }

  @Test
  void aNameIsOneSnapshot() throws Exception {
    var id = createVolume(one, "v", 16 * MIB, USE).getVolumeId();
    for (var round = 0; round < ROUNDS; round++) {
      var name = "s" + round;
      var ids = new ArrayList<String>();
      for (var answer : answers(() -> snapshot(one, name, id), () -> snapshot(other, name, id)))
        answer.ifPresent(ids::add);
      assertThat(ids).isNotEmpty().containsOnly(snapshot(one, name, id));
      assertThat(world.files("snapshots")).hasSize(round + 1);
    }
  }

  private static String snapshot(CsiConnection driver, String name, String id) {
    return controller(driver)
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId(id).build())
        .getSnapshot()
        .getSnapshotId();
  }

  private static void expand(CsiConnection driver, String id, long bytes) {
    var request = ControllerExpandVolumeRequest.newBuilder().setVolumeId(id);
    request.getCapacityRangeBuilder().setRequiredBytes(bytes);
    controller(driver).controllerExpandVolume(request.build());
  }

  /// @param none zeroes: no limit, in other words each time
  private static void limit(CsiConnection driver, String id, String none) {
    controller(driver)
        .controllerModifyVolume(
            ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId(id)
                .putMutableParameters("readIops", none)
                .build());
  }

  private static List<Status.Code> both(Runnable first, Runnable second) throws Exception {
    var codes = new ArrayList<Status.Code>();
    for (var call : atOnce(List.of(coded(first), coded(second)))) codes.add(call.get());
    return codes;
  }

  private static Callable<Status.Code> coded(Runnable call) {
    return () -> {
      try {
        call.run();
        return Status.Code.OK;
      } catch (CsiException refused) {
        return refused.code();
      }
    };
  }

  /// @return empty: ABORTED
  private static List<Optional<String>> answers(Callable<String> first, Callable<String> second)
      throws Exception {
    var answers = new ArrayList<Optional<String>>();
    for (var call : atOnce(List.of(aborting(first), aborting(second)))) answers.add(call.get());
    return answers;
  }

  private static Callable<Optional<String>> aborting(Callable<String> call) {
    return () -> {
      try {
        return Optional.of(call.call());
      } catch (CsiException refused) {
        assertThat(refused.code()).as(refused.description()).isEqualTo(Status.Code.ABORTED);
        return Optional.empty();
      }
    };
  }

  private static <T> List<Future<T>> atOnce(List<Callable<T>> calls) {
    var start = new CyclicBarrier(calls.size());
    var futures = new ArrayList<Future<T>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var call : calls)
        futures.add(
            threads.submit(() -> {
              start.await(30, TimeUnit.SECONDS);
              return call.call();
            }));
    }
    return futures;
  }
}
