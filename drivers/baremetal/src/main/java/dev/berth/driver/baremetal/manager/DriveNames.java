package dev.berth.driver.baremetal.manager;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a drive that is there is called. Several layers of a system say it, each in its own words,
/// and some only a moment after the drive has come: under which of its names a drive is known is
/// decided once, when it is registered (BM-23).
///
/// @param identity the best that can be said of it now
/// @param settled whether no better is to come: under a name that is not settled none is registered
/// @param complete whether every layer has spoken that knows of drives: what none says then it does
///   not have. What is not settled is not complete
/// @param vids all that any layer has for its vendor, in upper case
/// @param pids likewise for its product
/// @param serials likewise for its serial number
public record DriveNames(
    DriveIdentity identity,
    boolean settled,
    boolean complete,
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
        identity,
        true,
        true,
        Set.of(identity.vid()),
        Set.of(identity.pid()),
        Set.of(identity.serial()));
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

  /// Whether this is what it says of itself, and no other layer's word.
  private boolean isCalled(DriveIdentity known) {
    return DriveNames.of(identity).bears(known);
  }

  /// Whether any serial number is known of both, whatever tells them apart: who has written to the
  /// one gives the other to nobody.
  public boolean sharesSerial(Drive registered) {
    return Stream.concat(Stream.of(registered.identity().serial()), registered.knownAs().stream())
        .anyMatch(this::hasSerial);
  }

  /// Whether it may be the drive that is registered so: it shares a serial number or, as long as
  /// not every layer speaks, has one that any layer has ever said of the drive. What udev alone has
  /// said of a disk is gone with its note, for good where udev has gone.
  public boolean mayBe(Drive registered) {
    return sharesSerial(registered)
        || (!complete && registered.alsoSerials().stream().anyMatch(this::hasSerial));
  }

  private boolean hasSerial(String serial) {
    return serials.contains(serial.toUpperCase(Locale.ROOT));
  }

  /// Whether it can be the drive that is registered so, by all that is known of both (BM-23,
  /// BM-55): a name alone may be a whole shelf's, as that of a bridge.
  ///
  /// @param size bytes that it has; 0: nobody can say
  public boolean canBe(Drive registered, long size) {
    return difference(registered, size).isEmpty();
  }

  /// Whether it is larger than a drive that says just the same of itself: a virtual disk grows. A
  /// name that is only one of several may be another's.
  public boolean hasGrown(Drive registered, long size) {
    return size > registered.size() && settled && isCalled(registered.identity());
  }

  /// Whether nobody can say if it is the drive that is registered so, before a layer speaks that is
  /// silent now.
  public boolean isUndecided(Drive registered, long size) {
    if (!settled || !sharesSerial(registered))
      return !complete && size >= registered.size() && mayBe(registered);
    return !complete
        && bears(registered.identity())
        && otherSize(registered, size).isEmpty()
        && otherSerial(registered).isPresent();
  }

  /// What tells it from a drive of which it has a serial number, in words that follow "it"; empty:
  /// nothing.
  public Optional<String> difference(Drive registered, long size) {
    if (!bears(registered.identity())) return Optional.of("is %s".formatted(identity));
    return otherSize(registered, size).or(() -> otherSerial(registered));
  }

  private Optional<String> otherSize(Drive registered, long size) {
    return size == 0 || size == registered.size() || hasGrown(registered, size)
        ? Optional.empty()
        : Optional.of("has %d bytes, not %d".formatted(size, registered.size()));
  }

  private Optional<String> otherSerial(Drive registered) {
    return registered
        .knownAs()
        .filter(it -> !hasSerial(it))
        .map("does not have the serial number %s, too"::formatted);
  }
}
