package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.controller.PoolRoom.Answer.Busy;
import dev.berth.driver.disk.controller.PoolRoom.Answer.Full;
import dev.berth.driver.disk.controller.PoolRoom.Answer.Granted;
import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.FullDisk;
import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Promises.Taking;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.linux.file.Space;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Makes volumes: chooses the pool, takes the room, makes the backing file, then the record.
record Maker(Pools pools, Policy policy) {

  /// What comes into the backing file before the volume exists.
  interface Filling {
    /// Writes into a backing file.
    ///
    /// @param image in its full size
    /// @return bytes in a sector of the disk
    int fill(Path image);
  }

  /// The pool of a new volume, and the room that it may take there now.
  private record Place(Pool pool, Taking taking) {}

  /// What a volume is to be.
  ///
  /// @param size in bytes
  /// @param filled bytes that its filling takes on the disk
  /// @param suitable the pools in which the data can be had; all for a blank volume
  record Wish(VolumeRecipe recipe, long size, long filled, Predicate<Pool> suitable) {
    static Wish blank(VolumeRecipe recipe, long size) {
      return new Wish(recipe, size, 0, _ -> true);
    }
  }

  VolumeRecord make(Wish wish, Filling filling) {
    var name = wish.recipe.name();
    try (var _ = pools.holdName("volume", name)) {
      // Another service was sooner (CON-02).
      if (pools.named(name).isPresent())
        throw Refusal.busy(
            "volume %s has just been made by another call; ask again".formatted(name));
      return makeNew(wish, filling);
    }
  }

  private VolumeRecord makeNew(Wish wish, Filling filling) {
    var recipe = wish.recipe;
    var size = wish.size;
    var parameters = Parameters.of(recipe.parameters());
    var thick = parameters.allocation() == Allocation.THICK;
    var place = place(wish, parameters, thick ? size : wish.filled);
    var pool = place.pool();
    var id = pool.volumes().freshId(recipe.name());
    try (var _ = place.taking;
        var _ = pool.holds().volume(id)) { // so that fsck can tell it from what is left behind
      pool.volumes().makeImage(id, size);
      var sector = filling.fill(pool.volumes().image(id));
      pool.volumes().growImage(id, size);
      if (thick) Space.reserve(pool.volumes().image(id), size);
      var record =
          new VolumeRecord(
              id, size, sector, PoolRoom.zones(pool), recipe, recipe.mutableParameters());
      pool.volumes().add(record);
      return record;
    } catch (RuntimeException e) {
      pool.promises().provision(-size);
      throw FullDisk.told(undone(e, pool, id), pool);
    }
  }

  /// Nothing knows of it yet; if that cannot be made sure, it is there when it is asked for again.
  private static RuntimeException undone(RuntimeException failure, Pool pool, String id) {
    try {
      pool.volumes().remove(id);
      return failure;
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      return Refusal.askAgain(
          "volume %s may or may not be there: %s".formatted(id, failure.getMessage()), failure);
    }
  }

  /// A pool with room that is promised to us by now: the one that is wanted most.
  private Place place(Wish wish, Parameters parameters, long atOnce) {
    var recipe = wish.recipe;
    var placement = recipe.placement();
    var all = suitable(parameters.pool(), wish.suitable);
    if (isLimited(recipe)) checkLimits(all);
    var reachable =
        all.stream().filter(room -> room.accepts(placement)).sorted(byWish(placement)).toList();
    // TOP-04
    if (reachable.isEmpty())
      throw Refusal.noRoom(
              "no pool that can hold the volume is reachable from %s; there are %s"
                  .formatted(
                      placement.requisite(),
                      rooms().stream().flatMap(it -> it.places().stream()).toList()))
          .as("disk/unreachable");
    var busy = Optional.<PoolRoom>empty();
    for (var room : keeping(recipe, reachable))
      switch (room.ask(wish.size, atOnce)) {
        case Granted(var taking) -> {
          return new Place(room.pool(), taking);
        }
        case Busy _ -> busy = Optional.of(room);
        case Full _ -> {}
      }
    throw busy.map(PoolRoom::busy).orElseGet(() -> full(wish, reachable));
  }

  private static Refusal full(Wish wish, List<PoolRoom> reachable) {
    return Refusal.noRoom(
            "%d bytes do not fit, %d are left; remove volumes or add a pool"
                .formatted(wish.size, reachable.stream().mapToLong(PoolRoom::left).max().orElse(0)))
        .as("disk/pool-full");
  }

  /// Whether a node among those asked for can keep limits counts only if another could: then the
  /// caller may come with other places.
  private static void checkLimits(List<PoolRoom> rooms) {
    if (keeping(Placement.ANYWHERE, rooms).isEmpty())
      throw Refusal.invalid(
          LimitKeepers.whyNone(rooms.getFirst().pool(), Placement.ANYWHERE).orElseThrow()
              + "; leave out the limits");
  }

  /// Those with a node among the ones asked for that can keep the wanted limits.
  private static List<PoolRoom> keeping(VolumeRecipe recipe, List<PoolRoom> reachable) {
    if (!isLimited(recipe)) return reachable;
    var placement = recipe.placement();
    var there = keeping(placement, reachable);
    if (there.isEmpty())
      throw Refusal.noRoom(
              LimitKeepers.whyNone(reachable.getFirst().pool(), placement).orElseThrow()
                  + "; leave out the limits, or ask for another place")
          .as("disk/limits");
    return there;
  }

  private static boolean isLimited(VolumeRecipe recipe) {
    return !Limits.of(recipe.mutableParameters()).equals(Limits.NONE);
  }

  private static List<PoolRoom> keeping(Placement placement, List<PoolRoom> rooms) {
    return rooms.stream()
        .filter(room -> LimitKeepers.whyNone(room.pool(), placement).isEmpty())
        .toList();
  }

  /// Wherever they are reachable from.
  private List<PoolRoom> suitable(String wanted, Predicate<Pool> suitable) {
    var named =
        rooms().stream().filter(it -> wanted.isEmpty() || name(it.pool()).equals(wanted)).toList();
    if (named.isEmpty())
      throw Refusal.invalid(
          "parameter pool is %s; there are %s"
              .formatted(wanted, rooms().stream().map(it -> name(it.pool())).toList()));
    var all = named.stream().filter(it -> suitable.test(it.pool())).toList();
    if (all.isEmpty())
      throw Refusal.invalid(
          "parameter pool is %s, but what the volume is made from is in another pool"
              .formatted(wanted));
    return all;
  }

  private static Comparator<PoolRoom> byWish(Placement placement) {
    Comparator<PoolRoom> byPreference =
        Comparator.comparingInt(room -> {
          var preferred = placement.preferred();
          for (var i = 0; i < preferred.size(); i++)
            if (new Placement(List.of(preferred.get(i)), List.of()).accepts(room.places()))
              return i;
          return preferred.size();
        });
    return byPreference.thenComparing(Comparator.comparingLong(PoolRoom::left).reversed());
  }

  List<PoolRoom> rooms() {
    return pools.all().stream().map(pool -> new PoolRoom(pool, policy)).toList();
  }

  static String name(Pool pool) {
    return String.valueOf(pool.folder().getFileName());
  }
}
