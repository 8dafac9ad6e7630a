package dev.berth.sidecar.secret;

import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Text with tokens `${name}`, as Go's `os.Expand` reads it: `$name` is a token too, so a template
/// holds no literal dollar.
final class Template {
  private static final Pattern TOKEN = Pattern.compile("\\$(?:\\{([^}]*)\\}|(\\w+|.|$))");

  sealed interface Expansion {}

  record Expanded(String text) implements Expansion {}

  /// @param tokens that have no value, as they stand in the template
  record Unknown(java.util.SortedSet<String> tokens) implements Expansion {}

  private Template() {}

  static Expansion expand(String template, Map<String, String> values) {
    var unknown = new TreeSet<String>();
    var text =
        TOKEN
            .matcher(template)
            .replaceAll(token -> {
              var name = token.group(1) == null ? token.group(2) : token.group(1);
              var value = values.get(name);
              if (value == null) unknown.add(token.group());
              return value == null ? "" : Matcher.quoteReplacement(value);
            });
    return unknown.isEmpty() ? new Expanded(text) : new Unknown(unknown);
  }
}
