package dev.berth.kube.http;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.IpAddressMatcher;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

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

  /// @throws IllegalArgumentException if the proxy is none that we could use
  static Optional<Proxies> of(Config config) {
    var server = URI.create(config.getMasterUrl());
    var https = !"http".equalsIgnoreCase(server.getScheme());
    var proxy = https ? config.getHttpsProxy() : config.getHttpProxy();
    if (proxy == null || proxy.isEmpty() || server.getHost() == null) return Optional.empty();
    var direct = config.getNoProxy();
    if (direct != null && Arrays.stream(direct).anyMatch(entry -> names(entry, server.getHost())))
      return Optional.empty();
    return Optional.of(read(proxy, config));
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

  /// As Go's clients read `NO_PROXY`: `*`, a name with what is below it, `.name` only for that, an
  /// address, or a range of them.
  private static boolean names(String entry, String host) {
    var wanted = entry.strip().toLowerCase(Locale.ROOT).replaceFirst("^\\*\\.", ".");
    var name = host.toLowerCase(Locale.ROOT).replaceAll("[\\[\\]]", "");
    if (wanted.isEmpty()) return false;
    if (wanted.equals("*")) return true;
    if (wanted.matches("[0-9.]+(/[0-9]+)?") || wanted.matches("[0-9a-f:]*:[0-9a-f:]*(/[0-9]+)?"))
      return isIn(wanted, name);
    var bare = wanted.replaceFirst(":[0-9]+$", "");
    return bare.startsWith(".")
        ? name.endsWith(bare)
        : (name.equals(bare) || name.endsWith("." + bare));
  }

  private static boolean isIn(String range, String host) {
    if (!host.matches("[0-9.]+") && !host.contains(":")) return false;
    try {
      return new IpAddressMatcher(range).matches(host);
    } catch (RuntimeException unreadable) {
      return false;
    }
  }
}
