package dev.berth.apiserver.core.read;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.select.Selection;
import dev.berth.apiserver.core.state.Past;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Gets and lists objects (spec/apiserver.md, section 6).
public final class Reading {
  private final State latest;
  private final Past past;

  public Reading(State latest, Past past) {
    this.latest = latest;
    this.past = past;
  }

  public Answer get(Request.Get request) {
    OptionChecks.checkVersion(request.resourceVersion());
    refuseFuture(OptionChecks.version(request.resourceVersion()));
    var kind = kind(latest, request.resource());
    return latest
        .get(kind.storedAs(), request.key())
        .map(kind::show)
        .<Answer>map(Answer.Single::new)
        .orElseGet(
            () -> new Answer.Refused(Refusals.notFound(request.resource(), request.key().name())));
  }

  public Answer list(Request.List request) {
    var options = request.options();
    OptionChecks.checkList(options);
    var kind = kind(latest, request.resource());
    var selection = OptionChecks.selection(kind, options);
    if (options.continueToken().isEmpty())
      return page(
          request, selection, stateFor(kind, options), ObjectKey.of(request.namespace(), ""));
    if (!options.resourceVersion().isEmpty() && !options.resourceVersion().equals("0"))
      throw new RefusedException(
          Refusals.badRequest("specifying resource version is not allowed when using continue"));
    var token = ListToken.decode(options.continueToken());
    return page(request, selection, stateFor(kind, token), token.after());
  }

  private State stateFor(Served kind, ListOptions options) {
    long revision = OptionChecks.version(options.resourceVersion());
    refuseFuture(revision);
    boolean exact = options.resourceVersionMatch().equals(OptionChecks.EXACT);
    if (!exact || revision == latest.revision()) return latest;
    return past.at(kind.storedAs(), revision)
        .orElseThrow(() -> new RefusedException(Refusals.expired(revision, latest.revision())));
  }

  private State stateFor(Served kind, ListToken token) {
    if (token.revision() == ListToken.LATEST || token.revision() == latest.revision())
      return latest;
    return past.at(kind.storedAs(), token.revision())
        .orElseThrow(() ->
            new RefusedException(
                Refusals.expiredPage(new ListToken(ListToken.LATEST, token.after()).encode())));
  }

  private void refuseFuture(long revision) {
    if (revision > latest.revision())
      throw new RefusedException(Refusals.fromTheFuture(revision, latest.revision()));
  }

  private static Answer page(
      Request.List request, Selection selection, State state, ObjectKey after) {
    long limit = request.options().limit() <= 0 ? Long.MAX_VALUE : request.options().limit();
    var kind = kind(state, request.resource());
    var all = state.listAfter(kind.storedAs(), request.namespace(), after);
    var items = new ArrayList<Stored>();
    for (var each : all) {
      var stored = kind.show(each);
      if (!selection.isAll() && !selection.admits(stored.object())) continue;
      if (items.size() == limit)
        return new Answer.Page(
            state.revision(), items, token(state, items), remaining(selection, all.size(), items));
      items.add(stored);
    }
    return new Answer.Page(state.revision(), items, "", OptionalLong.empty());
  }

  private static Served kind(State state, Resource resource) {
    return state
        .kinds()
        .find(resource)
        .orElseThrow(() -> new RefusedException(Refusals.notServed()));
  }

  private static String token(State state, List<Stored> items) {
    return new ListToken(state.revision(), items.getLast().key()).encode();
  }

  /// Known only where everything is admitted.
  private static OptionalLong remaining(Selection selection, int count, List<Stored> items) {
    return selection.isAll() ? OptionalLong.of(count - items.size()) : OptionalLong.empty();
  }
}
