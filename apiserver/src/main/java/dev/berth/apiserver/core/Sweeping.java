package dev.berth.apiserver.core;

import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import java.util.Optional;

/// Deletes the next objects of a [Sweep].
final class Sweeping {
  private final Draft draft;

  Sweeping(Draft draft) {
    this.draft = draft;
  }

  /// @return where to go on; empty: all were seen
  Optional<Sweep> sweep(Sweep from) {
    int left = Sweep.MOST_SEEN;
    var kinds = from.kinds();
    for (int kind = 0; kind < kinds.size(); kind++) {
      var resource = kinds.get(kind);
      var after = kind == 0 ? from.after() : ObjectKey.of(from.namespace(), "");
      // A kind that has gone meanwhile has no objects left.
      if (draft.state().kinds().find(resource).isEmpty()) continue;
      var deletion = new Deletion(draft, resource);
      for (var stored : draft.state().listAfter(resource, from.namespace(), after)) {
        if (left-- == 0)
          return Optional.of(new Sweep(from.namespace(), kinds.subList(kind, kinds.size()), after));
        after = stored.key();
        if (draft.get(resource, after).filter(each -> !Holds.deleting(each.object())).isPresent())
          deletion.delete(after, DeleteOptions.DEFAULT);
      }
    }
    return Optional.empty();
  }
}
