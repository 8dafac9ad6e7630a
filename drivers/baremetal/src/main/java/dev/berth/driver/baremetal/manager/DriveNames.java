package dev.berth.driver.baremetal.manager;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
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

  /// Whether it is called so by any layer.
  public boolean bears(DriveIdentity known) {
    return vids.contains(known.vid().toUpperCase(Locale.ROOT))
        && pids.contains(known.pid().toUpperCase(Locale.ROOT))
        && serials.contains(known.serial().toUpperCase(Locale.ROOT));
  }

  /// Whether it can be the drive that is registered so, by all that is known of both (BM-23,
  /// BM-55): a name alone may be a whole shelf's, as that of a bridge.
  ///
  /// @param size bytes that it has; 0: nobody can say
  public boolean canBe(Drive registered, long size) {
    return bears(registered.identity()) && difference(registered, size).isEmpty();
  }

  /// What tells it from a drive whose name it bears, in words that follow "it"; empty: nothing.
  public Optional<String> difference(Drive registered, long size) {
    if (size != 0 && size != registered.size())
      return Optional.of("has %d bytes, not %d".formatted(size, registered.size()));
    return registered
        .knownAs()
        .filter(it -> !serials.contains(it.toUpperCase(Locale.ROOT)))
        .map("does not have the serial number %s, too"::formatted);
  }
}
