package dev.berth.apiserver.core.custom.rule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.berth.apiserver.core.custom.rule.CelPrograms.Faulty;
import dev.berth.apiserver.core.custom.rule.CelPrograms.Runs;
import dev.berth.apiserver.core.custom.rule.CelSource.Result;
import dev.berth.kube.value.Json;
import dev.cel.runtime.CelEvaluationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// One of the `x-kubernetes-validations` of a schema, in CEL (API-123).
public final class CelRule {
  /// In all versions of one definition: each takes its time to compile.
  public static final int MOST_OF_A_DEFINITION = 1_000;

  private static final int MOST_MESSAGE_BYTES = 5 * 1024;

  private final JsonNode rule;
  private final CelSource condition;
  private final Optional<CelSource> message;

  /// @param shape of the values that it is for
  public CelRule(JsonNode rule, CelShape shape) {
    this.rule = rule;
    this.condition = new CelSource(text(), Result.TRUTH, optionalOld(), shape);
    this.message =
        Json.optionalText(rule, "messageExpression")
            .map(text -> new CelSource(text, Result.TEXT, optionalOld(), shape));
  }

  /// How many rules there are in a schema, or in a whole definition.
  public static int count(JsonNode schema) {
    int count =
        schema.path("x-kubernetes-validations") instanceof ArrayNode rules ? rules.size() : 0;
    for (var part : schema) count += count(part);
    return count;
  }

  /// What has to be compiled before it can be used.
  public List<CelSource> sources() {
    return Stream.concat(Stream.of(condition), message.stream()).toList();
  }

  /// Why it cannot be used; empty: it can.
  public Optional<String> fault() {
    return fault(condition);
  }

  /// Why its messageExpression cannot be used; empty: it can, or there is none.
  public Optional<String> messageFault() {
    return message.flatMap(CelRule::fault);
  }

  private static Optional<String> fault(CelSource source) {
    return CelPrograms.of(source) instanceof Faulty(var why) ? Optional.of(why) : Optional.empty();
  }

  private String text() {
    return Json.text(rule, "rule");
  }

  /// Whether it can do without what the value was before.
  public boolean optionalOld() {
    return rule.path("optionalOldSelf").asBoolean();
  }

  /// Whether it looks at what the value was before.
  public boolean compares() {
    return CelPrograms.of(condition) instanceof Runs(var program) && program.compares();
  }

  public String reason() {
    return Json.text(rule, "reason");
  }

  /// What it costs at most, once; 0: it cannot be used.
  ///
  /// @param self the value that it is for
  public long estimate(CelPart self) {
    return estimate(condition, self);
  }

  /// What its messageExpression costs at most; 0: it has none.
  public long messageEstimate(CelPart self) {
    return message.map(source -> estimate(source, self)).orElse(0L);
  }

  private static long estimate(CelSource source, CelPart self) {
    return CelPrograms.of(source) instanceof Runs(var program) ? program.estimate(self) : 0;
  }

  /// From the schema's own path on, such as `.size`.
  public String fieldPath() {
    return Json.text(rule, "fieldPath");
  }

  /// What is wrong with the value.
  ///
  /// @return empty: nothing
  public Optional<String> broken(Facts facts, CelCost cost) {
    try {
      return switch (CelPrograms.of(condition)) {
        case Faulty(var why) -> Optional.of("rule compile error: " + why);
        case Runs(var program) ->
            Boolean.TRUE.equals(program.run(facts.of(optionalOld()), cost))
                ? Optional.empty()
                : Optional.of(message(facts, cost));
      };
    } catch (CelEvaluationException | ArithmeticException failed) {
      return Optional.of("rule evaluation error: " + failed.getMessage());
    } catch (CelCost.Spent tooMuch) {
      return Optional.of(
          "validation failed due to running out of cost budget, no further validation rules will be run: call cost exceeds limit for rule: %s: the rules of this object take more than %d steps; make lists, maps and texts that they look at smaller, or the rules simpler"
              .formatted(text().strip(), CelCost.MOST));
    }
  }

  /// What a rule looks at.
  ///
  /// @param old what the value was; empty: nothing that can be compared
  public record Facts(Object value, Optional<Object> old) {
    private Map<String, Object> of(boolean optionalOld) {
      var facts = new LinkedHashMap<String, Object>();
      facts.put("self", value);
      if (optionalOld) facts.put("oldSelf", old);
      else old.ifPresent(before -> facts.put("oldSelf", before));
      return facts;
    }
  }

  private String message(Facts facts, CelCost cost) {
    return said(facts, cost)
        .or(() -> Json.optionalText(rule, "message").map(String::strip))
        .orElseGet(() -> "failed rule: " + text().strip());
  }

  /// By its messageExpression, unless that fails or says nothing fit for one line.
  private Optional<String> said(Facts facts, CelCost cost) {
    if (message.isEmpty() || !(CelPrograms.of(message.get()) instanceof Runs(var program)))
      return Optional.empty();
    try {
      var said = String.valueOf(program.run(facts.of(optionalOld()), cost)).strip();
      boolean fit = !said.isEmpty() && said.lines().count() == 1;
      return Optional.of(said).filter(_ -> fit && said.length() <= MOST_MESSAGE_BYTES);
    } catch (CelEvaluationException | ArithmeticException failed) {
      return Optional.empty();
    }
  }
}
