package dev.berth.apiserver.core.cel;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An absolute URL, or an absolute path.
record Url(URI uri) {
  /// @throws IllegalArgumentException if it is none
  static Url parse(String text) {
    try {
      var uri = new URI(text);
      if (uri.isAbsolute() || text.startsWith("/")) return new Url(uri);
    } catch (URISyntaxException unreadable) {
      // falls through
    }
    throw new IllegalArgumentException(
        "URL parse error during conversion from string: \"%s\"".formatted(text));
  }

  String scheme() {
    return text(uri.getScheme());
  }

  /// With its port.
  String host() {
    var authority = text(uri.getRawAuthority());
    return authority.substring(authority.lastIndexOf('@') + 1);
  }

  String hostname() {
    var host = host();
    if (host.startsWith("[")) return host.substring(1, Math.max(1, host.indexOf(']')));
    int colon = host.lastIndexOf(':');
    return colon < 0 ? host : host.substring(0, colon);
  }

  String port() {
    var host = host();
    int colon = host.lastIndexOf(':');
    return colon < 0 || colon < host.indexOf(']') ? "" : host.substring(colon + 1);
  }

  String path() {
    return text(uri.getRawPath());
  }

  Map<String, List<String>> query() {
    var query = new TreeMap<String, List<String>>();
    for (var part : text(uri.getRawQuery()).split("&", -1)) {
      if (part.isEmpty()) continue;
      int equals = part.indexOf('=');
      var key = equals < 0 ? part : part.substring(0, equals);
      var value = equals < 0 ? "" : part.substring(equals + 1);
      query.computeIfAbsent(decoded(key), _ -> new ArrayList<>()).add(decoded(value));
    }
    return query;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static String text(@Nullable String part) {
    return Optional.ofNullable(part).orElse("");
  }
}
