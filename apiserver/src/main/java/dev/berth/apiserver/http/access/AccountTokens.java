package dev.berth.apiserver.http.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.admission.Admittance;
import dev.berth.apiserver.admission.Admittance.Verdict;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.message.Request.Post;
import dev.berth.apiserver.http.exchange.Bodies;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Options;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.node.NodeRestriction;
import dev.berth.apiserver.rights.token.IssuerDocuments;
import dev.berth.apiserver.rights.token.TokenRequests;
import dev.berth.apiserver.rights.token.Tokens;
import dev.berth.apiserver.tls.SigningKeys;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/// Hands out tokens of service accounts, and by what others check them (API-10).
public final class AccountTokens {
  private final ApiServer api;
  private final TokenRequests requests;
  private final IssuerDocuments documents;
  private final InstantSource clock;
  private final Access access;
  private final Admittance admittance;

  public AccountTokens(
      ApiServer api,
      Tokens tokens,
      SigningKeys keys,
      InstantSource clock,
      Access access,
      Admittance admittance) {
    this.api = api;
    this.access = access;
    this.admittance = admittance;
    this.requests = new TokenRequests(tokens);
    this.documents = new IssuerDocuments(keys);
    this.clock = clock;
  }

  /// Answers a TokenRequest.
  public void answer(Exchange exchange, ObjectKey account)
      throws IOException, InterruptedException {
    boolean dryRun = Options.dryRun("CreateOptions", exchange.query().texts("dryRun"));
    var user = Access.caller(exchange);
    var sent = (ObjectNode) Bodies.object(exchange, "TokenRequest").json();
    var warnings = new ArrayList<String>();
    var body = admitted(user, account, sent, dryRun, warnings);
    // One state: another pod of the same name is not to come between the check and the token.
    var state = api.state();
    NodeRestriction.checkToken(
            user, account, body, state, wish -> access.decide(user, wish).allowed())
        .ifPresent(why -> {
          throw TransportRefusals.forbidden(Resources.SERVICE_ACCOUNTS, account.name(), why);
        });
    var answer = requests.answer(account, body, state, clock.instant(), warnings);
    if (!warnings.isEmpty()) exchange.warn(warnings);
    exchange.json(201, answer);
  }

  /// A token is as good as what its account may do: policies and webhooks have a say in it
  /// (API-115).
  private ObjectNode admitted(
      User user, ObjectKey account, ObjectNode sent, boolean dryRun, List<String> warnings)
      throws InterruptedException {
    var post = new Post(Resources.SERVICE_ACCOUNTS, account, "token", sent);
    if (!admittance.concerns(post)) return sent;
    return switch (admittance.admit(user, post, dryRun, warnings::add)) {
      case Verdict.Refused(var refusal) -> throw new RefusedException(refusal);
      case Verdict.Admitted(Post(_, _, _, var body)) -> body;
      case Verdict.Admitted(var other) ->
          throw new IllegalStateException("a request for a token became " + other);
    };
  }

  /// `/.well-known/openid-configuration` and `/openid/v1/jwks`.
  ///
  /// @return whether it is one of them
  public boolean document(Exchange exchange, List<String> segments) {
    switch (String.join("/", segments)) {
      case ".well-known/openid-configuration" -> {
        cached(exchange);
        exchange.json(200, IssuerDocuments.configuration(server(exchange.request())));
      }
      case "openid/v1/jwks" -> {
        cached(exchange);
        exchange.bytes(200, "application/jwk-set+json", Exchange.text(documents.keys()));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void cached(Exchange exchange) {
    exchange.response().getHeaders().put(HttpHeader.CACHE_CONTROL, "public, max-age=3600");
  }

  private static URI server(Request request) {
    return URI.create("https://" + request.getHttpURI().getAuthority());
  }
}
