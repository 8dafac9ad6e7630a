package dev.berth.apiserver.core.cel;

import static dev.berth.apiserver.core.cel.Types.TEXTS;
import static dev.cel.common.types.SimpleType.DYN;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import com.google.re2j.Pattern;
import dev.cel.common.types.ListType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// What can be found in a text, and texts made of values: `find`, `findAll`, `format`,
/// `strings.quote`.
final class TextFunctions {
  private static final Pattern CLAUSE = Pattern.compile("%(?:\\.([0-9]{1,9}))?(.?)");
  private static final int MOST_DECIMALS = 100;

  private TextFunctions() {}

  static void addTo(Functions functions, Function<String, Pattern> patterns) {
    functions.member(
        "find",
        "string_find_string",
        STRING,
        List.of(STRING, STRING),
        a -> {
          var found = patterns.apply((String) a[1]).matcher((String) a[0]);
          return found.find() ? found.group() : "";
        });
    functions.member(
        "findAll",
        "string_find_all_string",
        TEXTS,
        List.of(STRING, STRING),
        a -> all(patterns.apply((String) a[1]), (String) a[0], -1));
    functions.member(
        "findAll",
        "string_find_all_string_int",
        TEXTS,
        List.of(STRING, STRING, INT),
        a -> all(patterns.apply((String) a[1]), (String) a[0], (Long) a[2]));
    functions.member(
        "format",
        "string_format_list",
        STRING,
        List.of(STRING, ListType.create(DYN)),
        a -> format((String) a[0], (List<?>) a[1]));
    functions.function(
        "strings.quote", "strings_quote", STRING, List.of(STRING), a -> quoted((String) a[0]));
  }

  /// @param most negative: all
  private static List<String> all(Pattern pattern, String text, long most) {
    var all = new ArrayList<String>();
    var matcher = pattern.matcher(text);
    while ((most < 0 || all.size() < most) && matcher.find()) all.add(matcher.group());
    return all;
  }

  private static String format(String text, List<?> values) {
    var made = new StringBuilder();
    var clause = CLAUSE.matcher(text);
    int end = 0;
    int next = 0;
    while (clause.find()) {
      made.append(text, end, clause.start());
      end = clause.end();
      if (clause.group(2).equals("%")) {
        made.append('%');
        continue;
      }
      if (next == values.size())
        throw new IllegalArgumentException("index %d out of range".formatted(next));
      int decimals = clause.group(1) == null ? 6 : Integer.parseInt(clause.group(1));
      if (decimals > MOST_DECIMALS)
        throw new IllegalArgumentException("at most %d decimals".formatted(MOST_DECIMALS));
      made.append(formatted(clause.group(2), decimals, values.get(next++)));
    }
    return made.append(text, end, text.length()).toString();
  }

  private static String formatted(String clause, int decimals, Object value) {
    return switch (value) {
      case Object any when clause.equals("s") -> any.toString();
      case Long whole when "dxXob".contains(clause) -> whole(clause, whole);
      case Number number when clause.equals("f") || clause.equals("e") ->
          String.format(Locale.ROOT, "%." + decimals + clause, number.doubleValue());
      default ->
          throw new IllegalArgumentException(
              "could not parse formatting clause \"%s\" for what it is given".formatted(clause));
    };
  }

  private static String whole(String clause, long number) {
    return switch (clause) {
      case "x" -> Long.toHexString(number);
      case "X" -> Long.toHexString(number).toUpperCase(Locale.ROOT);
      case "o" -> Long.toOctalString(number);
      case "b" -> Long.toBinaryString(number);
      default -> Long.toString(number);
    };
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    for (char c : text.toCharArray())
      quoted.append(
          switch (c) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            case '\b' -> "\\b";
            case '\f' -> "\\f";
            default -> String.valueOf(c);
          });
    return quoted.append('"').toString();
  }
}
