package dev.berth.explain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.List;
import java.util.Set;

/// A snapshot read once from a server, for an explanation.
public final class Reading {
  private static final int FORBIDDEN = 403;
  private static final Set<Resource> OPTIONAL = Set.of(Resources.EVENTS, Resources.LEASES);

  private Reading() {}

  /// All objects of [Voices#KINDS].
  ///
  /// @throws dev.berth.kube.api.ApiException if a kind may not be read; events and leases may be
  ///   left out: the ones only illustrate, and without the others it cannot be told who runs
  ///   (XPL-11)
  public static Snapshots of(Api api) {
    var snapshot = Snapshots.empty();
    for (Kind<?> kind : Voices.KINDS) snapshot = snapshot.read(kind, items(api, kind.resource()));
    return snapshot;
  }

  private static List<ObjectNode> items(Api api, Resource resource) {
    try {
      return api.list(resource, "", Selector.ALL).items();
    } catch (ApiException refused) {
      if (OPTIONAL.contains(resource) && refused.code() == FORBIDDEN) return List.of();
      if (refused.isNotFound()) return List.of(); // an older cluster that does not have the kind
      throw refused;
    }
  }
}
