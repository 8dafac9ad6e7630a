package dev.berth.volume.snapshot;

import dev.berth.kube.object.Ref;
import java.util.Locale;

/// Words as upstream's programs put them into messages that users filter on.
public final class GoWords {
  private GoWords() {}

  /// As Go's `%q` writes a text.
  public static String quoted(String text) {
    var quoted = new StringBuilder(text.length() + 2).append('"');
    text.codePoints()
        .forEach(each -> {
          switch (each) {
            case '"' -> quoted.append("\\\"");
            case '\\' -> quoted.append("\\\\");
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            default -> {
              if (each < ' ' || each == 0x7f) quoted.append("\\x%02x".formatted(each));
              else quoted.appendCodePoint(each);
            }
          }
        });
    return quoted.append('"').toString();
  }

  /// As an API server says that an object is not there.
  public static String notFound(Ref object) {
    return absent(object, object.resource().plural());
  }

  /// As a cache of upstream's programs says it: the kind in the singular.
  public static String notListed(Ref object) {
    return absent(object, object.resource().kind().toLowerCase(Locale.ROOT));
  }

  private static String absent(Ref object, String kind) {
    var group = object.resource().group();
    return "%s%s \"%s\" not found"
        .formatted(kind, group.isEmpty() ? "" : "." + group, object.key().name());
  }
}
