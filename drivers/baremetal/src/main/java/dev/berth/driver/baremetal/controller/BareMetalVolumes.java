package dev.berth.driver.baremetal.controller;

import dev.berth.driver.baremetal.node.NodeVolumes;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Layout;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Share;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.driver.baremetal.verdict.VolumeVerdict;
import dev.berth.driver.model.Ailment;
import dev.berth.driver.model.Condition;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.driver.spi.Capacity;
import dev.berth.driver.spi.Expansion;
import dev.berth.driver.spi.Health;
import dev.berth.driver.spi.Listing;
import dev.berth.driver.spi.Volumes;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.ObjectKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/// CSI's controller side. A volume is an object first: it says what was asked for, then it claims a
/// drive, then its node prepares it. Called again after any of these it goes on from there.
public final class BareMetalVolumes implements Volumes, Listing, Capacity, Health, Expansion {
  /// Who asks has a deadline of his own, usually 10 s, and asks again.
  private static final Duration PATIENCE = Duration.ofSeconds(8);

  /// Linux refuses to make a btrfs less than this, whatever it was before.
  private static final long SMALLEST_GROWN_BTRFS = 256L << 20;

  /// What is to be cached for it beside the kinds of its own.
  public static final Set<Kind<?>> KINDS = Companions.KINDS;

  private final Registry registry;
  private final Caches caches;
  private final Claiming claiming;
  private final VolumeNews news;

  /// @param driver its name
  public BareMetalVolumes(Caches caches, InstantSource time, String driver) {
    this.caches = caches;
    this.registry = new Registry(caches.api());
    this.claiming = new Claiming(registry, caches, time, new Companions(caches, driver));
    this.news = new VolumeNews(caches);
  }

  @Override
  public Optional<Volume> named(String name) {
    return registry
        .volume(LocalVolume.key(name))
        .filter(it -> it.made() && it.status() != CsiStatus.FAILED)
        .map(BareMetalVolumes::shown);
  }

  @Override
  public Optional<Volume> volume(String id) {
    return registry
        .volume(LocalVolume.key(id))
        .filter(it -> it.id().equals(id))
        .map(BareMetalVolumes::shown);
  }

  private static Volume shown(LocalVolume volume) {
    return new Volume(
        volume.id(),
        volume.size(),
        Map.of(),
        volume.nodeId().isEmpty()
            ? List.of()
            : List.of(Topology.of(NodeVolumes.TOPOLOGY, volume.nodeId())),
        volume.recipe());
  }

  @Override
  public Volume create(VolumeRecipe recipe, Secrets secrets) {
    var wish = Wish.of(recipe.usages(), recipe.parameters());
    var key = LocalVolume.key(recipe.name());
    var begun = begun(recipe, wish, key);
    var volume = begun.volume;
    var drive = claimed(recipe, wish, begun);
    if (volume.location().isEmpty()) located(volume, drive, wish);
    return prepared(key);
  }

  /// A volume's object.
  ///
  /// @param fresh made by this call: no other has claimed a drive for it
  private record Begun(LocalVolume volume, boolean fresh) {}

  /// The object that says what is wanted; a call that was cut off may have made it.
  private Begun begun(VolumeRecipe recipe, Wish wish, ObjectKey key) {
    var there = registry.volume(key);
    boolean fresh = false;
    if (there.isEmpty()) {
      try {
        var draft =
            LocalVolume.draft(
                recipe, wish.fsType(), wish.wipe(), wish.storageType(), wish.layout());
        registry.api().create(BareMetalKinds.VOLUMES, draft);
        fresh = true;
      } catch (ApiException.LostRace lost) {
        if (!lost.nameTaken()) throw lost;
      }
      there = registry.volume(key);
    }
    var volume = there.orElseThrow(() -> Refusal.busy("volume %s is being deleted".formatted(key)));
    if (volume.meta().deleting() || volume.status() == CsiStatus.REMOVING)
      throw Refusal.busy("volume %s is being deleted".formatted(key));
    // BM-100
    if (volume.status() == CsiStatus.FAILED)
      throw new Refusal(
          Refusal.Reason.FAILED,
          "volume %s could not be made: %s".formatted(volume.id(), volume.message()));
    // BM-101
    if (!volume.recipe().encode().equals(recipe.encode()))
      throw Refusal.existsDifferently(
          "volume %s is being made from another request".formatted(volume.id()));
    return new Begun(volume, fresh);
  }

  /// The drive that it has, or gets now (BM-81). Who finds none leaves nothing behind.
  private Drive claimed(VolumeRecipe recipe, Wish wish, Begun begun) {
    var volume = begun.volume;
    var key = volume.meta().key();
    if (!volume.location().isEmpty())
      return registry
          .drive(ObjectKey.cluster(volume.location()))
          .orElseThrow(() -> Refusal.wrongState("the drive of volume %s is gone".formatted(key)));
    // a claim of a call that was cut off may be one that was never seen here
    var mine = begun.fresh ? List.<Drive>of() : registry.drivesOf(volume.meta());
    if (!mine.isEmpty()) return mine.getFirst();
    try {
      return claiming.claim(volume, recipe, wish);
    } catch (Refusal none) {
      registry.forget(volume);
      throw none;
    }
  }

  /// Who comes too late with the drive that it has claimed gives it back: another call has found
  /// one, or the volume is deleted.
  private void located(LocalVolume volume, Drive drive, Wish wish) {
    var key = volume.meta().key();
    try {
      long size = drive.sharing().of(volume.meta()).map(Share::size).orElse(drive.size());
      registry.locate(volume, drive, wish.fsTypeOf(size), size);
      begin(key);
    } catch (ApiException refused) {
      if (!(refused instanceof ApiException.LostRace) && !refused.isNotFound()) throw refused;
      var now = registry.volume(key).filter(it -> it.meta().uid().equals(volume.meta().uid()));
      if (now.filter(it -> it.location().equals(drive.uuid())).isPresent()) return;
      if (now.isEmpty() || !now.get().location().isEmpty())
        registry.giveBack(drive.meta().key(), volume.meta());
      throw Refusal.busy("volume %s is written to by another call".formatted(key));
    }
  }

  private void begin(ObjectKey key) {
    try {
      registry.move(key, CsiStatus.CREATING);
    } catch (IllegalStateException _) {
      // its node was faster, or somebody deletes it: both are seen next
    }
  }

  private Volume prepared(ObjectKey key) {
    try {
      boolean done =
          news.await(key, it -> it.isEmpty() || it.get().status() != CsiStatus.CREATING, PATIENCE);
      var volume = registry.volume(key);
      if (!done || volume.isEmpty() || volume.get().status() == CsiStatus.CREATING)
        throw Refusal.busy("volume %s is still being prepared by its node".formatted(key));
      if (volume.get().status() == CsiStatus.FAILED)
        throw new Refusal(
            Refusal.Reason.FAILED,
            "volume %s could not be made: %s".formatted(key, volume.get().message()));
      return shown(volume.get());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Refusal.busy("volume %s is still being prepared by its node".formatted(key));
    }
  }

  /// BM-102, BM-103.
  @Override
  public void delete(Volume volume, Secrets secrets) {
    new Removal(registry, news, PATIENCE).remove(volume.id());
  }

  @Override
  public Stream<Volume> volumesAfter(String after) {
    return caches.snapshot().all(BareMetalKinds.VOLUME).stream()
        .filter(LocalVolume::made)
        .filter(it -> it.id().compareTo(after) > 0)
        .sorted(Comparator.comparing(LocalVolume::id))
        .map(BareMetalVolumes::shown);
  }

  /// BM-83: three drives of 1 TB have no room for 3 TB.
  @Override
  public Room room(List<Usage> usages, Map<String, String> parameters, Optional<Topology> where) {
    Wish wish;
    try {
      wish = Wish.of(usages, parameters);
    } catch (Refusal refused) {
      if (refused.reason() == Refusal.Reason.WRONG_STATE) return Room.NONE; // BM-221
      throw refused;
    }
    var snapshot = caches.snapshot();
    var away = claiming.away(snapshot);
    var sizes =
        snapshot.all(BareMetalKinds.DRIVE).stream()
            .filter(away::isNone)
            .filter(drive -> where.isEmpty() || where.get().contains(Choice.place(drive)))
            .mapToLong(wish::offered)
            .filter(bytes -> bytes > 0)
            .summaryStatistics();
    if (sizes.getCount() == 0) return Room.NONE;
    return new Room(sizes.getSum(), OptionalLong.of(sizes.getMax()), OptionalLong.empty());
  }

  @Override
  public Condition condition(Volume volume) {
    var known = caches.snapshot().get(BareMetalKinds.VOLUME, LocalVolume.key(volume.id())).found();
    if (known.isEmpty())
      return Condition.abnormal(
          Ailment.Kind.INACCESSIBLE, "VolumeRemoved", "the volume has been removed");
    var drive =
        known
            .get()
            .drive()
            .flatMap(key -> caches.snapshot().get(BareMetalKinds.DRIVE, key).found());
    return VolumeVerdict.condition(VolumeVerdict.ailments(known.get(), drive));
  }

  @Override
  public When when() {
    return When.ONLINE;
  }

  /// BM-104: a volume that has a drive for itself is as large as the drive from the start; one that
  /// shares grows as long as its drive has room.
  @Override
  public Expanded expand(Volume volume, SizeRange size, Optional<Usage> usage, Secrets secrets) {
    var known =
        registry
            .volume(LocalVolume.key(volume.id()))
            .orElseThrow(() -> Refusal.noSuchVolume(volume.id()));
    if (known.layout() == Layout.SHARE) return expandShare(known, size);
    if (size.required() > volume.capacityBytes())
      throw Refusal.outOfRange(
          "volume %s is a whole drive of %d bytes and cannot have %d; make a volume on a larger drive and move the data"
              .formatted(volume.id(), volume.capacityBytes(), size.required()));
    return new Expanded(volume.capacityBytes(), Expanded.NodeStep.NONE);
  }

  private Expanded expandShare(LocalVolume volume, SizeRange size) {
    if (size.required() <= volume.size())
      return new Expanded(volume.size(), Expanded.NodeStep.REQUIRED);
    long wanted =
        size.choose(volume.size(), 1L << 20)
            .orElseThrow(
                () -> Refusal.outOfRange("no multiple of 1 MiB is in the range of " + size));
    if (volume.fsType().equals("btrfs") && wanted < SMALLEST_GROWN_BTRFS)
      throw Refusal.outOfRange(
          "volume %s cannot have %d bytes: a btrfs grows to %d bytes or more, or not at all; ask for that"
              .formatted(volume.id(), wanted, SMALLEST_GROWN_BTRFS));
    var drive = volume.drive().orElseThrow();
    if (!registry.growShare(drive, volume.meta(), wanted))
      throw Refusal.outOfRange(
          "volume %s cannot have %d bytes: the drive that it shares has no room for them; move another volume away, or make a larger volume elsewhere"
              .formatted(volume.id(), wanted));
    registry.resize(volume.meta().key(), wanted);
    return new Expanded(wanted, Expanded.NodeStep.REQUIRED);
  }
}
