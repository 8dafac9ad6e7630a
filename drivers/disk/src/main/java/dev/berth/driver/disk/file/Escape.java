package dev.berth.driver.disk.file;

/// Text within one line: what ends a line or a field is written as `\n`, `\r`, `\t`, and U+0000,
/// which text tools take for the mark of a binary file, as `\0`.
public final class Escape {
  public static String escaped(String text) {
    if (text.chars().noneMatch(c -> "\\\n\r\t\0".indexOf(c) >= 0)) return text;
    return text.replace("\\", "\\\\")
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t")
        .replace("\0", "\\0");
  }

  public static String unescaped(String text) {
    if (text.indexOf('\\') < 0) return text;
    var plain = new StringBuilder();
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c != '\\') plain.append(c);
      else
        plain.append(
            switch (text.charAt(++i)) {
              case 'n' -> '\n';
              case 'r' -> '\r';
              case 't' -> '\t';
              case '0' -> '\0';
              default -> text.charAt(i);
            });
    }
    return plain.toString();
  }

  private Escape() {}
}
