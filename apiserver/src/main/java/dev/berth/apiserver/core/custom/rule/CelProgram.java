package dev.berth.apiserver.core.custom.rule;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// An expression in CEL, ready to run. Immutable.
public final class CelProgram {
  /// A call, or a look at a field, as far as its cost goes.
  ///
  /// @param id of its expression
  /// @param function empty: a look at a field
  /// @param operands ids of what it is called with, in the order in which they are evaluated
  record Call(long id, String function, List<Long> operands) {}

  private final CelRuntime.Program program;
  private final CelAbstractSyntaxTree ast;
  private final boolean compares;

  /// By the id of each operand.
  private final Map<Long, Call> calls = new HashMap<>();

  CelProgram(CelRuntime.Program program, CelAbstractSyntaxTree ast) {
    this.program = program;
    this.ast = ast;
    var root = CelNavigableAst.fromAst(ast).getRoot();
    root.allNodes().forEach(node -> note(node.expr()));
    this.compares =
        ast.getReferenceMap().values().stream().anyMatch(each -> each.name().equals("oldSelf"));
  }

  private void note(CelExpr expr) {
    var operands = new ArrayList<Long>();
    switch (expr.getKind()) {
      case CALL -> {
        expr.call().target().ifPresent(target -> operands.add(target.id()));
        expr.call().args().stream()
            .filter(argument -> !isResultSoFar(argument))
            .forEach(argument -> operands.add(argument.id()));
        if (!operands.isEmpty())
          note(new Call(expr.id(), expr.call().function(), List.copyOf(operands)));
      }
      case SELECT -> note(new Call(expr.id(), "", List.of(expr.select().operand().id())));
      default -> {}
    }
  }

  /// What a loop adds to, which it does without a copy.
  private static boolean isResultSoFar(CelExpr expr) {
    return expr.getKind() == ExprKind.Kind.IDENT && expr.ident().name().startsWith("@result");
  }

  private void note(Call call) {
    call.operands().forEach(operand -> calls.put(operand, call));
  }

  /// Whether it looks at what the value was before.
  boolean compares() {
    return compares;
  }

  /// What it costs at most.
  ///
  /// @param self what it looks at
  long estimate(CelPart self) {
    return CelEstimate.of(ast, self);
  }

  /// @param cost what it may cost, which its steps are taken from
  Object run(Map<String, Object> facts, CelCost cost) throws CelEvaluationException {
    return program.trace(facts, cost.of(calls));
  }
}
