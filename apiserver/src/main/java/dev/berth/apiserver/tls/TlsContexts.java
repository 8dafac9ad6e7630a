package dev.berth.apiserver.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/// The JDK's TLS with one authority that is believed and nobody else.
final class TlsContexts {
  private TlsContexts() {}

  static SSLContext server(KeyManager key, X509Certificate authority)
      throws GeneralSecurityException {
    return context(new KeyManager[] {key}, authority);
  }

  static SSLContext client(X509Certificate authority) throws GeneralSecurityException {
    return context(new KeyManager[0], authority);
  }

  /// A client that shows a certificate of its own.
  static SSLContext client(KeyedCertificate own, X509Certificate authority)
      throws GeneralSecurityException {
    var keys = emptyStore();
    keys.setKeyEntry("client", own.key(), new char[0], new X509Certificate[] {own.certificate()});
    var managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, new char[0]);
    return context(managers.getKeyManagers(), authority);
  }

  private static SSLContext context(KeyManager[] keys, X509Certificate authority)
      throws GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(keys, trusting(authority), null);
    return context;
  }

  private static TrustManager[] trusting(X509Certificate authority)
      throws GeneralSecurityException {
    var trusted = emptyStore();
    trusted.setCertificateEntry("authority", authority);
    var managers = TrustManagerFactory.getInstance("PKIX");
    managers.init(trusted);
    return managers.getTrustManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException {
    var store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, null);
    } catch (IOException impossible) {
      throw new GeneralSecurityException("an empty store is read from nowhere", impossible);
    }
    return store;
  }
}
