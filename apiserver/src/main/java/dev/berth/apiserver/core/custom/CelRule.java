package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.NullValue;
import dev.berth.kube.model.Json;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One of the `x-kubernetes-validations` of a schema, in CEL (API-123).
final class CelRule {
  /// So often a rule goes round in all of its loops together.
  private static final int MOST_ROUNDS = 100_000;

  private static final Pattern OLD = Pattern.compile("\\boldSelf\\b");

  /// Words of the language, which a field's name must not be.
  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  /// Loaded when the first rule is read, since it takes its time.
  private static final class Holder {
    private static final Cel CEL =
        CelFactory.standardCelBuilder()
            .setOptions(CelOptions.current().comprehensionMaxIterations(MOST_ROUNDS).build())
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("self", SimpleType.DYN)
            .addVar("oldSelf", SimpleType.DYN)
            .addCompilerLibraries(CelExtensions.optional(), CelExtensions.strings())
            .addRuntimeLibraries(CelExtensions.optional(), CelExtensions.strings())
            .build();
  }

  private final JsonNode rule;
  private CelRuntime.@Nullable Program program;

  CelRule(JsonNode rule) {
    this.rule = rule;
  }

  /// Why it cannot be used; empty: it can.
  static Optional<String> fault(String rule) {
    try {
      Holder.CEL.compile(rule).getAst();
      return Optional.empty();
    } catch (CelValidationException unreadable) {
      return Optional.of(String.valueOf(unreadable.getMessage()));
    }
  }

  private String text() {
    return Json.text(rule, "rule");
  }

  /// Whether it looks at what the value was before.
  boolean compares() {
    return OLD.matcher(text()).find();
  }

  String reason() {
    return Json.text(rule, "reason");
  }

  /// From the schema's own path on, such as `.size`.
  String fieldPath() {
    return Json.text(rule, "fieldPath");
  }

  /// What is wrong with `value`.
  ///
  /// @param old what it was; empty: nothing that can be compared
  /// @param budget what it may still cost
  /// @return empty: nothing
  Optional<String> broken(
      JsonNode value, Optional<JsonNode> old, Structural schema, CelBudget budget) {
    try {
      var facts = new LinkedHashMap<String, Object>();
      facts.put("self", value(value, schema, budget));
      old.ifPresent(before -> facts.put("oldSelf", value(before, schema, budget)));
      return Boolean.TRUE.equals(program().trace(facts, budget))
          ? Optional.empty()
          : Optional.of(message());
    } catch (CelEvaluationException | RuntimeException failed) {
      if (budget.spent()) return Optional.of(CelBudget.SPENT);
      return Optional.of("rule evaluation error: " + failed.getMessage());
    } catch (CelValidationException unreadable) {
      return Optional.of("rule compile error: " + unreadable.getMessage());
    }
  }

  private synchronized CelRuntime.Program program()
      throws CelValidationException, CelEvaluationException {
    var made = program;
    if (made == null) {
      made = Holder.CEL.createProgram(Holder.CEL.compile(text()).getAst());
      program = made;
    }
    return made;
  }

  private String message() {
    return Json.optionalText(rule, "message").orElseGet(() -> "failed rule: " + text().strip());
  }

  private static Object value(JsonNode node, Structural schema, CelBudget budget) {
    budget.spend(1);
    return switch (node.getNodeType()) {
      case STRING -> node.asText();
      case BOOLEAN -> node.asBoolean();
      case NUMBER ->
          schema.type().equals("number") || !node.isIntegralNumber()
              ? (Object) node.doubleValue()
              : (Object) node.longValue();
      case OBJECT -> fields(node, schema, budget);
      case ARRAY -> elements(node, schema, budget);
      case BINARY, MISSING, NULL, POJO -> NullValue.NULL_VALUE;
    };
  }

  private static List<Object> elements(JsonNode array, Structural schema, CelBudget budget) {
    var elements = new ArrayList<Object>();
    for (var element : array)
      elements.add(value(element, schema.items().orElse(Structural.ANY), budget));
    return elements;
  }

  private static Map<String, Object> fields(JsonNode object, Structural schema, CelBudget budget) {
    var fields = new LinkedHashMap<String, Object>();
    for (var field : object.properties()) {
      var name = field.getKey();
      var known = schema.properties().get(name);
      var shown = known == null && schema.additional().isPresent() ? name : escaped(name);
      var part = known == null ? schema.additional().orElse(Structural.ANY) : known;
      fields.put(shown, value(field.getValue(), part, budget));
    }
    return fields;
  }

  /// As rules name a field (`self.__namespace__`).
  private static String escaped(String name) {
    if (RESERVED.contains(name)) return "__" + name + "__";
    return name.replace("__", "__underscores__")
        .replace(".", "__dot__")
        .replace("-", "__dash__")
        .replace("/", "__slash__");
  }
}
