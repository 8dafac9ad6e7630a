package dev.berth.apiserver.core.custom.rule;

import java.util.Set;

/// How rules in CEL call the fields of an object (`self.__namespace__`).
public final class CelNames {
  /// Words of the language, which a field's name must not be.
  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  private CelNames() {}

  /// A name that no rule can write, such as one with a blank, is its own.
  public static String of(String field) {
    if (RESERVED.contains(field)) return "__" + field + "__";
    return field
        .replace("__", "__underscores__")
        .replace(".", "__dot__")
        .replace("-", "__dash__")
        .replace("/", "__slash__");
  }
}
