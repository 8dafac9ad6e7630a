package dev.berth.apiserver.core.custom;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The rules in CEL that have been compiled, by their text. To compile takes long, seconds at
/// first, and so it is never done by who writes: it asks for what it needs ([#demand]), and whoever
/// sent the request has that compiled and asks again. The rules that were used last are kept.
public final class CelPrograms {
  /// Some definitions' worth.
  private static final int MOST_KEPT = 8 * DefinitionRules.MOST_RULES;

  private static final int MOST_CHARACTERS = 10_000;

  /// [CelCost] counts what loops do.
  private static final int ANY_ROUNDS = -1;

  private static final int MOST_REGEX_STEPS = 10_000;

  /// What became of a rule.
  sealed interface Compiled {}

  record Runs(CelProgram program) implements Compiled {}

  record Faulty(String why) implements Compiled {}

  private static final Map<String, Compiled> KEPT =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Compiled> eldest) {
              return size() > MOST_KEPT;
            }
          });

  /// Loaded when the first rule is read, since it takes its time.
  private static final class Language {
    private static final Cel CEL =
        CelFactory.standardCelBuilder()
            .setOptions(
                CelOptions.current()
                    .comprehensionMaxIterations(ANY_ROUNDS)
                    .maxExpressionCodePointSize(MOST_CHARACTERS)
                    .maxRegexProgramSize(MOST_REGEX_STEPS)
                    .build())
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("self", SimpleType.DYN)
            .addVar("oldSelf", SimpleType.DYN)
            .addCompilerLibraries(CelExtensions.optional(), CelExtensions.strings())
            .addRuntimeLibraries(CelExtensions.optional(), CelExtensions.strings())
            .build();
  }

  private CelPrograms() {}

  /// @throws UncompiledException some of them are still to be compiled
  static void demand(Collection<String> rules) {
    var missing = new HashSet<String>();
    for (var rule : rules) if (KEPT.get(rule) == null) missing.add(rule);
    if (!missing.isEmpty()) throw new UncompiledException(missing);
  }

  /// @throws UncompiledException it is still to be compiled
  static Compiled of(String rule) {
    return Optional.ofNullable(KEPT.get(rule))
        .orElseThrow(() -> new UncompiledException(Set.of(rule)));
  }

  /// Compiles rules, which takes long.
  public static void compile(Collection<String> rules) {
    rules.forEach(CelPrograms::keep);
  }

  /// Nobody waits for the lock of the map meanwhile.
  private static void keep(String rule) {
    if (KEPT.get(rule) == null) KEPT.put(rule, compiled(rule));
  }

  private static Compiled compiled(String rule) {
    try {
      var ast = Language.CEL.compile(rule).getAst();
      return new Runs(new CelProgram(Language.CEL.createProgram(ast), ast));
    } catch (CelValidationException | CelEvaluationException unreadable) {
      return new Faulty(String.valueOf(unreadable.getMessage()));
    } catch (StackOverflowError nested) {
      return new Faulty("it is nested too deep");
    }
  }
}
