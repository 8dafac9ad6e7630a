package dev.berth.apiserver.core.cel;

import com.google.re2j.Pattern;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An absolute URL, or an absolute path, taken apart (RFC 3986). What is absent is empty.
///
/// @param host with its port
/// @param path as it was written, escapes and all
/// @param words the query, as it was written
public record Url(String scheme, String host, String path, String words) {
  private static final Pattern WHOLE =
      Pattern.compile(
          "(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\\?([^#]*))?(?:#(.*))?");

  private static final Pattern CHARACTERS =
      Pattern.compile("(?:[!#$&-;=?-\\[\\]_a-z~]|%[0-9A-Fa-f]{2}|[^\\x00-\\x7f])*");

  private static final Pattern HOST =
      Pattern.compile("(?:\\[[0-9A-Fa-f:.]+\\]|[^:\\[\\]]*)(?::[0-9]*)?");

  /// @throws IllegalArgumentException if it is none
  public static Url parse(String text) {
    var parts = WHOLE.matcher(text);
    if (CHARACTERS.matches(text) && parts.matches()) {
      var authority = part(parts.group(2));
      var host = authority.substring(authority.lastIndexOf('@') + 1);
      boolean absolute = parts.group(1) != null || text.startsWith("/");
      if (absolute && HOST.matches(host))
        return new Url(part(parts.group(1)), host, part(parts.group(3)), part(parts.group(4)));
    }
    throw new IllegalArgumentException(
        "URL parse error during conversion from string: \"%s\"".formatted(text));
  }

  private static String part(@Nullable String found) {
    return Optional.ofNullable(found).orElse("");
  }

  String hostname() {
    if (host.startsWith("[")) return host.substring(1, host.indexOf(']'));
    int colon = host.lastIndexOf(':');
    return colon < 0 ? host : host.substring(0, colon);
  }

  String port() {
    int colon = host.lastIndexOf(':');
    return colon < 0 || colon < host.indexOf(']') ? "" : host.substring(colon + 1);
  }

  Map<String, List<String>> query() {
    var query = new TreeMap<String, List<String>>();
    for (var part : words.split("&", -1)) {
      if (part.isEmpty()) continue;
      int equals = part.indexOf('=');
      var key = equals < 0 ? part : part.substring(0, equals);
      var value = equals < 0 ? "" : part.substring(equals + 1);
      query.computeIfAbsent(decoded(key), _ -> new ArrayList<>()).add(decoded(value));
    }
    return query;
  }

  /// Each escape is whole, as was checked.
  private static String decoded(String text) {
    var bytes = new ByteArrayOutputStream();
    var plain = text.replace('+', ' ').getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < plain.length; i++) {
      if (plain[i] == '%') {
        bytes.write(Character.digit(plain[i + 1], 16) << 4 | Character.digit(plain[i + 2], 16));
        i += 2;
      } else {
        bytes.write(plain[i]);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
