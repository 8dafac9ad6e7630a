package dev.berth.apiserver.core.field;

/// Whether texts are spelled as Kubernetes' names are: what the patterns of [Names] say, in one
/// pass and without a matcher, as every write has a dozen of them.
final class Spelling {
  private static final int LONGEST_NAME = 63;

  private Spelling() {}

  /// `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
  static boolean isLabel(String text) {
    return isLabel(text, 0, text.length());
  }

  private static boolean isLabel(String text, int from, int to) {
    if (from >= to || !isLower(text.charAt(from)) || !isLower(text.charAt(to - 1))) return false;
    for (int i = from + 1; i < to - 1; i++)
      if (!isLower(text.charAt(i)) && text.charAt(i) != '-') return false;
    return true;
  }

  /// Labels with a dot between each two.
  static boolean isSubdomain(String text) {
    return isSubdomain(text, text.length());
  }

  private static boolean isSubdomain(String text, int end) {
    int from = 0;
    for (int i = 0; i < end; i++)
      if (text.charAt(i) == '.') {
        if (!isLabel(text, from, i)) return false;
        from = i + 1;
      }
    return isLabel(text, from, end);
  }

  /// `(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?`
  static boolean isLabelValue(String text) {
    return text.isEmpty() || isName(text, 0);
  }

  /// A name of at most 63 characters, with or without a subdomain and a slash before it.
  static boolean isQualified(String text) {
    int slash = text.indexOf('/');
    if (slash >= 0 && !isSubdomain(text, slash)) return false;
    return text.length() - slash - 1 <= LONGEST_NAME && isName(text, slash + 1);
  }

  private static boolean isName(String text, int from) {
    int last = text.length() - 1;
    if (from > last || !isAny(text.charAt(from)) || !isAny(text.charAt(last))) return false;
    for (int i = from + 1; i < last; i++) {
      char is = text.charAt(i);
      if (!isAny(is) && is != '-' && is != '_' && is != '.') return false;
    }
    return true;
  }

  private static boolean isLower(char is) {
    return is >= 'a' && is <= 'z' || is >= '0' && is <= '9';
  }

  private static boolean isAny(char is) {
    return isLower(is) || is >= 'A' && is <= 'Z';
  }
}
