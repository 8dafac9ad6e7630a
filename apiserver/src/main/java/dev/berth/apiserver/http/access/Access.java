package dev.berth.apiserver.http.access;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.Authorizer;
import dev.berth.apiserver.rights.Decision;
import dev.berth.apiserver.rights.User;
import dev.berth.kube.object.Resource;
import java.util.List;
import java.util.Set;

/// Lets those in who may: a request goes on only if its user may do what it wants.
public final class Access {
  private static final String USER = "dev.berth.caller";

  /// What may be seen by those whom we do not know.
  private static final Set<String> PUBLIC = Set.of("healthz", "livez", "readyz", "version");

  private final ApiServer api;
  private final Authorizer authorizer;
  private final Impersonation impersonation;

  public Access(ApiServer api, Authorizer authorizer) {
    this.api = api;
    this.authorizer = authorizer;
    this.impersonation = new Impersonation(this::check);
  }

  /// Lets a request in.
  ///
  /// @param user whose credential it shows
  /// @param wish what it wants
  /// @param segments of its path
  /// @throws RefusedException if it is not allowed
  public void admit(Exchange exchange, User user, Attributes wish, List<String> segments) {
    boolean open = PUBLIC.contains(segments.getFirst());
    if (user.isAnonymous() && !open) throw TransportRefusals.unauthorized();
    var actor = impersonation.of(exchange, user);
    exchange.request().setAttribute(USER, actor);
    if (!open) check(actor, wish);
  }

  /// On whose behalf a request that was let in acts.
  public static User caller(Exchange exchange) {
    if (exchange.request().getAttribute(USER) instanceof User user) return user;
    return User.ANONYMOUS;
  }

  /// Whether somebody may do something.
  public Decision decide(User user, Attributes wish) {
    return mayAll(user) ? Decision.allowed("") : authorizer.decide(user, wish, api.state());
  }

  /// Whether somebody may do everything, whatever roles say.
  boolean mayAll(User user) {
    return user.isIn(User.MASTERS);
  }

  private void check(User user, Attributes wish) {
    var decision = decide(user, wish);
    if (decision.allowed()) return;
    var text = wish.refusedTo(user);
    var why = decision.reason().isEmpty() ? text : text + ": " + decision.reason();
    if (!wish.isResource()) throw TransportRefusals.forbidden(why);
    var resource = new Resource(wish.group(), wish.version(), wish.resource(), "", true);
    throw TransportRefusals.forbidden(resource, wish.name(), why);
  }

  /// What a request wants, by the very path that it is answered by: as it was sent, it may lead
  /// elsewhere.
  public static Attributes wish(Exchange exchange, List<String> segments) {
    var query = exchange.query();
    return Attributes.of(
        exchange.method(),
        segments,
        "/" + String.join("/", segments),
        query.truth("watch"),
        query.text("fieldSelector"));
  }
}
