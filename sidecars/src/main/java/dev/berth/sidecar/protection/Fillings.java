package dev.berth.sidecar.protection;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Binding;
import dev.berth.volume.Indexes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Claims whose volumes are still to be filled, by what they are filled from.
final class Fillings {
  private static final Index<Claim> PENDING_BY_SOURCE =
      new Index<>(
          Kinds.CLAIM,
          "pending, by data source",
          claim ->
              claim.phase() == Claim.Phase.PENDING
                  ? claim.dataSource().map(it -> value(it.kind(), it.key())).stream().toList()
                  : List.of());

  private Fillings() {}

  /// The first of them.
  static Optional<Claim> from(String kind, ObjectKey source, Snapshot objects) {
    return all(kind, source, objects).findFirst();
  }

  /// The first of them whose volume is not saved: one that is has been filled, whether somebody has
  /// bound it yet or not.
  static Optional<Claim> unsavedFrom(String kind, ObjectKey source, Snapshot objects) {
    return all(kind, source, objects).filter(claim -> !isSaved(claim, objects)).findFirst();
  }

  private static Stream<Claim> all(String kind, ObjectKey source, Snapshot objects) {
    return objects.by(PENDING_BY_SOURCE, value(kind, source)).stream();
  }

  private static boolean isSaved(Claim claim, Snapshot objects) {
    return objects.by(Indexes.VOLUMES_BY_CLAIM, claim.meta().key().toString()).stream()
        .anyMatch(volume -> Binding.holds(volume, claim));
  }

  private static String value(String kind, ObjectKey key) {
    return kind + " " + key;
  }
}
