package dev.berth.apiserver.core.custom.rule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An expression in CEL of an admission policy or of a webhook's conditions (API-03, API-115). What
/// it looks at has no schema: a field that is not there is an error, as upstream's. To compile one
/// takes long, to run one as long as its budget allows: never the writer's business.
public final class AdmissionExpression {
  /// What every expression may look at.
  private static final List<String> NAMES =
      List.of("object", "oldObject", "request", "params", "namespaceObject", "variables");

  private final Optional<CelProgram> program;
  private final Optional<String> fault;

  private AdmissionExpression(Optional<CelProgram> program, Optional<String> fault) {
    this.program = program;
    this.fault = fault;
  }

  /// What an expression may come to.
  public enum Result {
    TRUTH(SimpleType.BOOL, "must evaluate to bool"),
    TEXT(SimpleType.STRING, "must evaluate to string"),
    ANYTHING(SimpleType.DYN, "");

    private final CelType type;
    private final String words;

    Result(CelType type, String words) {
      this.type = type;
      this.words = words;
    }
  }

  /// What the expressions of one policy may cost together.
  public static final class Budget {
    /// Upstream's limit for one call; a step is an expression, as in [CelCost].
    private static final long STEPS = 1_000_000;

    private final CelCost cost = new CelCost(STEPS);
  }

  /// An expression came to nothing.
  public static final class FailedException extends Exception {
    private static final long serialVersionUID = 1;

    private FailedException(String message) {
      super(message);
    }
  }

  /// Compiles it, which takes long.
  public static AdmissionExpression of(String text, Result result) {
    try {
      var language = CelPrograms.language(NAMES);
      var ast = language.compile(text).getAst();
      boolean fits =
          result == Result.ANYTHING
              || ast.getResultType().equals(result.type)
              || ast.getResultType().equals(SimpleType.DYN); // by what it looks at
      if (!fits) return faulty(result.words);
      return new AdmissionExpression(
          Optional.of(new CelProgram(language.createProgram(ast), ast)), Optional.empty());
    } catch (CelValidationException | CelEvaluationException unreadable) {
      return faulty("compilation failed: " + unreadable.getMessage());
    } catch (StackOverflowError nested) {
      return faulty("compilation failed: it is nested too deep");
    }
  }

  private static AdmissionExpression faulty(String why) {
    return new AdmissionExpression(Optional.empty(), Optional.of(why));
  }

  /// Why it cannot be used; empty: it can.
  public Optional<String> fault() {
    return fault;
  }

  /// @param facts what it looks at, by name; made by [#value]
  public Object run(Map<String, Object> facts, Budget budget) throws FailedException {
    if (program.isEmpty()) throw new FailedException(fault.orElse(""));
    var all = new HashMap<String, Object>();
    for (var name : NAMES) all.put(name, NullValue.NULL_VALUE);
    all.putAll(facts);
    try {
      return program.get().run(all, budget.cost);
    } catch (CelEvaluationException | ArithmeticException failed) {
      throw new FailedException(String.valueOf(failed.getMessage()));
    } catch (CelCost.Spent tooMuch) {
      throw new FailedException(
          "validation failed due to running out of cost budget, no further validation rules will be"
              + " run");
    }
  }

  /// A JSON tree as expressions see it.
  public static Object value(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> {
        var map = new LinkedHashMap<String, Object>();
        for (var field : node.properties()) map.put(field.getKey(), value(field.getValue()));
        yield map;
      }
      case ARRAY -> {
        var list = new ArrayList<Object>(node.size());
        for (var element : node) list.add(value(element));
        yield list;
      }
      case STRING -> node.asText();
      case BOOLEAN -> node.asBoolean();
      case NUMBER ->
          node.isIntegralNumber() && node.canConvertToLong()
              ? (Object) node.longValue()
              : node.doubleValue();
      default -> NullValue.NULL_VALUE;
    };
  }
}
