package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.mount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// A volume in use of which everybody wants something at once: clones, snapshots, groups, growth
/// and limits, while drivers are killed.
record CrowdedLife(CrashedLives lives, Fleet fleet) implements CrashedLives.Life {
  private static final VolumeCapability USE = mount(Mode.SINGLE_NODE_WRITER);
  private static final int COPIES = 3;

  @Override
  public void live(int round) throws Exception {
    var name = "crowd-%s-%d".formatted(lives.pool().getFileName(), round);
    var id = lives.create(lives.wish(name, 32 * MIB, USE));
    var here = lives.use(id, name, "n1", USE);
    CrashedLives.write(here.target().resolve("before"), name);
    var clones = new ArrayList<Future<String>>();
    var snapshots = new ArrayList<Future<String>>();
    var groups = new ArrayList<Future<String>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var i = 0; i < COPIES; i++) {
        var copy = name + "-" + i;
        clones.add(threads.submit(() -> cloned(copy, id)));
        snapshots.add(threads.submit(() -> lives.snapshot(copy, id)));
        groups.add(threads.submit(() -> lives.cut(copy, List.of(id)).getGroupSnapshotId()));
      }
      var changes = List.<Callable<Boolean>>of(() -> grown(id), () -> limited(id));
      for (var change : threads.invokeAll(changes)) assertThat(change.get()).isTrue();
    }
    CrashedLives.write(here.target().resolve("after"), name);
    assertThat(capacity(id)).isEqualTo(48 * MIB);
    for (var clone : clones) {
      var there = lives.use(clone.get(), clone.get(), "n2", USE);
      assertThat(there.target().resolve("before")).hasContent(name);
      assertThat(there.target().resolve("after")).doesNotExist();
      lives.leave(clone.get(), there);
      lives.remove(clone.get());
    }
    for (var snapshot : snapshots) lives.forget(snapshot.get());
    for (var group : groups) lives.forgetGroup(group.get());
    lives.leave(id, here);
    lives.remove(id);
  }

  private String cloned(String name, String id) {
    var wish = lives.wish(name, 64 * MIB, USE);
    wish.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(id);
    return lives.create(wish);
  }

  private boolean grown(String id) {
    lives.expand(id, 48 * MIB);
    return true;
  }

  private boolean limited(String id) {
    lives.limit(id);
    return true;
  }

  private long capacity(String id) {
    var request = ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build();
    return Repeated.call(() ->
        DiskWorld.controller(fleet.controller())
            .controllerGetVolume(request)
            .getVolume()
            .getCapacityBytes());
  }
}
