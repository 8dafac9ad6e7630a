package dev.berth.apiserver.http.access;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.token.Tokens;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.apiserver.tls.Identity;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/// Who a request comes from (API-09): a client certificate, a token that the operator has written
/// down, or one of a service account.
public final class Authentication {
  private static final String SCHEME = "bearer ";
  private static final String CERTIFICATE_USER = "dev.berth.user";

  private final ApiServer api;
  private final Credentials credentials;
  private final Tokens tokens;

  public Authentication(ApiServer api, Credentials credentials, Tokens tokens) {
    this.api = api;
    this.credentials = credentials;
    this.tokens = tokens;
  }

  /// @return the anonymous user if the request shows nothing
  /// @throws RefusedException if a token is shown that we do not know
  public User identify(Request request) {
    var header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    if (header != null && header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      var token = header.substring(SCHEME.length()).strip();
      return bearer(token, List.of(Tokens.ISSUER))
          .map(Tokens.Bearer::user)
          .orElseThrow(TransportRefusals::unauthorized);
    }
    return certified(request).orElse(User.ANONYMOUS);
  }

  /// Whom a token speaks for, before one of `audiences` at least.
  Optional<Tokens.Bearer> bearer(String token, List<String> audiences) {
    var written = credentials.bearer(token);
    if (written.isEmpty()) return tokens.bearer(token, audiences, api.state());
    boolean forUs = audiences.contains(Tokens.ISSUER);
    return forUs
        ? Optional.of(new Tokens.Bearer(user(written.get(), Map.of()), List.of(Tokens.ISSUER)))
        : Optional.empty();
  }

  /// TLS has checked that our authority signed the certificate. Read once for each connection.
  private static Optional<User> certified(Request request) {
    var session = request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData();
    if (session == null) return Optional.empty();
    var chain = session.peerCertificates();
    if (chain == null || chain.length == 0) return Optional.empty();
    var connection = request.getConnectionMetaData();
    if (connection.getAttribute(CERTIFICATE_USER) instanceof User known) return Optional.of(known);
    var id = Map.of("authentication.kubernetes.io/credential-id", List.of(fingerprint(chain[0])));
    var user = user(Identity.of(chain[0]), id);
    connection.setAttribute(CERTIFICATE_USER, user);
    return Optional.of(user);
  }

  private static User user(Identity identity, Map<String, List<String>> extra) {
    return User.authenticated(identity.name(), identity.uid(), identity.groups(), extra);
  }

  private static String fingerprint(X509Certificate certificate) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return "X509SHA256=" + HexFormat.of().formatHex(hash);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
