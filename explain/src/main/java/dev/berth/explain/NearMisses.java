package dev.berth.explain;

import dev.berth.controller.Mismatch;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Ref;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Volumes that would serve a claim but for one thing (XPL-09).
final class NearMisses {
  private static final int MOST = 5;

  private NearMisses() {}

  /// @param seen what the volume has there
  /// @param wanted what the claim wants there
  record NearMiss(Ref volume, String field, String why, String seen, String wanted) {
    String sentence() {
      return "%s almost fits: %s (%s is %s, wanted %s)".formatted(volume, why, field, seen, wanted);
    }
  }

  /// Of the claim that a link is about, if it is one that waits for a volume.
  static List<NearMiss> of(Ref ref, Snapshot objects) {
    return ref.as(Kinds.CLAIM)
        .flatMap(key -> objects.get(Kinds.CLAIM, key).found().stream())
        .filter(claim -> claim.volumeName().isEmpty() && claim.dataSource().isEmpty())
        .flatMap(claim -> of(claim, objects).stream())
        .toList();
  }

  static List<NearMiss> of(Claim claim, Snapshot objects) {
    return objects.all(Kinds.VOLUME).stream()
        .flatMap(volume -> miss(claim, volume).stream())
        .sorted(Comparator.comparing(miss -> miss.volume().key()))
        .limit(MOST)
        .toList();
  }

  private static Optional<NearMiss> miss(Claim claim, Volume volume) {
    var misses = new ArrayList<NearMiss>();
    for (var mismatch : Mismatch.values())
      if (mismatch.separates(claim, volume))
        misses.add(
            new NearMiss(
                volume.ref(),
                mismatch.field(),
                mismatch.text(),
                seen(mismatch, volume),
                wanted(mismatch, claim)));
    volume
        .claim()
        .filter(ref -> !ref.names(claim))
        .ifPresent(ref ->
            misses.add(
                new NearMiss(
                    volume.ref(),
                    "spec.claimRef",
                    volume.phase() == Volume.Phase.RELEASED
                        ? "it was released and is not free yet"
                        : "it is another claim's",
                    ref.key().toString(),
                    "nobody")));
    if (claim.selector().filter(it -> !it.matches(volume.meta().labels())).isPresent())
      misses.add(
          new NearMiss(
              volume.ref(),
              "metadata.labels",
              "the claim's selector does not match",
              volume.meta().labels().toString(),
              "labels that it selects"));
    // One that is in use as it should be is nobody's near miss.
    return misses.size() == 1 && volume.phase() != Volume.Phase.BOUND
        ? Optional.of(misses.getFirst())
        : Optional.empty();
  }

  private static String seen(Mismatch mismatch, Volume volume) {
    return switch (mismatch) {
      case DELETING -> "set";
      case TOO_SMALL -> volume.capacity().toString();
      case STORAGE_CLASS -> quoted(volume.className());
      case ATTRIBUTES_CLASS -> quoted(volume.attributesClassName());
      case VOLUME_MODE -> volume.volumeMode().text();
      case ACCESS_MODES -> list(volume.accessModes().stream());
    };
  }

  private static String wanted(Mismatch mismatch, Claim claim) {
    return switch (mismatch) {
      case DELETING -> "not set";
      case TOO_SMALL -> "at least " + claim.request();
      case STORAGE_CLASS -> quoted(claim.className().orElse(""));
      case ATTRIBUTES_CLASS -> quoted(claim.attributesClassName());
      case VOLUME_MODE -> claim.volumeMode().text();
      case ACCESS_MODES -> list(claim.accessModes().stream());
    };
  }

  private static String quoted(String name) {
    return "\"" + name + "\"";
  }

  private static String list(Stream<AccessMode> modes) {
    return modes.map(AccessMode::text).collect(Collectors.joining(", "));
  }
}
