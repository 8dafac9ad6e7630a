package dev.berth.controller;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeMode;
import dev.berth.kube.value.Quantity;
import dev.berth.volume.Users;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Which existing volume serves a claim (section 3.7). Free volumes are found by class, volume
/// mode, access modes and size, so that ten thousand of them do not slow a bind (PERF-02).
public final class VolumeMatch {
  /// Every set of access modes, the smallest first.
  private static final List<Set<AccessMode>> SETS_OF_MODES = setsOfModes();

  private static final Index<Volume> FREE_BY_CLASS =
      new Index<>(
          Kinds.VOLUME,
          "free, by class",
          volume -> free(volume) ? List.of(volume.className()) : List.of());

  private static final Index<Volume> FREE_BY_SHAPE =
      new Index<>(
          Kinds.VOLUME,
          "free, by class, modes and size",
          volume -> free(volume) ? List.of(shape(volume)) : List.of());

  private static final Index<Volume> FREE_BY_PLACE =
      new Index<>(
          Kinds.VOLUME,
          "free, by class, modes, size and where it is",
          volume ->
              free(volume)
                  ? Places.of(volume).stream().map(place -> at(place, shape(volume))).toList()
                  : List.of());

  /// A node has a dozen labels, and free volumes are at one or two of them: the others are left out
  /// before every shape is looked for at each.
  private static final Index<Volume> FREE_AT_PLACE =
      new Index<>(
          Kinds.VOLUME,
          "free, by class and where it is",
          volume ->
              free(volume)
                  ? Places.of(volume).stream().map(place -> at(place, volume.className())).toList()
                  : List.of());

  private VolumeMatch() {}

  /// Whether a volume waits for a claim.
  public static boolean free(Volume volume) {
    return volume.claim().isEmpty()
        && volume.phase() == Volume.Phase.AVAILABLE
        && !volume.meta().deleting();
  }

  /// The volume that is reserved for the claim and can serve it; phase, selector and class do not
  /// count (MATCH-02, MATCH-03). One that is too small or of the wrong mode is passed over
  /// (MATCH-04); one that already names the claim's uid comes before one that names it by name
  /// only.
  public static Optional<Volume> reserved(Snapshot objects, Claim claim) {
    return new Users(objects)
        .reserved(claim.meta().key()).stream()
            .filter(volume -> volume.claim().filter(ref -> ref.names(claim)).isPresent())
            .filter(volume -> serves(claim, volume))
            .min(
                Comparator.comparing(
                        (Volume volume) -> volume.claim().orElseThrow().uid().isEmpty())
                    .thenComparingInt(volume -> volume.accessModes().size())
                    .thenComparing(volume -> volume.meta().key()));
  }

  /// The smallest free volume of the claim's class that fits, of those with the fewest access modes
  /// more than asked for (MATCH-01, MATCH-06). A claim with a data source gets none, since a volume
  /// that was there before does not hold that data (MATCH-07).
  public static Optional<Volume> smallestFree(Snapshot objects, Claim claim) {
    return smallestFree(objects, claim, shape -> objects.by(FREE_BY_SHAPE, shape).stream());
  }

  /// The same, of those that the node reaches. Volumes of other machines are not looked at.
  ///
  /// @param usable what else the caller asks of the volume
  public static Optional<Volume> smallestFree(
      Snapshot objects, Claim claim, Node node, Predicate<Volume> usable) {
    if (!anyFree(objects, claim)) return Optional.empty();
    var className = claim.className().orElse("");
    var places =
        Places.of(node).stream()
            .filter(place -> !objects.by(FREE_AT_PLACE, at(place, className)).isEmpty())
            .toList();
    if (places.isEmpty()) return Optional.empty();
    return smallestFree(
        objects,
        claim,
        shape ->
            places.stream()
                .flatMap(place -> objects.by(FREE_BY_PLACE, at(place, shape)).stream())
                .filter(volume -> Places.reaches(node, volume))
                .filter(usable));
  }

  private static Optional<Volume> smallestFree(
      Snapshot objects, Claim claim, Function<String, Stream<Volume>> free) {
    if (!anyFree(objects, claim)) return Optional.empty();
    var className = claim.className().orElse("");
    return SETS_OF_MODES.stream()
        .filter(modes -> modes.containsAll(claim.accessModes()))
        .map(modes ->
            IntStream.range(magnitude(claim.request()), Long.SIZE)
                .mapToObj(size -> shape(className, claim.volumeMode(), modes, size))
                .flatMap(shape -> smallest(free.apply(shape), claim).stream())
                .findFirst())
        .flatMap(Optional::stream)
        .findFirst();
  }

  /// Whether there is a volume at all that [#smallestFree] would look at.
  public static boolean anyFree(Snapshot objects, Claim claim) {
    return claim.dataSource().isEmpty()
        && !objects.by(FREE_BY_CLASS, claim.className().orElse("")).isEmpty();
  }

  private static Optional<Volume> smallest(Stream<Volume> volumes, Claim claim) {
    return volumes
        .filter(volume -> serves(claim, volume))
        .filter(volume -> selects(claim, volume))
        .min(
            Comparator.comparing(Volume::capacity)
                .thenComparingInt(volume -> affinity(claim, volume))
                .thenComparing(volume -> volume.meta().key()));
  }

  /// A number that is always the same for these two and unrelated for any others: a thousand claims
  /// that look at once for equal volumes choose different ones and do not fight for the first.
  private static int affinity(Claim claim, Volume volume) {
    int hash = (31 * claim.meta().key().hashCode() + volume.meta().name().hashCode()) * 0x9E3779B1;
    return (hash ^ (hash >>> 15)) * 0x85EBCA6B;
  }

  private static boolean serves(Claim claim, Volume volume) {
    return Stream.of(Mismatch.values())
        .filter(mismatch -> mismatch != Mismatch.STORAGE_CLASS)
        .noneMatch(mismatch -> mismatch.separates(claim, volume));
  }

  private static boolean selects(Claim claim, Volume volume) {
    return claim.selector().isEmpty()
        || claim.selector().orElseThrow().matches(volume.meta().labels());
  }

  private static String at(String place, String shape) {
    return shape + ' ' + place;
  }

  private static String shape(Volume volume) {
    return shape(
        volume.className(),
        volume.volumeMode(),
        volume.accessModes(),
        magnitude(volume.capacity()));
  }

  private static String shape(
      String className, VolumeMode volumeMode, Set<AccessMode> accessModes, int magnitude) {
    var shape = new StringBuilder(className).append(' ').append(volumeMode);
    for (var mode : AccessMode.values())
      if (accessModes.contains(mode)) shape.append(' ').append(mode);
    return shape.append(' ').append(magnitude).toString();
  }

  /// Position of the highest bit of the size, below 64: volumes of one position differ by less than
  /// a factor of two.
  private static int magnitude(Quantity size) {
    return Long.SIZE - Long.numberOfLeadingZeros(size.toLong());
  }

  private static List<Set<AccessMode>> setsOfModes() {
    var sets = List.<Set<AccessMode>>of(Set.of());
    for (var mode : AccessMode.values()) {
      var with = sets.stream().map(set -> plus(set, mode));
      sets = Stream.concat(sets.stream(), with).toList();
    }
    return sets.stream().sorted(Comparator.comparingInt(Set::size)).toList();
  }

  private static Set<AccessMode> plus(Set<AccessMode> set, AccessMode mode) {
    return Stream.concat(set.stream(), Stream.of(mode)).collect(Collectors.toUnmodifiableSet());
  }
}
