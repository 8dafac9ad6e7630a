package dev.berth.apiserver.http.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.admission.Admittance;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Intake;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.node.NodeRestriction;
import dev.berth.apiserver.rights.rbac.Escalation;
import dev.berth.apiserver.rights.rbac.Rbac;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Carries out requests of those who were let in. Where what is written decides whether it may be,
/// a dry run shows it first.
public final class Writes {
  /// What was seen may change meanwhile, and is asked about anew.
  private static final int MOST_ATTEMPTS = 5;

  private final ApiServer api;
  private final Access access;
  private final Escalation escalation;
  private final Admittance admittance;

  public Writes(ApiServer api, Access access, Rbac rbac, Admittance admittance) {
    this.api = api;
    this.access = access;
    this.escalation = new Escalation(rbac);
    this.admittance = admittance;
  }

  public Answer handle(Exchange exchange, Request request) throws InterruptedException {
    var user = Access.caller(exchange);
    var wish = write(request);
    if (wish.isPresent() && admittance.concerns(wish.get()))
      return admittance.carryOut(
          user,
          wish.get(),
          request instanceof Request.DryRun,
          exchange::warn,
          admitted -> handle(user, admitted));
    if (request instanceof Request.Write write && Intake.isLarge(exchange.request())) {
      // The writer, for whom all wait, works on a large body only if something comes of it.
      var shown = api.handle(new Request.DryRun(write));
      if (shown instanceof Answer.Refused) return shown;
    }
    return handle(user, request);
  }

  private static Optional<Request.Write> write(Request request) {
    return switch (request) {
      case Request.DryRun(var wished) -> Optional.of(wished);
      case Request.Write wished -> Optional.of(wished);
      default -> Optional.empty();
    };
  }

  Answer handle(User user, Request request) throws InterruptedException {
    var write = write(request);
    if (write.isEmpty() || !makes(write.get())) return api.handle(request);
    var checks =
        Stream.of(creation(user, write.get()), check(user, write.get().resource()))
            .flatMap(Optional::stream)
            .toList();
    return checks.isEmpty() ? api.handle(request) : checked(checks, write.get(), request);
  }

  /// What a write must not say.
  private interface Check {
    /// @return why it is refused
    Optional<String> refusal(Optional<ObjectNode> before, ObjectNode after, State state);
  }

  /// API-11: whoever may change an object may not make one by that.
  ///
  /// @return empty: `user` may, or nothing can be made
  private Optional<Check> creation(User user, Request.Write write) {
    if (!createsWhatIsMissing(write)) return Optional.empty();
    var resource = write.resource();
    var key = key(write);
    var create =
        Attributes.of(
            "create", resource.group(), resource.plural(), "", key.namespace(), key.name());
    if (access.decide(user, create).allowed()) return Optional.empty();
    return Optional.of((before, _, _) ->
        before.isPresent() ? Optional.empty() : Optional.of(create.refusedTo(user)));
  }

  private boolean createsWhatIsMissing(Request.Write write) {
    return switch (write) {
      case Request.Guarded guarded -> guarded.seen() == 0 && createsWhatIsMissing(guarded.write());
      case Request.Made made -> made.isNew();
      case Request.Change change ->
          change.part() == Part.MAIN && change.patch().type() == Patch.Type.APPLY;
      case Request.Update update ->
          update.part() == Part.MAIN
              && api.kinds()
                  .find(update.resource())
                  .filter(kind -> kind.rules().createdByUpdate())
                  .isPresent();
      default -> false;
    };
  }

  /// @return empty: there is nothing that `user` could not write into such an object
  private Optional<Check> check(User user, Resource resource) {
    var node = NodeRestriction.node(user);
    boolean role = Escalation.concerns(resource);
    if ((!role && node.isEmpty()) || access.mayAll(user)) return Optional.empty();
    if (role)
      return Optional.of((_, after, state) ->
          escalation.check(
              user, resource, after, wish -> access.decide(user, wish).allowed(), state));
    return Optional.of((before, after, state) ->
        NodeRestriction.check(node.orElseThrow(), resource, before, after, state));
  }

  /// What was checked is what is written: if the object changes in between, all begins anew.
  private Answer checked(List<Check> checks, Request.Write write, Request request)
      throws InterruptedException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      var state = api.state();
      var shown = api.handle(new Request.DryRun(write));
      var after = object(shown);
      if (after.isEmpty()) return shown;
      var key = write instanceof Request.Create ? named(after.get()) : key(write);
      var before =
          state
              .kinds()
              .find(write.resource())
              .flatMap(kind -> state.get(kind.storedAs(), key).map(kind::show));
      long seen = before.map(Stored::revision).orElse(0L);
      if (write instanceof Request.Guarded guarded && guarded.seen() != seen)
        return new Answer.Overtaken();
      for (var check : checks) {
        var refused = check.refusal(before.map(Stored::object), after.get(), state);
        if (refused.isPresent()) return forbidden(write.resource(), after.get(), refused.get());
      }
      if (request instanceof Request.DryRun
          || write instanceof Request.Create
          || write instanceof Request.Guarded) return api.handle(request);
      var answer = api.handle(new Request.Guarded(write, key, seen));
      if (!(answer instanceof Answer.Overtaken)) return answer;
    }
    return new Answer.Refused(Refusals.tooManyRequests());
  }

  private static ObjectKey named(ObjectNode object) {
    var meta = object.path("metadata");
    return ObjectKey.of(Json.text(meta, "namespace"), Json.text(meta, "name"));
  }

  private static ObjectKey key(Request.Write write) {
    return switch (write) {
      case Request.Update update -> update.key();
      case Request.Change change -> change.key();
      case Request.Made made -> made.key();
      case Request.Guarded guarded -> guarded.key();
      default -> throw new IllegalStateException("names no object that it makes: " + write);
    };
  }

  /// Whether there is an object afterwards that says something new.
  private static boolean makes(Request.Write write) {
    return write instanceof Request.Guarded guarded && makes(guarded.write())
        || write instanceof Request.Create
        || write instanceof Request.Update
        || write instanceof Request.Made
        || write instanceof Request.Change;
  }

  /// @return empty: the request would be refused, or leave nothing
  private static Optional<ObjectNode> object(Answer shown) {
    return switch (shown) {
      case Answer.Single(var stored) -> Optional.of(stored.object());
      case Answer.Created(var stored) -> Optional.of(stored.object());
      default -> Optional.empty();
    };
  }

  private static Answer forbidden(Resource resource, ObjectNode object, String why) {
    var name = Json.text(object.path("metadata"), "name");
    return new Answer.Refused(Refusals.forbidden(resource, name, why));
  }
}
