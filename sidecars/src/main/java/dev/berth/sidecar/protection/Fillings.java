package dev.berth.sidecar.protection;

import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import java.util.List;
import java.util.Optional;

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
    return objects.by(PENDING_BY_SOURCE, value(kind, source)).stream().findFirst();
  }

  private static String value(String kind, ObjectKey key) {
    return kind + " " + key;
  }
}
