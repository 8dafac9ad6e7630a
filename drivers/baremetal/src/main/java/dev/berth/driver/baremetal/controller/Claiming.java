package dev.berth.driver.baremetal.controller;

import dev.berth.driver.baremetal.controller.Companions.Companion;
import dev.berth.driver.baremetal.controller.Together.Demand;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Reservation;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Snapshot;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How a volume gets its drive (BM-81). Where its pod needs further drives of the node, these are
/// kept for it by the same call: it has all of them, or none and is sent elsewhere (BM-94).
record Claiming(Registry registry, Caches caches, InstantSource time, Companions companions) {
  AwayDrives away(Snapshot snapshot) {
    return AwayDrives.of(snapshot, time.instant());
  }

  /// Of several calls at once one loses, whatever each has seen.
  ///
  /// @throws Refusal if there is no drive for it, or not enough for its pod
  Drive claim(LocalVolume volume, VolumeRecipe recipe, Wish wish) {
    var asked = companions.of(recipe.name(), !wish.shared());
    while (true) {
      var snapshot = caches.snapshot();
      try {
        var best = best(snapshot, recipe, wish, asked);
        if (wish.shared())
          return registry.claimShare(
              best.getFirst().drive(), volume.meta(), best.getFirst().size());
        var others = missing(snapshot, asked.companions());
        if (others.isEmpty()) return registry.claim(best.getFirst().drive(), volume.meta());
        return registry.claim(together(snapshot, recipe, best, others), volume.meta());
      } catch (ApiException.LostRace _) {
        // once more: by now the caches have what the winner wrote
      } catch (Refusal none) {
        letGo(snapshot, recipe, asked.companions());
        throw none;
      }
    }
  }

  /// The drives that it may have, the best first, where its pod is to be: on the node that is
  /// chosen for it, which whoever asks names first (BM-93), and where a companion has its drive.
  private List<Choice.Offer> best(
      Snapshot snapshot, VolumeRecipe recipe, Wish wish, Companions.Asked asked) {
    var drives = free(snapshot, recipe.name());
    var best = offers(drives, away(snapshot), recipe, wish, asked.forNode());
    var nodes =
        asked.companions().stream()
            .flatMap(it -> taken(snapshot, it).map(Drive::nodeId))
            .collect(Collectors.toSet());
    return best.stream()
        .filter(it -> nodes.isEmpty() || nodes.contains(it.drive().nodeId()))
        .sorted(Comparator.comparing(it -> !isKeptFor(it.drive(), recipe.name())))
        .collect(
            Collectors.collectingAndThen(
                Collectors.toList(),
                here -> {
                  if (!here.isEmpty()) return here;
                  throw Refusal.noRoom(
                      "another volume of the pod of volume %s has a drive of node %s, and this one can have none there"
                          .formatted(recipe.name(), String.join(", ", nodes)));
                }));
  }

  private static List<Choice.Offer> offers(
      List<Drive> drives, AwayDrives away, VolumeRecipe recipe, Wish wish, boolean forNode) {
    var all = recipe.placement();
    if (!forNode || all.preferred().isEmpty())
      return new Choice(wish, recipe.size(), all).candidates(drives, away);
    var node = new Placement(List.of(all.preferred().getFirst()), List.of());
    try {
      return new Choice(wish, recipe.size(), node).candidates(drives, away);
    } catch (Refusal none) {
      boolean elsewhere =
          Choice.fitting(wish, recipe.size(), drives, away).stream()
              .anyMatch(it -> all.accepts(List.of(Choice.place(it))));
      throw elsewhere && none.reason() == Refusal.Reason.OUT_OF_RANGE
          ? Refusal.noRoom(
              Objects.requireNonNullElse(none.getMessage(), "")) // another node is to be chosen
          : none;
    }
  }

  private List<Drive> free(Snapshot snapshot, String volume) {
    var now = time.instant();
    return snapshot.all(BareMetalKinds.DRIVE).stream()
        .filter(it -> it.keptFor(now).filter(other -> !other.equals(volume)).isEmpty())
        .toList();
  }

  private boolean isKeptFor(Drive drive, String volume) {
    return drive.keptFor(time.instant()).filter(volume::equals).isPresent();
  }

  /// Those that have no drive yet.
  private static List<Companion> missing(Snapshot snapshot, List<Companion> all) {
    return all.stream().filter(it -> taken(snapshot, it).findAny().isEmpty()).toList();
  }

  private static Stream<Drive> taken(Snapshot snapshot, Companion companion) {
    var volume = LocalVolume.key(companion.name()).toString();
    return snapshot.all(BareMetalKinds.DRIVE).stream()
        .filter(it -> it.claimant().filter(volume::equals).isPresent());
  }

  private Drive together(
      Snapshot snapshot, VolumeRecipe recipe, List<Choice.Offer> best, List<Companion> others) {
    var node = best.getFirst().drive().nodeId();
    var here = best.stream().map(Choice.Offer::drive).filter(it -> it.nodeId().equals(node));
    var demands = new ArrayList<Demand>();
    demands.add(new Demand(recipe.name(), recipe.size().required(), here.toList()));
    for (var other : others) demands.add(demand(snapshot, other, node));
    var found = Together.of(demands);
    if (found.size() < demands.size())
      throw Refusal.noRoom(
          "the pod of volume %s needs %d more drives of node %s, each for one volume, and can have %d there; free or add drives, or let volumes share one (storageType SHARED)"
              .formatted(recipe.name(), demands.size(), node, found.size()));
    keep(found, others);
    return Objects.requireNonNull(found.get(recipe.name()));
  }

  private Demand demand(Snapshot snapshot, Companion other, String node) {
    var drives = free(snapshot, other.name()).stream().filter(it -> it.nodeId().equals(node));
    var fitting = Choice.fitting(other.wish(), other.size(), drives.toList(), away(snapshot));
    return new Demand(
        other.name(),
        other.size().required(),
        fitting.stream().sorted(Comparator.comparing(it -> !isKeptFor(it, other.name()))).toList());
  }

  /// One that is kept already is kept anew when half of the time is over.
  private void keep(Map<String, Drive> found, List<Companion> others) {
    var now = time.instant();
    for (var other : others) {
      var drive = Objects.requireNonNull(found.get(other.name()));
      if (drive.keptFor(now.plus(Reservation.KEPT.dividedBy(2))).isEmpty())
        registry.keep(drive, new Reservation(other.name(), now.plus(Reservation.KEPT)));
    }
  }

  /// Two pods that each keep what the other lacks would wait for each other.
  private void letGo(Snapshot snapshot, VolumeRecipe recipe, List<Companion> others) {
    var now = time.instant();
    var names =
        Stream.concat(Stream.of(recipe.name()), others.stream().map(Companion::name))
            .collect(Collectors.toSet());
    for (var drive : snapshot.all(BareMetalKinds.DRIVE))
      if (drive.keptFor(now).filter(names::contains).isPresent()) registry.unkeep(drive);
  }
}
