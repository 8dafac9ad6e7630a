package dev.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.kube.value.HeldJson;
import dev.berth.kube.value.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;

/// Calls a webhook over HTTPS. Its certificate is checked against the configuration's own
/// authority, or against the machine's; the whole call has a deadline, and its answer a size.
final class HookClient {
  /// As much as anybody may send us.
  private static final int MOST_BYTES = 3 << 20;

  private static final int DNS_NAME = 2;

  /// Names and values of an answer: as many as a body may have.
  private static final int MOST_TOKENS = 500_000;

  private static final ObjectMapper JSON = HeldJson.mapper(MOST_TOKENS).build();

  /// Of answers beyond this only a few are read at once, and made into a tree one after the other:
  /// that takes many times their size, and webhooks answer whatever they like.
  private static final int SMALL = 64 << 10;

  private static final Semaphore LARGE = new Semaphore(8);
  private static final ReentrantLock PARSING = new ReentrantLock();

  private HookClient() {}

  /// Where to call.
  ///
  /// @param url with the address that leads there
  /// @param name that its certificate must have
  /// @param byAddress whether the address is not the name
  private record Target(URI url, String name, boolean byAddress) {}

  /// @param client `clientConfig`
  /// @throws IOException why nothing came of it, in words that name no more than the address
  static JsonNode call(JsonNode client, ObjectNode review, Duration timeout, State state)
      throws IOException, InterruptedException {
    var target = target(client, state, timeout);
    var connection = open(target, client, timeout);
    var answer = new CompletableFuture<JsonNode>();
    Thread.startVirtualThread(() -> {
      try {
        answer.complete(exchange(connection, target, review));
      } catch (IOException | RuntimeException failed) {
        answer.completeExceptionally(failed);
      }
    });
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new IOException(
          "Post \"%s\": context deadline exceeded".formatted(shown(target)), late);
    } catch (ExecutionException | CompletionException failed) {
      throw new IOException(
          "Post \"%s\": %s".formatted(shown(target), reason(failed)), failed.getCause());
    } finally {
      connection.disconnect();
    }
  }

  private static String shown(Target target) {
    return "https://%s%s".formatted(target.name(), target.url().getRawPath());
  }

  private static String reason(Exception failed) {
    var cause = failed.getCause() == null ? failed : failed.getCause();
    return String.valueOf(cause.getMessage());
  }

  private static Target target(JsonNode client, State state, Duration timeout) throws IOException {
    var query = "?timeout=" + timeout.toSeconds() + "s";
    if (client.hasNonNull("url")) {
      try {
        var url = new URI(Json.text(client, "url") + query);
        return new Target(url, String.valueOf(url.getHost()), false);
      } catch (URISyntaxException unreadable) {
        throw new IOException("its url cannot be read: " + unreadable.getReason(), unreadable);
      }
    }
    var service = client.path("service");
    var path = Json.text(service, "path");
    var address = ServiceLookup.find(service, state);
    var host = address.getHostString();
    var url =
        "https://%s:%d%s%s"
            .formatted(
                host.contains(":") ? "[" + host + "]" : host,
                address.getPort(),
                path.startsWith("/") ? path : "/" + path,
                query);
    return new Target(
        URI.create(url),
        "%s.%s.svc".formatted(Json.text(service, "name"), Json.text(service, "namespace")),
        true);
  }

  private static HttpsURLConnection open(Target target, JsonNode client, Duration timeout)
      throws IOException {
    var connection = (HttpsURLConnection) target.url().toURL().openConnection(Proxy.NO_PROXY);
    connection.setSSLSocketFactory(trust(Json.text(client, "caBundle")).getSocketFactory());
    connection.setHostnameVerifier((_, session) -> names(session, target.name()));
    connection.setInstanceFollowRedirects(false);
    connection.setConnectTimeout((int) timeout.toMillis());
    connection.setReadTimeout((int) timeout.toMillis());
    connection.setUseCaches(false);
    return connection;
  }

  private static JsonNode exchange(HttpsURLConnection connection, Target target, ObjectNode review)
      throws IOException {
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setRequestProperty("Accept", "application/json");
    var body = JSON.writeValueAsBytes(review);
    connection.setFixedLengthStreamingMode(body.length);
    connection.connect();
    // A certificate for the address alone satisfies Java, and is whoever's has the address now.
    if (target.byAddress()
        && connection.getSSLSession().filter(it -> names(it, target.name())).isEmpty())
      throw new IOException("its certificate is not valid for " + target.name());
    try (var out = connection.getOutputStream()) {
      out.write(body);
    }
    int code = connection.getResponseCode();
    if (code != 200) throw new IOException("the server answers with status " + code);
    try (var in = connection.getInputStream()) {
      var first = in.readNBytes(SMALL);
      return first.length < SMALL ? JSON.readTree(first) : large(first, in);
    }
  }

  /// Whoever waits here is given up by the call's deadline, and leaves when its connection ends.
  private static JsonNode large(byte[] first, InputStream rest) throws IOException {
    LARGE.acquireUninterruptibly();
    try {
      var bytes = new ByteArrayOutputStream();
      bytes.writeBytes(first);
      bytes.writeBytes(rest.readNBytes(MOST_BYTES + 1 - first.length));
      if (bytes.size() > MOST_BYTES)
        throw new IOException("the answer is larger than " + MOST_BYTES + " bytes");
      PARSING.lock();
      try {
        return JSON.readTree(bytes.toByteArray());
      } finally {
        PARSING.unlock();
      }
    } finally {
      LARGE.release();
    }
  }

  /// @param bundle certificates in PEM, in base64; empty: the machine's own are trusted
  private static SSLContext trust(String bundle) throws IOException {
    try {
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      if (bundle.isEmpty()) managers.init((KeyStore) null);
      else managers.init(authorities(bundle));
      var context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IllegalArgumentException unusable) {
      throw new IOException("unable to load root certificates: " + unusable.getMessage(), unusable);
    }
  }

  private static KeyStore authorities(String bundle) throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    var text = new String(Base64.getDecoder().decode(bundle), StandardCharsets.UTF_8);
    int count = 0;
    for (Certificate each :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII))))
      store.setCertificateEntry("ca" + count++, each);
    return store;
  }

  /// A service is known by its name, though it is called at an address.
  private static boolean names(SSLSession session, String name) {
    try {
      if (!(session.getPeerCertificates()[0] instanceof X509Certificate certificate)) return false;
      var names = certificate.getSubjectAlternativeNames();
      return names != null
          && names.stream()
              .filter(each -> each.get(0).equals(DNS_NAME))
              .anyMatch(each -> name.equalsIgnoreCase(String.valueOf(each.get(1))));
    } catch (GeneralSecurityException | SSLPeerUnverifiedException unverified) {
      return false;
    }
  }
}
