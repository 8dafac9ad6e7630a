package dev.berth.apiserver.core;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.read.Reading;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Deletes each object of a list (API-86).
final class ListDeletion {
  private final Draft draft;
  private final Served kind;

  ListDeletion(Draft draft, Served kind) {
    this.draft = draft;
    this.kind = kind;
  }

  Answer delete(Request.DeleteAll request) {
    var found = found(request);
    return found instanceof Answer.Page page ? delete(request, page, page.items()) : found;
  }

  /// Only those that were judged, and as they were judged.
  Answer delete(Request.DeleteAll request, Map<ObjectKey, Long> seen) {
    var found = found(request);
    if (!(found instanceof Answer.Page page)) return found;
    var judged = page.items().stream().filter(item -> seen.containsKey(item.key())).toList();
    boolean same =
        judged.stream()
            .allMatch(item -> Long.valueOf(item.revision()).equals(seen.get(item.key())));
    return same ? delete(request, page, judged) : new Answer.Overtaken();
  }

  private Answer found(Request.DeleteAll request) {
    var list = new Request.List(request.resource(), request.namespace(), request.which());
    return new Reading(draft.state(), (_, _) -> Optional.empty()).list(list);
  }

  private Answer delete(Request.DeleteAll request, Answer.Page page, List<Stored> items) {
    var deletion = new Deletion(draft, kind.storedAs());
    var deleted = new ArrayList<Stored>();
    for (var item : items)
      deleted.add(
          switch (deletion.delete(item.key(), request.options())) {
            case Answer.Gone(var last) -> kind.show(last);
            case Answer.GoneQuietly(var last, _) -> kind.show(last);
            case Answer.Single(var marked) -> kind.show(marked);
            case Answer other -> throw new IllegalStateException("a deletion answers " + other);
          });
    return new Answer.Page(
        draft.state().revision(), deleted, page.continueToken(), page.remaining());
  }
}
