package dev.berth.apiserver.core.select;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A label selector as it stands in a query; all requirements must hold (API-92).
record LabelQuery(List<Requirement> requirements) {
  enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    ABSENT,
    GREATER,
    LESS
  }

  /// One condition.
  ///
  /// @param values one number for [Operator#GREATER] and [Operator#LESS]
  record Requirement(String key, Operator operator, Set<String> values) {
    boolean holds(JsonNode labels) {
      var label = labels.path(key);
      boolean absent = label.isMissingNode();
      return switch (operator) {
        case IN -> !absent && values.contains(label.asText());
        case NOT_IN -> absent || !values.contains(label.asText());
        case EXISTS -> !absent;
        case ABSENT -> absent;
        case GREATER -> !absent && compare(label.asText()) > 0;
        case LESS -> !absent && compare(label.asText()) < 0;
      };
    }

    /// 0, which satisfies neither comparison, if the label is no number.
    private int compare(String label) {
      try {
        return Long.compare(Long.parseLong(label), Long.parseLong(values.iterator().next()));
      } catch (NumberFormatException notANumber) {
        return 0;
      }
    }
  }

  LabelQuery {
    requirements = List.copyOf(requirements);
  }

  static LabelQuery parse(String text) throws SelectorException {
    return new LabelQuery(new Parser(text).requirements());
  }

  boolean admits(JsonNode labels) {
    for (var requirement : requirements) if (!requirement.holds(labels)) return false;
    return true;
  }

  boolean isAll() {
    return requirements.isEmpty();
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
      if (taken("!")) return new Requirement(key(), Operator.ABSENT, Set.of());
      var key = key();
      if (at == text.length() || text.charAt(at) == ',')
        return new Requirement(key, Operator.EXISTS, Set.of());
      if (taken("==") || taken("=")) return new Requirement(key, Operator.IN, Set.of(word()));
      if (taken("!=")) return new Requirement(key, Operator.NOT_IN, Set.of(word()));
      if (taken(">")) return new Requirement(key, Operator.GREATER, Set.of(number()));
      if (taken("<")) return new Requirement(key, Operator.LESS, Set.of(number()));
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
      return key;
    }

    private String number() throws SelectorException {
      var number = word();
      if (!number.matches("-?[0-9]{1,18}"))
        throw broken("for 'Gt', 'Lt' operators, the value must be an integer");
      return number;
    }

    private Set<String> values() throws SelectorException {
      expect("(");
      var values = new TreeSet<String>();
      do values.add(word());
      while (taken(","));
      expect(")");
      return values;
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
