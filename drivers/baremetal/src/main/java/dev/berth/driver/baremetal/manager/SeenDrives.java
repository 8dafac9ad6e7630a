package dev.berth.driver.baremetal.manager;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.Health;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What the passes of one process have shown of the drives of its node. Immutable: each pass makes
/// a new one.
///
/// @param passes how many have succeeded; 0: nobody knows anything yet
/// @param drives by identity
/// @param unsettled sizes of those of which nobody could say yet which they are
/// @param twice identities that two drives bear, or that say too little: nobody gets these (BM-23)
public record SeenDrives(
    long passes, Map<DriveIdentity, Seen> drives, Set<Long> unsettled, Set<DriveIdentity> twice) {
  /// Readings in a row that make a failing drive so (BM-76), and passes without it that make a
  /// drive absent (BM-54).
  private static final int ENOUGH = 2;

  public static final SeenDrives NONE = new SeenDrives(0, Map.of(), Set.of(), Set.of());

  public SeenDrives {
    drives = Map.copyOf(drives);
    unsettled = Set.copyOf(unsettled);
    twice = Set.copyOf(twice);
  }

  /// One drive over the passes.
  ///
  /// @param last as it was found when it was found last
  /// @param missing in how many passes in a row it was not there; 0: it is
  /// @param failing in how many passes in a row it was suspect or bad
  /// @param settled its health, as far as it has been measured often enough
  public record Seen(FoundDrive last, int missing, int failing, Health settled) {
    /// Whether it is there, or was a moment ago.
    public boolean present() {
      return missing < ENOUGH;
    }

    private static Seen first(FoundDrive found) {
      return new Seen(found, 0, 0, Health.UNKNOWN).again(found);
    }

    private Seen again(FoundDrive found) {
      if (!found.health().failing()) return new Seen(found, 0, 0, found.health());
      int times = failing + 1;
      return new Seen(found, 0, times, times >= ENOUGH ? found.health() : settled);
    }

    private Seen absent() {
      return new Seen(last, missing + 1, failing, settled);
    }
  }

  /// What is known after one more pass.
  public SeenDrives after(List<FoundDrive> found) {
    var next = new HashMap<DriveIdentity, Seen>();
    var sizes = new HashSet<Long>();
    for (var drive : found) if (!drive.names().settled()) sizes.add(drive.size());
    drives.forEach((identity, seen) -> {
      if (!seen.last.names().settled()) return; // it has another name by now, or is gone
      next.put(identity, sizes.contains(seen.last.size()) ? seen : seen.absent());
    });
    var once = new HashSet<DriveIdentity>();
    var again = new HashSet<DriveIdentity>();
    for (var drive : found) {
      var identity = drive.identity();
      if (!identity.tells() || !once.add(identity)) again.add(identity);
    }
    for (var drive : found) {
      if (again.contains(drive.identity())) next.remove(drive.identity());
      else next.put(drive.identity(), next(drive));
    }
    return new SeenDrives(passes + 1, next, sizes, again);
  }

  /// What was seen under a name before need not be what is there now.
  private Seen next(FoundDrive found) {
    return Optional.ofNullable(drives.get(found.identity()))
        .filter(it -> it.last.size() == found.size())
        .map(it -> it.again(found))
        .orElseGet(() -> Seen.first(found));
  }

  /// Whether a second pass soon would tell whether a drive is there (BM-54).
  public boolean unsure() {
    return passes == 1 || drives.values().stream().anyMatch(it -> it.missing() == 1);
  }

  /// The drives, by the name that an object has on a node that is made of what they say now.
  public Map<String, Seen> byUuid(String nodeId) {
    var all = new TreeMap<String, Seen>();
    drives.forEach((identity, seen) -> all.put(identity.uuidOn(nodeId), seen));
    return all;
  }

  /// What was seen of a drive that is registered: of the one that says just its name now or, if
  /// none does, of the only one of which any layer says it (BM-23). Never of one that something
  /// else tells from it, nor of one that may be called otherwise in a moment.
  public Optional<Seen> of(Drive registered) {
    var exact =
        Optional.ofNullable(drives.get(registered.identity()))
            .filter(it -> it.last.names().settled() && it.last.canBe(registered));
    if (exact.filter(it -> it.missing == 0).isPresent()) return exact;
    var bearers =
        drives.values().stream()
            .filter(it -> it.missing == 0 && it.last.names().settled() && it.last.canBe(registered))
            .toList();
    return bearers.size() == 1 ? Optional.of(bearers.getFirst()) : exact;
  }

  /// One that has a serial number of a drive that is registered and is another, by all that can be
  /// said now (BM-23).
  public Optional<FoundDrive> takenFor(Drive registered) {
    return present()
        .filter(it -> it.names().settled())
        .filter(it -> it.names().mayBe(registered) && !it.canBe(registered))
        .min(Comparator.comparing(FoundDrive::path));
  }

  /// Whether a drive that is not seen may be one that is there, and of which nobody can say yet
  /// which it is.
  public boolean mayBeUnsettled(Drive registered) {
    return unsettled.contains(registered.size())
        || present().anyMatch(it -> it.names().isUndecided(registered, it.size()));
  }

  private Stream<FoundDrive> present() {
    return drives.values().stream().filter(it -> it.missing == 0).map(Seen::last);
  }
}
