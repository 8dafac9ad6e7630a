package dev.berth.apiserver.http.exchange;

import dev.berth.apiserver.core.managed.Ownership.Force;
import dev.berth.kube.api.Patch;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;

/// In whose name a request changes fields (API-78, API-80).
public final class FieldManager {
  /// In bytes.
  private static final int LONGEST = 128;

  private FieldManager() {}

  /// The one that the client names, or what the client is.
  ///
  /// @param options kind of the request's options, such as `CreateOptions`
  public static String of(Exchange exchange, String options) {
    var named = exchange.query().text("fieldManager");
    if (named.isEmpty()) return ofAgent(exchange.header(HttpHeader.USER_AGENT));
    if (bytes(named) > LONGEST)
      throw TransportRefusals.invalidOption(
          options,
          "FieldValueTooLong",
          "fieldManager",
          "Too long: may not be more than %d bytes".formatted(LONGEST));
    for (int i = 0; i < named.length(); i = named.offsetByCodePoints(i, 1))
      if (!printable(named.codePointAt(i)))
        throw TransportRefusals.invalidOption(
            options,
            "FieldValueInvalid",
            "fieldManager",
            "Invalid value: \"%s\": invalid character U+%04X (at position %d)"
                .formatted(escaped(named), named.codePointAt(i), bytes(named.substring(0, i))));
    return named;
  }

  /// Whether a patch takes what others own; refuses what goes with no patch of its type.
  public static Force force(Exchange exchange, Patch.Type type) {
    var query = exchange.query();
    if (type == Patch.Type.APPLY) {
      if (query.text("fieldManager").isEmpty())
        throw TransportRefusals.invalidOption(
            "PatchOptions",
            "FieldValueRequired",
            "fieldManager",
            "Required value: is required for apply patch");
      return query.truth("force") ? Force.YES : Force.NO;
    }
    if (query.optionalTruth("force").isPresent())
      throw TransportRefusals.invalidOption(
          "PatchOptions",
          "FieldValueForbidden",
          "force",
          "Forbidden: may not be specified for non-apply patch");
    return Force.NO;
  }

  /// `kubectl` of `kubectl/v1.37.1 (linux/amd64) …`, as far as it can be printed.
  static String ofAgent(String agent) {
    int slash = agent.indexOf('/');
    var name = new StringBuilder();
    int length = 0;
    for (int each : agent.substring(0, slash < 0 ? agent.length() : slash).codePoints().toArray()) {
      if (!printable(each)) continue;
      length += bytes(Character.toString(each));
      if (length > LONGEST) break;
      name.appendCodePoint(each);
    }
    return name.toString();
  }

  private static boolean printable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> character == ' ';
      default -> true;
    };
  }

  private static String escaped(String text) {
    return text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
