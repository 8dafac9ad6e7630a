package dev.berth.node.pod.start;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Puts variables into texts as Kubernetes does: `$(NAME)` is the variable's value, `$$` is a `$`
/// that begins nothing.
final class Expansion {
  private Expansion() {}

  /// What is not a known variable stays as it is.
  static String of(String text, Map<String, String> variables) {
    return expand(text, name -> Optional.ofNullable(variables.get(name)).orElse("$(" + name + ")"));
  }

  /// @throws UnusableException if a variable is not known
  static String strictly(String text, Map<String, String> variables) throws UnusableException {
    var unknown = new StringBuilder();
    var expanded =
        expand(
            text,
            name -> {
              var value = variables.get(name);
              if (value == null) unknown.append(' ').append(name);
              return value == null ? "" : value;
            });
    if (!unknown.isEmpty())
      throw new UnusableException(
          "subPathExpr \"%s\" uses variables that are not set:%s".formatted(text, unknown));
    return expanded;
  }

  private static String expand(String text, Function<String, String> value) {
    var expanded = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char next = at + 1 < text.length() ? text.charAt(at + 1) : 0;
      int end = text.indexOf(')', at);
      if (text.charAt(at) == '$' && next == '$') {
        expanded.append('$');
        at += 2;
      } else if (text.charAt(at) == '$' && next == '(' && end > 0) {
        expanded.append(value.apply(text.substring(at + 2, end)));
        at = end + 1;
      } else {
        expanded.append(text.charAt(at++));
      }
    }
    return expanded.toString();
  }
}
