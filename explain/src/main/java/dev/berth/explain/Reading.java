package dev.berth.explain;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.model.Kind;

/// A snapshot read once from a server, for an explanation.
public final class Reading {
  private Reading() {}

  /// @throws dev.berth.kube.api.ApiException if a kind may not be read
  public static Snapshots of(Api api) {
    var snapshot = Snapshots.empty();
    for (Kind<?> kind : Voices.KINDS)
      snapshot = snapshot.read(kind, api.list(kind.resource(), "", Selector.ALL).items());
    return snapshot;
  }
}
