package dev.berth.apiserver.http.stream;

import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.Configuration;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeRequest;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeResponse;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;
import org.eclipse.jetty.websocket.core.server.WebSocketServerComponents;
import org.jspecify.annotations.Nullable;

/// Turns requests into WebSockets with a subprotocol.
public final class Sockets {
  private static final String TUNNEL = "SPDY/3.1+portforward.k8s.io";

  private final Server server;
  private @Nullable WebSocketMappings mappings;

  public Sockets(Server server) {
    this.server = server;
  }

  /// Carries a program's streams.
  ///
  /// @param gone to be run, perhaps more than once, when they have ended or were never there
  public void program(Exchange exchange, Wanted wanted, Runnable gone) throws IOException {
    upgrade(exchange, Wanted.PROTOCOLS, new ProgramSocket(wanted, gone), gone);
  }

  /// Carries connections to a pod's ports.
  ///
  /// @param gone to be run, perhaps more than once, when they have ended or were never there
  public void ports(Exchange exchange, PortForward.Ports ports, Runnable gone) throws IOException {
    upgrade(exchange, List.of(TUNNEL), new TunnelSocket(ports, gone), gone);
  }

  private void upgrade(
      Exchange exchange, List<String> protocols, FrameHandler handler, Runnable gone)
      throws IOException {
    boolean upgraded = false;
    Request.addCompletionListener(
        exchange.request(),
        failure -> {
          if (failure != null) gone.run();
        });
    try {
      upgrade(exchange, protocols, handler);
      upgraded = true;
    } finally {
      if (!upgraded) gone.run();
    }
  }

  private void upgrade(Exchange exchange, List<String> protocols, FrameHandler handler)
      throws IOException {
    if (!exchange.header(HttpHeader.UPGRADE).equalsIgnoreCase("websocket"))
      throw TransportRefusals.badRequest(
          "this server speaks WebSockets for this; Upgrade: %s is not spoken"
              .formatted(exchange.header(HttpHeader.UPGRADE)));
    var protocol =
        choose(protocols, exchange.headers(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL))
            .orElseThrow(() ->
                TransportRefusals.badRequest(
                    "none of the client's subprotocols is spoken; these are: "
                        + String.join(", ", protocols)));
    exchange.request().addIdleTimeoutListener(_ -> false);
    boolean upgraded =
        mappings()
            .upgrade(
                new Negotiator(protocol, handler),
                exchange.request(),
                exchange.response(),
                exchange.callback(),
                null);
    if (!upgraded) throw TransportRefusals.badRequest("the request is no WebSocket handshake");
  }

  private static Optional<String> choose(List<String> spoken, String offered) {
    var offers = List.of(offered.split("\\s*,\\s*", -1));
    return spoken.stream().filter(offers::contains).findFirst();
  }

  /// Loaded when the first client wants one.
  private synchronized WebSocketMappings mappings() {
    var made = mappings;
    if (made == null)
      made = new WebSocketMappings(WebSocketServerComponents.ensureWebSocketComponents(server));
    mappings = made;
    return made;
  }

  /// What was chosen is answered; an idle socket stays open, as its client pings.
  private record Negotiator(String protocol, FrameHandler handler) implements WebSocketNegotiator {
    @Override
    public FrameHandler negotiate(
        ServerUpgradeRequest request, ServerUpgradeResponse response, Callback callback) {
      response.setAcceptedSubProtocol(protocol);
      return handler;
    }

    @Override
    public void customize(Configuration configurable) {
      configurable.setIdleTimeout(Duration.ofHours(4));
    }
  }
}
