package dev.berth.kube.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.fabric8.kubernetes.client.internal.CertUtils;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which certificate is shown, and whom the server has to be. Equal if the same texts say so.
final class Tls {
  private static final Logger log = LoggerFactory.getLogger(Tls.class);

  private final String digest; // of what it was made from
  private final SSLContext context;

  private Tls(String digest, SSLContext context) {
    this.digest = digest;
    this.context = context;
  }

  /// @throws IllegalArgumentException if something of it cannot be read; nothing of it is told
  static Tls of(Config config) {
    try {
      var digest = digest(config);
      var own = ClientKeys.of(config);
      var keys = own.isPresent() ? own.get() : SSLUtils.keyManagers(config);
      var context = SSLUtils.sslContext(keys, trust(config));
      return new Tls(digest, context);
    } catch (IllegalArgumentException told) {
      throw told;
    } catch (IOException | GeneralSecurityException | RuntimeException unreadable) {
      throw new IllegalArgumentException("the certificates of the kubeconfig cannot be read");
    }
  }

  /// The authorities of the cluster, if it names them, and no other: whoever has a certificate of
  /// one that the machine trusts is not yet the cluster's server. The library takes both.
  static TrustManager[] trust(Config config) throws IOException, GeneralSecurityException {
    boolean own = isTold(config.getTrustStoreFile());
    if (config.isTrustCerts()
        || own
        || !(isTold(config.getCaCertData()) || isTold(config.getCaCertFile())))
      return SSLUtils.trustManagers(config);
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, new char[0]);
    try (var file =
        CertUtils.getInputStreamFromDataOrFile(config.getCaCertData(), config.getCaCertFile())) {
      for (var each : PemCertificates.read(file.readAllBytes()))
        store.setCertificateEntry("ca-" + store.size(), each);
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static boolean isTold(@Nullable String text) {
    return text != null && !text.isEmpty();
  }

  private static String digest(Config config) throws IOException, GeneralSecurityException {
    var sum = MessageDigest.getInstance("SHA-256");
    for (var each :
        List.of(
            new String[] {config.getCaCertData(), config.getCaCertFile()},
            new String[] {config.getClientCertData(), config.getClientCertFile()},
            new String[] {config.getClientKeyData(), config.getClientKeyFile()})) {
      if (each[0] != null || each[1] != null)
        try (var text = CertUtils.getInputStreamFromDataOrFile(each[0], each[1])) {
          sum.update(text.readAllBytes());
        }
      sum.update((byte) 0);
    }
    return HexFormat.of().formatHex(sum.digest());
  }

  HttpClient.Builder client(Config config) {
    var parameters = context.getDefaultSSLParameters();
    parameters.setCipherSuites(Ciphers.sorted(parameters.getCipherSuites(), Ciphers.ORDER));
    var versions = config.getTlsVersions();
    if (versions != null && versions.length > 0)
      parameters.setProtocols(
          Arrays.stream(versions).map(TlsVersion::javaName).toArray(String[]::new));
    var name = config.getTlsServerName();
    if (name != null && !name.isEmpty()) claim(name, config.getMasterUrl(), parameters);
    var client =
        HttpClient.newBuilder()
            .sslContext(context)
            .sslParameters(parameters)
            .followRedirects(Redirect.NORMAL)
            .version(config.isHttp2Disable() ? Version.HTTP_1_1 : Version.HTTP_2);
    if (config.getConnectionTimeout() > 0)
      client.connectTimeout(Duration.ofMillis(config.getConnectionTimeout()));
    return client;
  }

  /// The JDK asks for a name that it is told only where the URL has none.
  private static void claim(String name, String master, SSLParameters parameters) {
    var host = URI.create(master).getHost();
    boolean address = host != null && (host.matches("[0-9.]+") || host.startsWith("["));
    if (address) parameters.setServerNames(List.of(new SNIHostName(name)));
    else if (!name.equals(host))
      log.warn("tls-server-name {} is not used: the server {} has a name", name, host);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tls tls && tls.digest.equals(digest);
  }

  @Override
  public int hashCode() {
    return digest.hashCode();
  }
}
