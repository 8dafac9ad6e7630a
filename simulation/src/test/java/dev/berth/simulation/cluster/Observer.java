package dev.berth.simulation.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;

/// Sees every object of the server at every moment, as nobody in the cluster can.
final class Observer {
  private Snapshots objects = Snapshots.empty();
  private long changes;

  Snapshots objects() {
    return objects;
  }

  /// How many changes it has seen.
  long changes() {
    return changes;
  }

  /// Looks at a server that has just been started.
  ///
  /// @param server shows changes while they are made
  <T extends KubeObject> void observe(Api server, Kind<T> kind) {
    for (var gone : objects.all(kind)) objects = objects.without(kind, gone);
    var listing = server.list(kind.resource(), "", Selector.ALL);
    objects = objects.read(kind, listing.items());
    server.watch(
        kind.resource(), "", Selector.ALL, listing.resourceVersion(), new Watching<>(kind));
  }

  private final class Watching<T extends KubeObject> implements Api.Watcher {
    private final Kind<T> kind;

    Watching(Kind<T> kind) {
      this.kind = kind;
    }

    @Override
    public void added(ObjectNode object) {
      changes++;
      objects = objects.with(kind, kind.read().apply(object));
    }

    @Override
    public void modified(ObjectNode object) {
      added(object);
    }

    @Override
    public void deleted(ObjectNode object) {
      changes++;
      objects = objects.without(kind, kind.read().apply(object));
    }

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {}
  }
}
