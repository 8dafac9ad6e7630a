package dev.berth.apiserver.core.select;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// One term of a field selector, which are joined by commas: `=`, `==` or `!=` (API-92). A
/// backslash takes its meaning from a comma, an equals sign and a backslash. The only reader of
/// that text: who decides on a request and who carries it out must not read it differently.
///
/// @param negated whether the field must differ from `value`
public record FieldTerm(String field, boolean negated, String value) {
  private static final Pattern ESCAPED = Pattern.compile("\\\\([\\\\,=])");

  /// @throws SelectorException if a term has no equals sign
  static List<FieldTerm> parse(String selector) throws SelectorException {
    var terms = new ArrayList<FieldTerm>();
    int from = 0;
    for (int at = 0; at <= selector.length(); at++) {
      if (at < selector.length() && selector.charAt(at) == '\\') at++;
      else if (at == selector.length() || selector.charAt(at) == ',') {
        if (at > from) terms.add(term(selector.substring(from, at)));
        from = at + 1;
      }
    }
    if (from < selector.length()) terms.add(term(selector.substring(from)));
    return terms;
  }

  /// The value that `selector` wants of `field`, so that nothing else is selected.
  ///
  /// @return empty: it admits others, or cannot be read
  public static String only(String selector, String field) {
    try {
      for (var term : parse(selector))
        if (!term.negated && term.field.equals(field)) return term.value;
      return "";
    } catch (SelectorException unreadable) {
      return "";
    }
  }

  private static FieldTerm term(String term) throws SelectorException {
    int equals = term.indexOf('=');
    if (equals < 0)
      throw new SelectorException(
          "invalid selector: '%s'; can't understand '%s'".formatted(term, term));
    boolean negated = equals > 0 && term.charAt(equals - 1) == '!';
    var field = term.substring(0, negated ? equals - 1 : equals);
    int value = term.startsWith("==", equals) ? equals + 2 : equals + 1;
    return new FieldTerm(field, negated, unescaped(term.substring(value)));
  }

  private static String unescaped(String value) {
    return value.indexOf('\\') < 0 ? value : ESCAPED.matcher(value).replaceAll("$1");
  }
}
