package dev.berth.driver.disk.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.disk.controller.Cutter.Cut;
import dev.berth.driver.disk.pool.GroupRecord;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.SnapshotRecord;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.VolumeRecipe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CutterTest {
  @TempDir Path folder;

  /// GRP-04, where the group's line came to disk and its sync failed.
  @Test
  void aGroupThatFailedAtItsLastStepIsGoneAsAWhole() throws IOException {
    try (var pools = Pools.open(List.of(folder.resolve("pool")))) {
      var pool = pools.all().getFirst();
      var cuts = List.of(new Cut(volume(pools, "a"), "g-a"), new Cut(volume(pools, "b"), "g-b"));
      var group = pool.snapshots().freshGroupId("g");
      assertThatThrownBy(() ->
              new Cutter(Policy.USUAL, (_, _) -> () -> {})
                  .cut(
                      pool,
                      cuts,
                      Optional.of(group),
                      members -> {
                        put(pool, group, members);
                        throw new UncheckedIOException(new IOException("Input/output error"));
                      }))
          .hasMessageContaining("Input/output error");
      assertThat(pool.snapshots().group(group)).isEmpty();
      assertThat(pool.snapshots().groupNamed("g")).isEmpty();
      assertThat(pool.snapshots().after("")).isEmpty();
      assertThat(folder.resolve("pool").resolve("snapshots")).isEmptyDirectory();
    }
  }

  private static void put(Pool pool, String group, List<SnapshotRecord> members) {
    members.forEach(pool.snapshots()::put);
    var ids = members.stream().map(SnapshotRecord::id).toList();
    pool.snapshots().put(new GroupRecord(group, "g", ids, Instant.EPOCH, Map.of()));
  }

  private static String volume(Pools pools, String name) {
    var recipe =
        new VolumeRecipe(
            name,
            SizeRange.atLeast(1 << 20),
            List.of(new Usage(new Access.Block(), AccessMode.SINGLE_NODE_WRITER)),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Placement.ANYWHERE);
    return new DiskVolumes(pools, Policy.USUAL, (_, _) -> Optional.empty())
        .create(recipe, Secrets.NONE)
        .id();
  }
}
