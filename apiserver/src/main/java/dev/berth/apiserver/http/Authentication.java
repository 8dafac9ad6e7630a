package dev.berth.apiserver.http;

import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.apiserver.tls.Identity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/// Who a request comes from (API-09), and whether they may ask at all: everybody whom we know may
/// do everything, everybody else may see whether the server is well.
final class Authentication {
  private static final Identity ANONYMOUS =
      new Identity("system:anonymous", List.of("system:unauthenticated"));
  private static final String SCHEME = "bearer ";

  private final Credentials credentials;

  Authentication(Credentials credentials) {
    this.credentials = credentials;
  }

  /// @throws RefusedException if a token is shown that we do not know
  Identity identify(Request request) {
    var header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    if (header != null && header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      var token = header.substring(SCHEME.length()).strip();
      return credentials.bearer(token).orElseThrow(TransportRefusals::unauthorized);
    }
    return certified(request).orElse(ANONYMOUS);
  }

  static boolean known(Identity identity) {
    return !identity.equals(ANONYMOUS);
  }

  /// TLS has checked that our authority signed the certificate.
  private static Optional<Identity> certified(Request request) {
    var session = request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
    if (session == null) return Optional.empty();
    var chain = session.peerCertificates();
    return chain == null || chain.length == 0
        ? Optional.empty()
        : Optional.of(Identity.of(chain[0]));
  }
}
