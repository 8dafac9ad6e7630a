package dev.berth.checks;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The ids that specifications give their rules, as a text names them: a part's letters and a
/// number of two or three digits (`XYZ-01`, `XYZ-104b`), or one letter and two digits (`Q07`,
/// `Q12a`).
final class SpecIds {
  private static final String ID = "(?:[A-Z][A-Z0-9]{1,4}-[0-9]{2,3}|[A-Z][0-9]{2})[a-z]?";
  private static final Pattern ONE = Pattern.compile("(?<![\\w-])" + ID + "(?![\\w-])");
  private static final Pattern RANGE =
      Pattern.compile("(?<![\\w-])([A-Z][A-Z0-9]*-?)([0-9]{2,3}) to \\1([0-9]{2,3})(?![\\w-])");

  /// What looks like an id and is a name of somebody else's.
  private static final Set<String> NO_IDS = Set.of("SHA-256", "UTF-16");

  private SpecIds() {}

  /// The ids that stand in the text themselves.
  static Set<String> in(String text) {
    return ONE.matcher(text)
        .results()
        .map(MatchResult::group)
        .filter(id -> !NO_IDS.contains(id))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Also those between the ends of a range: `XYZ-01 to XYZ-03` is three ids, on one line or two.
  static Set<String> withRanges(String text) {
    var ids = in(text);
    RANGE
        .matcher(text.replaceAll("\\R\\s*//+\\s*", " "))
        .results()
        .forEach(range -> addAll(ids, range.group(1), range.group(2), range.group(3)));
    return ids;
  }

  private static void addAll(Set<String> ids, String part, String first, String last) {
    int from = Integer.parseInt(first);
    int to = Integer.parseInt(last);
    for (int number = from; number <= to; number++)
      ids.add(part + ("%0" + first.length() + "d").formatted(number));
  }
}
