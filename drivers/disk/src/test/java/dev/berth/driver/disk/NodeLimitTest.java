package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A node takes as many volumes as it says.
class NodeLimitTest {
  private static final int MOST = 4;

  @AutoClose private DiskWorld world;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
  }

  @Test
  void noMoreAlsoIfAllComeAtOnce() throws Exception {
    var driver = world.node(DiskOptions.of(List.of(world.pool), "n1").withMaxVolumes(MOST));
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var ids =
        IntStream.range(0, 40)
            .mapToObj(i -> createVolume(driver, "v" + i, 16 * MIB, use).getVolumeId())
            .toList();
    var answers = new ArrayList<Future<Status.Code>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var id : ids)
        answers.add(
            threads.submit(() -> {
              try {
                attach(driver, id, "n1", use);
                return Status.Code.OK;
              } catch (CsiException e) {
                return e.code();
              }
            }));
    }
    var codes = new ArrayList<Status.Code>();
    for (var answer : answers) codes.add(answer.get());
    assertThat(codes).filteredOn(it -> it == Status.Code.OK).hasSize(MOST);
    assertThat(codes) // ATT-48: for want of a slot, and for nothing else
        .filteredOn(it -> it != Status.Code.OK)
        .hasSize(ids.size() - MOST)
        .containsOnly(Status.Code.RESOURCE_EXHAUSTED);
  }
}
