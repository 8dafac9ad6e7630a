package dev.berth.simulation.invariant;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.simulation.driver.Backend;
import java.util.HashSet;
import java.util.Optional;

/// No finalizer is on an object twice: who takes it off takes off one.
final class FinalizersStandOnce implements Invariant {
  @Override
  public Optional<String> breach(Snapshot objects, Backend backend) {
    return twice(objects, Kinds.VOLUME)
        .or(() -> twice(objects, Kinds.CLAIM))
        .or(() -> twice(objects, Kinds.ATTACHMENT))
        .or(() -> twice(objects, SnapshotKinds.SNAPSHOT))
        .or(() -> twice(objects, SnapshotKinds.CONTENT))
        .or(() -> twice(objects, SnapshotKinds.GROUP_SNAPSHOT))
        .or(() -> twice(objects, SnapshotKinds.GROUP_CONTENT));
  }

  private static <T extends KubeObject> Optional<String> twice(Snapshot objects, Kind<T> kind) {
    return objects.all(kind).stream()
        .map(KubeObject::meta)
        .filter(meta -> new HashSet<>(meta.finalizers()).size() < meta.finalizers().size())
        .findFirst()
        .map(meta -> "%s %s has %s".formatted(kind, meta.key(), meta.finalizers()));
  }
}
