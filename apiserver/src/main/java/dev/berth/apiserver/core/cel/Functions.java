package dev.berth.apiserver.core.cel;

import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Functions as they are added: how they are declared, and what they do.
final class Functions {
  private final Map<String, List<CelOverloadDecl>> overloads = new LinkedHashMap<>();
  private final List<CelFunctionBinding> bindings = new ArrayList<>();

  /// What a function does.
  interface Body {
    /// @throws IllegalArgumentException the rule fails, as its message says
    /// @throws ArithmeticException a number is too large
    /// @throws PatternSyntaxException a regular expression cannot be read
    Object of(Object... arguments);
  }

  /// A function `name(…)`.
  void function(String name, String id, CelType result, List<CelType> parameters, Body body) {
    add(name, CelOverloadDecl.newGlobalOverload(id, result, parameters), parameters, body);
  }

  /// A function `….name(…)` of its first argument.
  void member(String name, String id, CelType result, List<CelType> parameters, Body body) {
    add(name, CelOverloadDecl.newMemberOverload(id, result, parameters), parameters, body);
  }

  @SuppressWarnings("Immutable") // no body keeps anything
  private void add(String name, CelOverloadDecl overload, List<CelType> parameters, Body body) {
    overloads.computeIfAbsent(name, _ -> new ArrayList<>()).add(overload);
    var classes = new ArrayList<Class<?>>();
    for (var parameter : parameters) classes.add(Types.classOf(parameter));
    bindings.add(
        CelFunctionBinding.from(
            overload.overloadId(),
            classes,
            arguments -> {
              try {
                return body.of(arguments);
              } catch (IllegalArgumentException
                  | ArithmeticException
                  | PatternSyntaxException wrong) {
                throw new CelEvaluationException(String.valueOf(wrong.getMessage()), wrong);
              }
            }));
  }

  List<CelFunctionDecl> declarations() {
    var all = new ArrayList<CelFunctionDecl>();
    overloads.forEach((name, each) -> all.add(CelFunctionDecl.newFunctionDeclaration(name, each)));
    return all;
  }

  List<CelFunctionBinding> bindings() {
    return bindings;
  }
}
