package dev.berth.driver.baremetal.manager;

import dev.berth.driver.baremetal.object.DriveIdentity;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// What a drive that is there is called. Several layers of a system say it, each in its own words,
/// and some only a moment after the drive has come: under which of its names a drive is known is
/// decided once, when it is registered (BM-23).
///
/// @param identity the best that can be said of it now
/// @param settled whether no better is to come: under a name that is not settled none is registered
/// @param vids all that any layer has for its vendor, in upper case
/// @param pids likewise for its product
/// @param serials likewise for its serial number
public record DriveNames(
    DriveIdentity identity,
    boolean settled,
    Set<String> vids,
    Set<String> pids,
    Set<String> serials) {
  public DriveNames {
    vids = upper(vids);
    pids = upper(pids);
    serials = upper(serials);
  }

  /// A drive that has one name.
  public static DriveNames of(DriveIdentity identity) {
    return new DriveNames(
        identity, true, Set.of(identity.vid()), Set.of(identity.pid()), Set.of(identity.serial()));
  }

  private static Set<String> upper(Collection<String> words) {
    return words.stream()
        .filter(it -> !it.isBlank())
        .map(it -> it.toUpperCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Whether a drive that is known by this identity can be it (BM-55).
  public boolean bears(DriveIdentity known) {
    return vids.contains(known.vid().toUpperCase(Locale.ROOT))
        && pids.contains(known.pid().toUpperCase(Locale.ROOT))
        && serials.contains(known.serial().toUpperCase(Locale.ROOT));
  }
}
