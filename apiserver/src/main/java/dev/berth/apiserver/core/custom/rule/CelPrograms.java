package dev.berth.apiserver.core.custom.rule;

import dev.berth.apiserver.core.cel.KubernetesLibrary;
import dev.berth.apiserver.core.custom.rule.CelSource.Result;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.OptionalType;
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

/// The expressions in CEL that have been compiled, by their text and by the shape of what they look
/// at. To compile takes long, seconds at first, and so it is never done by who writes: it asks for
/// what it needs ([#demand]), and whoever sent the request has that compiled and asks again. Those
/// that were used last are kept.
public final class CelPrograms {
  /// Some definitions' worth.
  private static final int MOST_KEPT = 8 * CelRule.MOST_OF_A_DEFINITION;

  private static final int MOST_CHARACTERS = 10_000;

  /// [CelCost] counts what loops do.
  private static final int ANY_ROUNDS = -1;

  private static final int MOST_REGEX_STEPS = 10_000;

  /// The type of what rules look at; no schema can name it.
  private static final String SELF_TYPE = "berth.self";

  /// What became of an expression.
  sealed interface Compiled {}

  public record Runs(CelProgram program) implements Compiled {}

  public record Faulty(String why) implements Compiled {}

  private static final Map<CelSource, Compiled> KEPT =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<CelSource, Compiled> eldest) {
              return size() > MOST_KEPT;
            }
          });

  /// Loaded when the first rule is read, since it takes its time.
  private static final class Language {
    private static final CelOptions OPTIONS =
        CelOptions.current()
            .comprehensionMaxIterations(ANY_ROUNDS)
            .maxExpressionCodePointSize(MOST_CHARACTERS)
            .maxRegexProgramSize(MOST_REGEX_STEPS)
            .enableHeterogeneousNumericComparisons(true)
            .evaluateCanonicalTypesToNativeValues(true)
            .build();

    private static final KubernetesLibrary KUBERNETES = new KubernetesLibrary(Patterns::of);

    private static final Cel CEL =
        CelFactory.standardCelBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addCompilerLibraries(
                CelExtensions.optional(),
                CelExtensions.strings(),
                CelExtensions.lists(),
                CelExtensions.sets(OPTIONS),
                CelExtensions.comprehensions(),
                KUBERNETES)
            .addRuntimeLibraries(
                CelExtensions.optional(),
                CelExtensions.strings(),
                CelExtensions.lists(),
                CelExtensions.sets(OPTIONS),
                CelExtensions.comprehensions(),
                KUBERNETES)
            .build();
  }

  private CelPrograms() {}

  /// @throws UncompiledException some of them are still to be compiled
  public static void demand(Collection<CelSource> sources) {
    var missing = new HashSet<CelSource>();
    for (var source : sources) if (KEPT.get(source) == null) missing.add(source);
    if (!missing.isEmpty()) throw new UncompiledException(missing);
  }

  /// @throws UncompiledException it is still to be compiled
  static Compiled of(CelSource source) {
    return Optional.ofNullable(KEPT.get(source))
        .orElseThrow(() -> new UncompiledException(Set.of(source)));
  }

  /// Compiles expressions, which takes long.
  public static void compile(Collection<CelSource> sources) {
    sources.forEach(CelPrograms::keep);
  }

  /// Nobody waits for the lock of the map meanwhile.
  private static void keep(CelSource source) {
    if (KEPT.get(source) == null) KEPT.put(source, compiled(source));
  }

  private static Compiled compiled(CelSource source) {
    if (source.shape().form() == CelShape.Form.HIDDEN)
      return new Faulty("its schema does not say what the value is");
    try {
      var language = language(source);
      var parsed = language.parse(source.text());
      if (parsed.hasError())
        return new Faulty("compilation failed: " + syntaxErrors(parsed.getErrorString()));
      var ast = language.compile(source.text()).getAst();
      var result = source.result() == Result.TEXT ? SimpleType.STRING : SimpleType.BOOL;
      if (!ast.getResultType().equals(result))
        return new Faulty(
            source.result() == Result.TEXT
                ? "messageExpression must evaluate to a string"
                : "cel expression must evaluate to a bool");
      return new Runs(new CelProgram(Language.CEL.createProgram(ast), ast));
    } catch (CelValidationException | CelEvaluationException unreadable) {
      return new Faulty("compilation failed: " + unreadable.getMessage());
    } catch (StackOverflowError nested) {
      return new Faulty("compilation failed: it is nested too deep");
    }
  }

  /// In the words that upstream has before each.
  private static String syntaxErrors(String words) {
    return words.replaceAll("(ERROR: <input>:\\d+:\\d+: )", "$1Syntax error: ");
  }

  /// In which each of `names` may be anything.
  static Cel language(Collection<String> names) {
    var language = Language.CEL.toCelBuilder();
    names.forEach(name -> language.addVar(name, SimpleType.DYN));
    return language.build();
  }

  /// In which `self` is what the source says.
  private static Cel language(CelSource source) {
    var self = source.shape().type(SELF_TYPE);
    return Language.CEL
        .toCelBuilder()
        .setTypeProvider(source.shape().types(SELF_TYPE))
        .addVar("self", self)
        .addVar("oldSelf", source.optionalOld() ? OptionalType.create(self) : self)
        .build();
  }
}
