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
      while (at < text.length()) {
        requirements.add(requirement());
        if (at < text.length()) expect(",");
      }
      return requirements;
    }

    private Requirement requirement() throws SelectorException {
      if (taken("!")) return new Requirement(key(), Operator.DOES_NOT_EXIST, List.of());
      var key = key();
      if (at == text.length() || text.charAt(at) == ',')
        return new Requirement(key, Operator.EXISTS, List.of());
      if (taken("==") || taken("=")) return new Requirement(key, Operator.IN, List.of(value()));
      if (taken("!=")) return new Requirement(key, Operator.NOT_IN, List.of(value()));
      if (taken(">")) return new Requirement(key, Operator.GT, List.of(number()));
      if (taken("<")) return new Requirement(key, Operator.LT, List.of(number()));
      return switch (word()) {
        case "in" -> new Requirement(key, Operator.IN, values());
        case "notin" -> new Requirement(key, Operator.NOT_IN, values());
        case String other ->
            throw broken("found '%s', expected: in, notin, =, ==, !=, gt, lt".formatted(other));
      };
    }

    private String key() throws SelectorException {
      var key = word();
      if (key.isEmpty()) throw broken("found '%s', expected: identifier".formatted(rest()));
      return checked(key, Names.QUALIFIED);
    }

    private String number() throws SelectorException {
      var number = word();
      if (!number.matches("-?[0-9]{1,18}"))
        throw broken("for 'Gt', 'Lt' operators, the value must be an integer");
      return number;
    }

    private List<String> values() throws SelectorException {
      expect("(");
      var values = new ArrayList<String>();
      do values.add(value());
      while (taken(","));
      expect(")");
      return values;
    }

    private String value() throws SelectorException {
      return checked(word(), Names.LABEL_VALUE);
    }

    private String checked(String word, Names names) throws SelectorException {
      if (names.admit(word)) return word;
      throw broken("Invalid value: \"%s\": %s".formatted(word, names.rule()));
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

    private void expect(String symbol) throws SelectorException {
      if (!taken(symbol)) throw broken("found '%s', expected: '%s'".formatted(rest(), symbol));
    }

    private void skipSpace() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    }

    private String rest() {
      return text.substring(at);
    }

    private SelectorException broken(String why) {
      return new SelectorException("unable to parse requirement: " + why);
    }
  }
}
