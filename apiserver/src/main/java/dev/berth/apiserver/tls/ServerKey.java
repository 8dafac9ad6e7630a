package dev.berth.apiserver.tls;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Shows the server's certificate to clients and renews it in time, without a restart: whoever
/// connects in the last third of its life is shown a new one for the same key.
final class ServerKey extends X509ExtendedKeyManager {
  static final Duration RENEW_BEFORE_END = Duration.ofDays(120);

  private static final String ALIAS = "server";

  private final PrivateKey key;
  private final Renewal renewal;
  private final InstantSource clock;
  private volatile X509Certificate certificate;

  ServerKey(KeyedCertificate first, Renewal renewal, InstantSource clock) {
    this.key = first.key();
    this.certificate = first.certificate();
    this.renewal = renewal;
    this.clock = clock;
  }

  /// Makes a fresh certificate for the same key, and stores it if it can.
  interface Renewal {
    X509Certificate renew(KeyedCertificate old) throws GeneralSecurityException;
  }

  /// Whether a certificate should be shown to nobody any more.
  static boolean endsSoon(X509Certificate certificate, Instant now) {
    return now.plus(RENEW_BEFORE_END).isAfter(certificate.getNotAfter().toInstant());
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    if (endsSoon(certificate, clock.instant())) renew();
    return new X509Certificate[] {certificate};
  }

  private synchronized void renew() {
    if (!endsSoon(certificate, clock.instant())) return;
    try {
      certificate = renewal.renew(new KeyedCertificate(certificate, key));
    } catch (GeneralSecurityException unsupported) {
      throw new IllegalStateException("this JDK cannot make certificates", unsupported);
    }
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return key;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, Socket socket) {
    return alias(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    var alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
    return null;
  }

  private static @Nullable String alias(String keyType) {
    return keyType.equals("EC") ? ALIAS : null;
  }
}
