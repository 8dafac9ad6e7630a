package dev.berth.apiserver.http.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.http.exchange.Bodies;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.Options;
import dev.berth.apiserver.http.exchange.TransportRefusals;
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

  public AccountTokens(ApiServer api, Tokens tokens, SigningKeys keys, InstantSource clock) {
    this.api = api;
    this.requests = new TokenRequests(tokens);
    this.documents = new IssuerDocuments(keys);
    this.clock = clock;
  }

  /// Answers a TokenRequest.
  public void answer(Exchange exchange, ObjectKey account) throws IOException {
    Options.dryRun("CreateOptions", exchange.query().texts("dryRun"));
    var body = (ObjectNode) Bodies.object(exchange, "TokenRequest").json();
    // One state: another pod of the same name is not to come between the check and the token.
    var state = api.state();
    NodeRestriction.checkToken(Access.caller(exchange), account, body, state)
        .ifPresent(why -> {
          throw TransportRefusals.forbidden(Resources.SERVICE_ACCOUNTS, account.name(), why);
        });
    var warnings = new ArrayList<String>();
    var answer = requests.answer(account, body, state, clock.instant(), warnings);
    if (!warnings.isEmpty()) exchange.warn(warnings);
    exchange.json(201, answer);
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
