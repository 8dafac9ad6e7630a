package dev.berth.cli.nodeserver;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The head of an HTTP/1.1 request.
///
/// @param path decoded, part by part
/// @param query what each name was given, in this order
/// @param headers likewise, by names in lower case
record Head(
    String method,
    List<String> path,
    Map<String, List<String>> query,
    Map<String, List<String>> headers) {
  private static final int LONGEST = 64 * 1024;

  /// Reads up to the empty line, and not beyond.
  ///
  /// @throws IOException if it ends before, or is none
  static Head read(InputStream in) throws IOException {
    var text = new ByteArrayOutputStream();
    for (int matched = 0; matched < 4; ) {
      int next = in.read();
      if (next < 0) throw new IOException("the request ends in its head");
      if (text.size() == LONGEST)
        throw new IOException("the head of a request is longer than " + LONGEST + " bytes");
      text.write(next);
      matched = next == (matched % 2 == 0 ? '\r' : '\n') ? matched + 1 : next == '\r' ? 1 : 0;
    }
    return parse(text.toString(StandardCharsets.ISO_8859_1));
  }

  static Head parse(String text) throws IOException {
    var lines = text.split("\r\n", -1);
    var first = lines[0].split(" ", -1);
    if (first.length != 3 || !first[2].startsWith("HTTP/1."))
      throw new IOException("the request is no HTTP/1.1");
    var headers = new HashMap<String, List<String>>();
    for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
      int colon = lines[i].indexOf(':');
      if (colon <= 0) throw new IOException("a header without a name");
      headers
          .computeIfAbsent(
              lines[i].substring(0, colon).strip().toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
          .add(lines[i].substring(colon + 1).strip());
    }
    int mark = first[1].indexOf('?');
    var path = mark < 0 ? first[1] : first[1].substring(0, mark);
    try {
      return new Head(
          first[0],
          parts(path),
          mark < 0 ? Map.of() : query(first[1].substring(mark + 1)),
          headers);
    } catch (IllegalArgumentException wrong) {
      throw new IOException("the address of a request is not encoded as it should be", wrong);
    }
  }

  private static List<String> parts(String path) {
    var parts = new ArrayList<String>();
    for (var part : path.split("/", -1))
      if (!part.isEmpty()) parts.add(decoded(part.replace("+", "%2B")));
    return parts;
  }

  private static Map<String, List<String>> query(String text) {
    var query = new HashMap<String, List<String>>();
    for (var pair : text.split("&", -1)) {
      if (pair.isEmpty()) continue;
      var sides = pair.split("=", 2);
      query
          .computeIfAbsent(decoded(sides[0]), _ -> new ArrayList<>())
          .add(sides.length == 2 ? decoded(sides[1]) : "");
    }
    return query;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /// The first value; empty: there is none.
  Optional<String> asked(String name) {
    return query.getOrDefault(name, List.of()).stream().findFirst();
  }

  List<String> all(String name) {
    return query.getOrDefault(name, List.of());
  }

  /// As kubelets are asked (`1`), and as API servers are (`true`).
  boolean isOn(String name) {
    return asked(name).filter(value -> value.equals("1") || value.equals("true")).isPresent();
  }

  String header(String name) {
    return String.join(",", headers.getOrDefault(name, List.of()));
  }
}
