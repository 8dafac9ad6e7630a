package dev.berth.apiserver.http.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.admission.Admittance;
import dev.berth.apiserver.admission.Admittance.Verdict;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Intake;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.node.NodeRestriction;
import dev.berth.apiserver.rights.rbac.Escalation;
import dev.berth.apiserver.rights.rbac.Rbac;
import dev.berth.kube.model.Json;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Carries out requests of those who were let in. Where what is written decides whether it may be,
/// a dry run shows it first.
public final class Writes {
  /// What was seen may change meanwhile, and is asked about anew.
  private static final int MOST_ATTEMPTS = 5;

  private final ApiServer api;
  private final Access access;
  private final Escalation escalation;
  private final Admittance admittance;

  /// Roles and bindings are written one after the other, so that what was shown is what is written.
  private final ReentrantLock roles = new ReentrantLock();

  public Writes(ApiServer api, Access access, Rbac rbac) {
    this.api = api;
    this.access = access;
    this.escalation = new Escalation(rbac);
    this.admittance = new Admittance(api);
  }

  public Answer handle(Exchange exchange, Request request) throws InterruptedException {
    var user = Access.caller(exchange);
    var wish = write(request);
    if (wish.isPresent() && admittance.concerns(wish.get()))
      return admitted(user, wish.get(), request instanceof Request.DryRun, exchange::warn);
    if (request instanceof Request.Write write && Intake.isLarge(exchange.request())) {
      // The writer, for whom all wait, works on a large body only if something comes of it.
      var shown = api.handle(new Request.DryRun(write));
      if (shown instanceof Answer.Refused) return shown;
    }
    return handle(user, request);
  }

  /// Who is asked is asked with nothing held: others write meanwhile.
  private Answer admitted(
      User user, Request.Write wish, boolean dryRun, Consumer<List<String>> warn)
      throws InterruptedException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      var warnings = new ArrayList<String>();
      var verdict = admittance.admit(user, wish, dryRun, warnings::add);
      var answer =
          switch (verdict) {
            case Verdict.Refused(var refusal) -> new Answer.Refused(refusal);
            case Verdict.Admitted(var write) ->
                handle(user, dryRun ? new Request.DryRun(write) : write);
          };
      if (answer instanceof Answer.Overtaken) continue;
      warn.accept(warnings);
      return answer;
    }
    return new Answer.Refused(Refusals.tooManyRequests());
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
    if (Escalation.concerns(request.resource())) return role(user, write.get(), request);
    var node = NodeRestriction.node(user);
    if (node.isEmpty() || access.mayAll(user)) return api.handle(request);
    return ofNode(node.get(), write.get(), request);
  }

  /// Whether there is an object afterwards that says something new.
  private static boolean makes(Request.Write write) {
    return write instanceof Request.Guarded guarded && makes(guarded.write())
        || write instanceof Request.Create
        || write instanceof Request.Update
        || write instanceof Request.Change;
  }

  private Answer role(User user, Request.Write write, Request request) throws InterruptedException {
    roles.lockInterruptibly();
    try {
      if (access.mayAll(user)) return api.handle(request);
      var shown = api.handle(new Request.DryRun(write));
      var after = object(shown);
      if (after.isEmpty()) return shown;
      var refused =
          escalation.check(
              user,
              write.resource(),
              after.get(),
              wish -> access.decide(user, wish).allowed(),
              api.state());
      return refused.isEmpty()
          ? api.handle(request)
          : forbidden(write.resource(), after.get(), refused.get());
    } finally {
      roles.unlock();
    }
  }

  private Answer ofNode(String node, Request.Write write, Request request)
      throws InterruptedException {
    var shown = api.handle(new Request.DryRun(write));
    var after = object(shown);
    if (after.isEmpty()) return shown;
    var meta = after.get().path("metadata");
    var key = ObjectKey.of(Json.text(meta, "namespace"), Json.text(meta, "name"));
    var before = api.state().get(write.resource(), key).map(Stored::object);
    var refused = NodeRestriction.check(node, write.resource(), before, after.get());
    return refused.isEmpty()
        ? api.handle(request)
        : forbidden(write.resource(), after.get(), refused.get());
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
