package dev.berth.driver.baremetal.controller;

import dev.berth.driver.baremetal.controller.Companions.Companion;
import dev.berth.driver.baremetal.controller.Together.Demand;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Reservation;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Snapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// How a volume gets its drive (BM-81). Where its pod needs further drives of the node, these are
/// kept for it by the same call: it has all of them, or none and is sent elsewhere (BM-94).
record Claiming(Registry registry, Caches caches, InstantSource time, Companions companions) {
  /// So long its companions have time to be asked for, which is at once as a rule.
  private static final Duration KEPT = Duration.ofMinutes(2);

  AwayDrives away(Snapshot snapshot) {
    return AwayDrives.of(snapshot, time.instant());
  }

  /// Of several calls at once one loses, whatever each has seen.
  ///
  /// @throws Refusal if there is no drive for it, or not enough for its pod
  Drive claim(LocalVolume volume, VolumeRecipe recipe, Wish wish) {
    var choice = new Choice(wish, recipe.size(), recipe.placement());
    while (true) {
      try {
        var snapshot = caches.snapshot();
        var best = choice.candidates(free(snapshot, recipe.name()), away(snapshot));
        if (wish.shared())
          return registry.claimShare(
              best.getFirst().drive(), volume.meta(), best.getFirst().size());
        var others = missing(snapshot, companions.of(recipe.name()));
        if (others.isEmpty()) return registry.claim(best.getFirst().drive(), volume.meta());
        return registry.claim(together(snapshot, recipe, best, others), volume.meta());
      } catch (ApiException.LostRace _) {
        // once more: by now the caches have what the winner wrote
      }
    }
  }

  private List<Drive> free(Snapshot snapshot, String volume) {
    var now = time.instant();
    return snapshot.all(BareMetalKinds.DRIVE).stream()
        .filter(it -> it.keptFor(now).filter(other -> !other.equals(volume)).isEmpty())
        .toList();
  }

  /// Those that have no drive yet.
  private static List<Companion> missing(Snapshot snapshot, List<Companion> all) {
    if (all.isEmpty()) return all;
    var taken =
        snapshot.all(BareMetalKinds.DRIVE).stream().flatMap(it -> it.claimant().stream()).toList();
    return all.stream()
        .filter(it -> !taken.contains(LocalVolume.key(it.name()).toString()))
        .toList();
  }

  private Drive together(
      Snapshot snapshot, VolumeRecipe recipe, List<Choice.Offer> best, List<Companion> others) {
    var node = best.getFirst().drive().nodeId();
    var here = best.stream().map(Choice.Offer::drive).filter(it -> it.nodeId().equals(node));
    var demands = new ArrayList<Demand>();
    demands.add(new Demand(recipe.name(), recipe.size().required(), here.toList()));
    for (var other : others) demands.add(demand(snapshot, other, node));
    var found = Together.of(demands);
    if (found.size() < demands.size()) {
      letGo(snapshot, node, demands);
      throw Refusal.noRoom(
          "the pod of volume %s needs %d more drives of node %s, each for one volume, and can have %d there; free or add drives, or let volumes share one (storageType SHARED)"
              .formatted(recipe.name(), demands.size(), node, found.size()));
    }
    keep(found, others);
    return Objects.requireNonNull(found.get(recipe.name()));
  }

  private Demand demand(Snapshot snapshot, Companion other, String node) {
    var drives = free(snapshot, other.name()).stream().filter(it -> it.nodeId().equals(node));
    return new Demand(
        other.name(),
        other.size().required(),
        Choice.fitting(other.wish(), other.size(), drives.toList(), away(snapshot)));
  }

  private void keep(Map<String, Drive> found, List<Companion> others) {
    var until = time.instant().plus(KEPT);
    for (var other : others) {
      var drive = Objects.requireNonNull(found.get(other.name()));
      if (drive.keptFor(time.instant()).isEmpty())
        registry.keep(drive, new Reservation(other.name(), until));
    }
  }

  /// Two pods that each keep what the other lacks would wait for each other.
  private void letGo(Snapshot snapshot, String node, List<Demand> demands) {
    var now = time.instant();
    var names = demands.stream().map(Demand::volume).collect(Collectors.toSet());
    for (var drive : snapshot.all(BareMetalKinds.DRIVE))
      if (drive.nodeId().equals(node) && drive.keptFor(now).filter(names::contains).isPresent())
        registry.unkeep(drive);
  }
}
