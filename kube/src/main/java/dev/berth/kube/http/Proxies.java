package dev.berth.kube.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// The way to a server that is not asked directly.
///
/// @param authorization what the proxy wants to hear; empty: nothing
record Proxies(InetSocketAddress address, Optional<String> authorization) {
  static {
    // The JDK tells no password to a proxy that only passes on, unless it is told that it may; and
    // reads that once, before its first client is there.
    var refused = "jdk.http.auth.tunneling.disabledSchemes";
    if (System.getProperty(refused) == null) System.setProperty(refused, "");
  }

  /// What kubectl's variables say, for a configuration whose kubeconfig names no proxy.
  static void fromVariables(Config config, UnaryOperator<String> variables) {
    config.setHttpProxy(variable(variables, "HTTP_PROXY").orElse(null));
    config.setHttpsProxy(variable(variables, "HTTPS_PROXY").orElse(null));
    config.setNoProxy(variable(variables, "NO_PROXY").orElse("").split(","));
  }

  private static Optional<String> variable(UnaryOperator<String> variables, String name) {
    return Stream.of(name, name.toLowerCase(Locale.ROOT))
        .map(variables)
        .filter(text -> text != null && !text.isEmpty())
        .findFirst();
  }

  /// Of the proxy that a kubeconfig names: it is asked whatever server that is.
  ///
  /// @throws IllegalArgumentException if the proxy is none that we could use
  static Optional<Proxies> named(Config config) {
    return server(config).map(_ -> read(config.getHttpsProxy(), config));
  }

  /// Of variables, or of somebody who made the configuration: not every server is asked over it.
  ///
  /// @throws IllegalArgumentException if the proxy is none that we could use
  static Optional<Proxies> of(Config config) {
    var server = server(config);
    if (server.isEmpty()) return Optional.empty();
    boolean https = !"http".equalsIgnoreCase(server.get().getScheme());
    var proxy = https ? config.getHttpsProxy() : config.getHttpProxy();
    if (proxy == null || proxy.isEmpty()) return Optional.empty();
    var entries = config.getNoProxy() == null ? List.<String>of() : List.of(config.getNoProxy());
    int port = server.get().getPort() < 0 ? (https ? 443 : 80) : server.get().getPort();
    return new NoProxy(entries).names(server.get().getHost(), port)
        ? Optional.empty()
        : Optional.of(read(proxy, config));
  }

  private static Optional<URI> server(Config config) {
    return Optional.of(URI.create(config.getMasterUrl())).filter(it -> it.getHost() != null);
  }

  private static Proxies read(String text, Config config) {
    URI uri;
    try {
      uri = new URI(text.contains("://") ? text : "http://" + text);
    } catch (URISyntaxException wrong) { // its words repeat the password
      throw new IllegalArgumentException("the proxy of the API server is no URL");
    }
    var scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    if (uri.getHost() == null || !scheme.startsWith("http"))
      throw new IllegalArgumentException(
          "the proxy of the API server is none of HTTP's: " + scheme + "://");
    int port = uri.getPort() < 0 ? (scheme.equals("https") ? 443 : 80) : uri.getPort();
    Optional<String> who =
        Optional.ofNullable(config.getProxyUsername())
            .map(name -> HttpClientUtils.basicCredentials(name, config.getProxyPassword()));
    return new Proxies(
        InetSocketAddress.createUnresolved(uri.getHost(), port),
        Optional.ofNullable(uri.getUserInfo())
            .map(HttpClientUtils::basicCredentials)
            .or(() -> who));
  }
}
