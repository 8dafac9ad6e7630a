package dev.berth.apiserver.core.cel;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/// A version by semver.org.
///
/// @param before what comes after `-`, by its points; empty: a release
record SemanticVersion(long major, long minor, long patch, List<String> before)
    implements Comparable<SemanticVersion> {
  private static final int LONGEST = 256;
  private static final String NUMBER = "(0|[1-9][0-9]{0,17})";
  private static final String WORD = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
  private static final Pattern VERSION =
      Pattern.compile(
          NUMBER
              + "\\."
              + NUMBER
              + "\\."
              + NUMBER
              + "(?:-("
              + WORD
              + "(?:\\."
              + WORD
              + ")*))?"
              + "(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?");

  /// @throws IllegalArgumentException if it is none
  static SemanticVersion parse(String text) {
    var read = VERSION.matcher(text);
    if (text.length() > LONGEST || !read.matches())
      throw new IllegalArgumentException("\"%s\" is no semantic version".formatted(text));
    return new SemanticVersion(
        Long.parseLong(read.group(1)),
        Long.parseLong(read.group(2)),
        Long.parseLong(read.group(3)),
        read.group(4) == null ? List.of() : List.of(read.group(4).split("\\.", -1)));
  }

  /// Without a `v` in front, with all three numbers, none of which begins with 0.
  static String normal(String text) {
    var plain = text.startsWith("v") ? text.substring(1) : text;
    int end = 0;
    while (end < plain.length() && "+-".indexOf(plain.charAt(end)) < 0) end++;
    var numbers = List.of(plain.substring(0, end).split("\\.", -1));
    if (numbers.size() > 3 || text.length() > LONGEST) return text;
    var all = new StringBuilder();
    for (int i = 0; i < 3; i++)
      all.append(i > 0 ? "." : "")
          .append(i < numbers.size() ? numbers.get(i).replaceFirst("^0+(?=[0-9])", "") : "0");
    return all + plain.substring(end);
  }

  @Override
  public int compareTo(SemanticVersion other) {
    int order =
        Comparator.comparingLong(SemanticVersion::major)
            .thenComparingLong(SemanticVersion::minor)
            .thenComparingLong(SemanticVersion::patch)
            .compare(this, other);
    if (order != 0) return Integer.signum(order);
    if (before.isEmpty() || other.before.isEmpty())
      return Boolean.compare(before.isEmpty(), other.before.isEmpty());
    for (int i = 0; i < Math.min(before.size(), other.before.size()); i++) {
      int step = step(before.get(i), other.before.get(i));
      if (step != 0) return step;
    }
    return Integer.compare(before.size(), other.before.size());
  }

  /// Numbers come before words.
  private static int step(String one, String other) {
    boolean number = one.matches("[0-9]+");
    if (number != other.matches("[0-9]+")) return number ? -1 : 1;
    if (number && one.length() != other.length())
      return Integer.compare(one.length(), other.length());
    return Integer.signum(one.compareTo(other));
  }
}
