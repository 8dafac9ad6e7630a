package dev.berth.kube.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A server that knows its clients by their certificates, which openssl makes: it answers with an
/// object that has the client's name.
final class TlsServer implements AutoCloseable {
  private final Path folder;
  private final HttpsServer server;

  /// @param name what its own certificate is about, as openssl writes it
  TlsServer(Path folder, String name) throws Exception {
    this.folder = folder;
    openssl("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ca -keyout ca.key -out ca.crt");
    Files.writeString(folder.resolve("san"), "subjectAltName=" + name);
    openssl("req -newkey rsa:2048 -nodes -subj /CN=server -keyout server.key -out server.csr");
    openssl(
        "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile san"
            + " -out server.crt");
    openssl("pkcs12 -export -in server.crt -inkey server.key -out server.p12 -passout pass:secret");
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    var secret = "secret".toCharArray();
    keys.init(KeyStore.getInstance(folder.resolve("server.p12").toFile(), secret), secret);
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(authorities());
    var tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            var wanted = getSSLContext().getDefaultSSLParameters();
            wanted.setNeedClientAuth(true);
            parameters.setSSLParameters(wanted);
          }
        });
    server.createContext(
        "/",
        exchange -> {
          var who = ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName();
          var body =
              "{\"metadata\":{\"name\":\"%s\"}}".formatted(who).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private KeyStore authorities() throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (var pem = Files.newInputStream(folder.resolve("ca.crt"))) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    return store;
  }

  void openssl(String arguments) throws IOException, InterruptedException {
    var log = folder.resolve("log");
    var process =
        new ProcessBuilder(("openssl " + arguments).split(" "))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor()).as(arguments + ": " + Files.readString(log)).isZero();
  }

  /// A certificate for the key `k`.
  void certify(String name) throws Exception {
    openssl("req -new -key k -subj /CN=%s -out k.csr".formatted(name));
    openssl("x509 -req -in k.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out k.crt");
  }

  Path kubeconfig() throws IOException {
    return kubeconfig(
        "client-certificate-data: %s, client-key-data: %s"
            .formatted(encoded("k.crt"), encoded("k")));
  }

  /// @param user whose certificate and key are where
  Path kubeconfig(String user) throws IOException {
    var text =
        """
        apiVersion: v1
        kind: Config
        current-context: it
        clusters: [{name: it, cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}}]
        users: [{name: me, user: {%s}}]
        contexts: [{name: it, context: {cluster: it, user: me}}]
        """
            .formatted(server.getAddress().getPort(), encoded("ca.crt"), user);
    return Files.writeString(folder.resolve("kubeconfig"), text);
  }

  String encoded(String file) throws IOException {
    return Base64.getEncoder().encodeToString(Files.readAllBytes(folder.resolve(file)));
  }
}
