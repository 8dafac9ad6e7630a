package dev.berth.sidecar.testing;

import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Some objects; each change is a new world.
public record World(Map<String, Tree> trees) {
  private static final List<Kind<?>> KINDS =
      List.of(
          Kinds.CLAIM,
          Kinds.VOLUME,
          Kinds.STORAGE_CLASS,
          Kinds.ATTACHMENT,
          Kinds.NODE,
          Kinds.CSI_NODE,
          Kinds.CSI_DRIVER,
          Kinds.STORAGE_CAPACITY,
          SnapshotKinds.SNAPSHOT,
          Kinds.POD,
          Kinds.ATTRIBUTES_CLASS);

  public static World of(Tree... trees) {
    return new World(Map.of()).with(trees);
  }

  /// This world with `added`, each in the place of what had its name.
  public World with(Tree... added) {
    var more = new LinkedHashMap<>(trees);
    for (var tree : added) more.put(tree.key(), tree);
    return new World(more);
  }

  public World without(Tree removed) {
    var less = new LinkedHashMap<>(trees);
    less.remove(removed.key());
    return new World(less);
  }

  public Snapshots snapshot() {
    var snapshot = Snapshots.empty();
    for (var kind : KINDS) snapshot = add(snapshot, kind);
    return snapshot;
  }

  private <T extends dev.berth.kube.object.KubeObject> Snapshots add(
      Snapshots snapshot, Kind<T> kind) {
    return snapshot.read(
        kind,
        trees.values().stream()
            .filter(tree -> tree.kind().equals(kind.resource().kind()))
            .map(Tree::json)
            .toList());
  }
}
