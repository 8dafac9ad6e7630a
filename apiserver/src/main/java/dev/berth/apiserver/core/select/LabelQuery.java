package dev.berth.apiserver.core.select;

import dev.berth.apiserver.core.field.Names;
import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.model.Requirement;
import dev.berth.kube.model.Requirement.Operator;
import java.util.ArrayList;
import java.util.List;

/// Reads label selectors as they stand in a query (API-92).
final class LabelQuery {
  private LabelQuery() {}

  static LabelSelector parse(String text) throws SelectorException {
    return new LabelSelector(new Parser(text).requirements());
  }

  /// Reads requirements from left to right.
  private static final class Parser {
    private static final String SYMBOLS = "=!<>(),";

    private final String text;
    private int at;

    Parser(String text) {
      this.text = text;
    }

    List<Requirement> requirements() throws SelectorException {
      var requirements = new ArrayList<Requirement>();
      skipSpace();
      if (at == text.length()) return requirements;
      if (!beginsRequirement()) throw unexpected("!, identifier, or 'end of string'");
      while (true) {
        requirements.add(requirement());
        if (at == text.length()) return requirements;
        if (!taken(",")) throw unexpected("',' or 'end of string'");
        if (!beginsRequirement()) throw unexpected("identifier after ','");
      }
    }

    private boolean beginsRequirement() {
      if (at == text.length()) return false;
      return SYMBOLS.indexOf(text.charAt(at)) < 0
          || (text.charAt(at) == '!' && !text.startsWith("!=", at));
    }

    private SelectorException unexpected(String expected) {
      return new SelectorException("found '%s', expected: %s".formatted(token(), expected));
    }

    /// What stands next; empty: the end.
    private String token() {
      if (at == text.length()) return "";
      if (SYMBOLS.indexOf(text.charAt(at)) < 0) return word();
      for (var two : List.of("==", "!=")) if (text.startsWith(two, at)) return two;
      return text.substring(at, at + 1);
    }

    private Requirement requirement() throws SelectorException {
      if (taken("!")) return new Requirement(key(), Operator.DOES_NOT_EXIST, List.of());
      var key = key();
      if (at == text.length() || text.charAt(at) == ',')
        return new Requirement(key, Operator.EXISTS, List.of());
      if (taken("==") || taken("="))
        return new Requirement(key, Operator.IN, List.of(value(key, 0)));
      if (taken("!=")) return new Requirement(key, Operator.NOT_IN, List.of(value(key, 0)));
      if (taken(">")) return new Requirement(key, Operator.GT, List.of(number()));
      if (taken("<")) return new Requirement(key, Operator.LT, List.of(number()));
      return switch (word()) {
        case "in" -> new Requirement(key, Operator.IN, values(key));
        case "notin" -> new Requirement(key, Operator.NOT_IN, values(key));
        case String other ->
            throw broken("found '%s', expected: in, notin, =, ==, !=, gt, lt".formatted(other));
      };
    }

    private String key() throws SelectorException {
      var key = word();
      if (key.isEmpty()) throw broken("found '%s', expected: identifier".formatted(token()));
      if (Names.QUALIFIED.admit(key)) return key;
      throw broken("Invalid value: \"%s\": %s".formatted(key, Names.QUALIFIED.rule()));
    }

    private String number() throws SelectorException {
      var number = word();
      if (!number.matches("-?[0-9]{1,18}"))
        throw broken("for 'Gt', 'Lt' operators, the value must be an integer");
      return number;
    }

    private List<String> values(String key) throws SelectorException {
      if (!taken("(")) throw broken("found '%s' expected: '('".formatted(token()));
      var values = new ArrayList<String>();
      do values.add(value(key, values.size()));
      while (taken(","));
      if (!taken(")")) throw broken("found '%s', expected: ',' or ')'".formatted(token()));
      return values;
    }

    private String value(String key, int index) throws SelectorException {
      var word = word();
      if (Names.LABEL_VALUE.admit(word)) return word;
      throw broken(
          "values[%d][%s]: Invalid value: \"%s\": %s"
              .formatted(index, key, word, Names.LABEL_VALUE.rule()));
    }

    private String word() {
      int start = at;
      while (at < text.length()
          && !Character.isWhitespace(text.charAt(at))
          && SYMBOLS.indexOf(text.charAt(at)) < 0) at++;
      var word = text.substring(start, at);
      skipSpace();
      return word;
    }

    private boolean taken(String symbol) {
      if (!text.startsWith(symbol, at)) return false;
      at += symbol.length();
      skipSpace();
      return true;
    }

    private void skipSpace() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    }

    private SelectorException broken(String why) {
      return new SelectorException("unable to parse requirement: " + why);
    }
  }
}
