package dev.berth.controller;

import dev.berth.controller.roster.Controllers;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// A handful of objects as a controller might see them. Each method makes another world.
public record World(List<Draft> objects) {
  public World {
    objects = List.copyOf(objects);
  }

  public static World of(Draft... objects) {
    return new World(List.of(objects));
  }

  /// This world with `others`, each in the place of what had its kind and key.
  public World with(Draft... others) {
    return with(List.of(others));
  }

  public World with(Collection<Draft> others) {
    var kept = new ArrayList<Draft>();
    for (var object : objects) if (others.stream().noneMatch(object::replaces)) kept.add(object);
    kept.addAll(others);
    return new World(kept);
  }

  /// This world with the object of this kind and name changed.
  public World but(Kind<?> kind, String name, UnaryOperator<Draft> change) {
    return new World(
        objects.stream()
            .map(object -> object.is(kind, name) ? change.apply(object) : object)
            .toList());
  }

  public World without(Kind<?> kind, String name) {
    return new World(objects.stream().filter(object -> !object.is(kind, name)).toList());
  }

  public Draft get(Kind<?> kind, String name) {
    return objects.stream().filter(object -> object.is(kind, name)).findFirst().orElseThrow();
  }

  public Snapshot snapshot() {
    var snapshot = Snapshots.empty();
    for (var kind : Controllers.KINDS) snapshot = add(snapshot, kind);
    return snapshot;
  }

  private <T extends KubeObject> Snapshots add(Snapshots snapshot, Kind<T> kind) {
    return snapshot.read(kind, of(kind).map(Draft::tree).toList());
  }

  private Stream<Draft> of(Kind<?> kind) {
    return objects.stream().filter(object -> object.kind().equals(kind));
  }
}
