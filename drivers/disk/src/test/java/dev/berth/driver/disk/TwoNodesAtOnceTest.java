package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.delete;
import static dev.berth.driver.disk.DiskWorld.detach;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One volume is published and unpublished on several nodes at the same moment (CON-01).
class TwoNodesAtOnceTest {
  private static final int ROUNDS = 50;
  private static final List<String> NODES = List.of("n1", "n2", "n3");

  @AutoClose private DiskWorld world;
  private final Map<String, CsiConnection> drivers = new HashMap<>();
  private CsiConnection driver;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    for (var node : NODES) drivers.put(node, world.node(node));
    driver = on("n1");
  }

  private CsiConnection on(String node) {
    return requireNonNull(drivers.get(node));
  }

  private interface Call {
    void on(String node);
  }

  private static List<Status.Code> onAll(Call call) throws Exception {
    var start = new CyclicBarrier(NODES.size());
    var answers = new ArrayList<Future<Status.Code>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var node : NODES)
        answers.add(
            threads.submit(() -> {
              start.await(30, TimeUnit.SECONDS);
              try {
                call.on(node);
                return Status.Code.OK;
              } catch (CsiException refused) {
                return refused.code();
              }
            }));
    }
    var codes = new ArrayList<Status.Code>();
    for (var answer : answers) codes.add(answer.get());
    return codes;
  }

  private List<String> publishedOn(String id) {
    return DiskWorld.controller(driver)
        .controllerGetVolume(ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build())
        .getStatus()
        .getPublishedNodeIdsList();
  }

  @Test
  void aVolumeForManyComesToAllAndLeavesAllWithoutWaiting() throws Exception {
    var use = block(Mode.MULTI_NODE_MULTI_WRITER);
    var id = createVolume(driver, "many", 16 * MIB, use).getVolumeId();
    for (var round = 0; round < ROUNDS; round++) {
      assertThat(onAll(node -> attach(driver, id, node, use))).containsOnly(Status.Code.OK);
      assertThat(publishedOn(id)).containsExactlyInAnyOrderElementsOf(NODES);
      assertThat(onAll(node -> detach(driver, id, node))).containsOnly(Status.Code.OK);
      assertThat(publishedOn(id)).isEmpty();
    }
  }

  @Test
  void aVolumeForOneComesToOne() throws Exception {
    comesToOne(_ -> driver);
  }

  /// Every node's process serves a controller too; here all are in one process, and none knows of
  /// the others' calls.
  @Test
  void aVolumeForOneComesToOneAlsoThroughSeveralControllers() throws Exception {
    comesToOne(drivers::get);
  }

  private void comesToOne(Function<String, CsiConnection> asked) throws Exception {
    var use = block(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "one", 16 * MIB, use).getVolumeId();
    for (var round = 0; round < ROUNDS; round++) {
      var codes = onAll(node -> attach(asked.apply(node), id, node, use));
      assertThat(codes).filteredOn(it -> it == Status.Code.OK).hasSize(1);
      assertThat(codes)
          .filteredOn(it -> it != Status.Code.OK)
          .allMatch(it -> it == Status.Code.ABORTED || it == Status.Code.FAILED_PRECONDITION);
      assertThat(publishedOn(id)).hasSize(1);
      detach(driver, id, publishedOn(id).getFirst());
    }
  }

  @Test
  void whatComesToANodeIsNotRemoved() throws Exception {
    var use = block(Mode.SINGLE_NODE_WRITER);
    for (var round = 0; round < ROUNDS; round++) {
      var id = createVolume(driver, "v" + round, 16 * MIB, use).getVolumeId();
      var codes =
          onAll(node -> {
            if (node.equals("n1")) delete(on(node), id);
            else attach(on(node), id, node, use);
          });
      var removed = codes.getFirst() == Status.Code.OK;
      assertThat(codes.subList(1, codes.size()))
          .as("removed: %s", removed)
          .filteredOn(it -> it == Status.Code.OK)
          .hasSize(removed ? 0 : 1);
      if (!removed) detach(driver, id, publishedOn(id).getFirst());
    }
  }
}
