package dev.berth.apiserver.core.read;

import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.core.select.Selection;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.Resource;
import java.util.List;
import java.util.Optional;

/// What a watch shows, without its waiting: which objects at first, and what it makes of each write
/// (spec/apiserver.md, section 7).
public final class Watching {
  private final Served kind;
  private final String namespace;
  private final ListOptions options;
  private final Selection selection;

  private Watching(Served kind, WatchRequest request, Selection selection) {
    this.kind = kind;
    this.namespace = request.namespace();
    this.options = request.options();
    this.selection = selection;
  }

  /// A watch, or why there is none.
  public sealed interface Plan {
    record Ready(Watching watching) implements Plan {}

    record Refused(Refusal refusal) implements Plan {}
  }

  public static Plan plan(WatchRequest request, Kinds kinds) {
    try {
      var kind =
          kinds
              .find(request.resource())
              .orElseThrow(() -> new RefusedException(Refusals.notServed()));
      OptionChecks.checkWatch(request.options());
      var selection = OptionChecks.selection(kind, request.options());
      return new Plan.Ready(new Watching(kind, request, selection));
    } catch (RefusedException e) {
      return new Plan.Refused(e.refusal());
    }
  }

  /// Under which the objects are stored.
  public Resource resource() {
    return kind.storedAs();
  }

  /// The revision that the client has seen; 0: none.
  public long revision() {
    return OptionChecks.version(options.resourceVersion());
  }

  /// Whether the watch begins with the objects that are there.
  public boolean sendsInitialEvents() {
    return options.sendInitialEvents().orElse(revision() == 0);
  }

  /// Whether the watch goes on from the revision of its client, and not from now.
  public boolean resumes() {
    return revision() > 0 && !options.sendInitialEvents().orElse(false);
  }

  public boolean allowsBookmarks() {
    return options.allowWatchBookmarks();
  }

  /// The objects of `state` that are shown.
  public List<Stored> initial(State state) {
    return state.list(kind.storedAs(), namespace).stream()
        .map(kind::show)
        .filter(stored -> selection.isAll() || selection.admits(stored.object()))
        .toList();
  }

  /// What is shown of a write to an object of this kind.
  ///
  /// @return empty: nothing
  public Optional<WatchEvent> event(Written written) {
    if (!namespace.isEmpty() && !namespace.equals(written.key().namespace()))
      return Optional.empty();
    return switch (written) {
      case Written.Put(_, var before, var after) -> {
        var now = kind.show(after);
        boolean was = before.map(kind::show).filter(this::shows).isPresent();
        yield shows(now)
            ? Optional.of(was ? new WatchEvent.Modified(now) : new WatchEvent.Added(now))
            : was
                ? Optional.of(new WatchEvent.Deleted(left(kind.show(before.orElseThrow()), after)))
                : Optional.empty();
      }
      case Written.Removed(_, var before, var last) ->
          shows(kind.show(before))
              ? Optional.of(new WatchEvent.Deleted(kind.show(last)))
              : Optional.empty();
    };
  }

  private boolean shows(Stored stored) {
    return selection.isAll() || selection.admits(stored.object());
  }

  /// The object as it was when it last matched, at the revision at which it ceased to (API-60).
  private static Stored left(Stored before, Stored after) {
    return before.at(after.revision());
  }
}
