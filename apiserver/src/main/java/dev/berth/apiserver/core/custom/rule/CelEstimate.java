package dev.berth.apiserver.core.custom.rule;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What an expression costs at most, by the sizes that a schema allows, in upstream's units
/// (API-123). Where upstream takes something for unlimited or for dear that has no size here, this
/// takes it for cheap: what upstream accepts is never refused.
final class CelEstimate {
  private static final int LIST = 10;
  private static final int MAP = 30;
  private static final int MESSAGE = 40;

  /// Of a character that is gone through, and of one of a pattern.
  private static final double TEXT = 0.1;

  private static final double PATTERN = 0.25;

  /// What is known of a value.
  ///
  /// @param size elements or characters
  private record Extent(Optional<CelPart> part, long size) {
    private static final Extent NOTHING = new Extent(Optional.empty(), 0);

    private static Extent of(Optional<CelPart> part) {
      return new Extent(part, part.map(CelPart::most).orElse(0L));
    }

    private static Extent of(long size) {
      return new Extent(Optional.empty(), size);
    }
  }

  private final CelAbstractSyntaxTree ast;
  private final Map<String, Deque<Extent>> names = new HashMap<>();

  /// By the id of the expression whose cost was asked for.
  private final Map<Long, Extent> extents = new HashMap<>();

  private CelEstimate(CelAbstractSyntaxTree ast) {
    this.ast = ast;
  }

  static long of(CelAbstractSyntaxTree ast, CelPart self) {
    var estimate = new CelEstimate(ast);
    estimate.bind("self", Extent.of(Optional.of(self)));
    estimate.bind("oldSelf", Extent.of(Optional.of(self)));
    return estimate.cost(ast.getExpr());
  }

  private void bind(String name, Extent extent) {
    names.computeIfAbsent(name, _ -> new ArrayDeque<>()).push(extent);
  }

  private void unbind(String name) {
    names.computeIfAbsent(name, _ -> new ArrayDeque<>()).pop();
  }

  private long cost(CelExpr expr) {
    return switch (expr.getKind()) {
      case CONSTANT -> {
        var constant = expr.constant();
        boolean text = constant.getKind().name().equals("STRING_VALUE");
        extents.put(expr.id(), Extent.of(text ? constant.stringValue().length() : 1));
        yield 0;
      }
      case IDENT -> {
        var bound = names.get(expr.ident().name());
        if (bound != null && !bound.isEmpty()) extents.put(expr.id(), bound.peek());
        yield 1;
      }
      case SELECT -> {
        var operand = expr.select().operand();
        long cost = cost(operand);
        var field = extent(operand).part().flatMap(part -> part.field(expr.select().field()));
        extents.put(expr.id(), Extent.of(field));
        yield expr.select().testOnly() ? cost : sum(cost, 1);
      }
      case CALL -> call(expr, expr.call());
      case LIST -> {
        long cost = LIST;
        for (var each : expr.list().elements()) cost = sum(cost, cost(each));
        extents.put(expr.id(), Extent.of(expr.list().elements().size()));
        yield cost;
      }
      case MAP -> {
        long cost = MAP;
        for (var each : expr.map().entries())
          cost = sum(cost, sum(cost(each.key()), cost(each.value())));
        extents.put(expr.id(), Extent.of(expr.map().entries().size()));
        yield cost;
      }
      case STRUCT -> {
        long cost = MESSAGE;
        for (var each : expr.struct().entries()) cost = sum(cost, cost(each.value()));
        yield cost;
      }
      case COMPREHENSION -> loop(expr, expr.comprehension());
      case NOT_SET -> 0;
    };
  }

  private Extent extent(CelExpr expr) {
    return extents.getOrDefault(expr.id(), Extent.NOTHING);
  }

  private long loop(CelExpr expr, CelComprehension loop) {
    long cost = sum(cost(loop.iterRange()), cost(loop.accuInit()));
    var range = extent(loop.iterRange());
    bind(loop.accuVar(), extent(loop.accuInit()));
    var element = Extent.of(range.part().flatMap(CelPart::element));
    boolean map = isOf(loop.iterRange(), CelKind.MAP);
    if (loop.iterVar2().isEmpty()) bind(loop.iterVar(), map ? Extent.NOTHING : element);
    else {
      bind(loop.iterVar(), Extent.NOTHING);
      bind(loop.iterVar2(), element);
    }
    long round = sum(cost(loop.loopCondition()), cost(loop.loopStep()));
    unbind(loop.iterVar());
    if (!loop.iterVar2().isEmpty()) unbind(loop.iterVar2());
    cost = sum(cost, cost(loop.result()));
    unbind(loop.accuVar());
    var kind = loop.accuInit().getKind();
    extents.put(
        expr.id(),
        kind == Kind.LIST || kind == Kind.MAP ? Extent.of(range.size()) : extent(loop.result()));
    return sum(cost, product(range.size(), round));
  }

  private long call(CelExpr expr, CelCall call) {
    long cost = 0;
    if (call.target().isPresent()) cost = cost(call.target().get());
    var arguments = new Extent[call.args().size()];
    var costs = new long[call.args().size()];
    for (int i = 0; i < arguments.length; i++) {
      costs[i] = cost(call.args().get(i));
      arguments[i] = extent(call.args().get(i));
    }
    var target = call.target().map(this::extent).orElse(Extent.NOTHING);
    if (call.function().equals("_?_:_")) {
      boolean first = arguments[1].size() >= arguments[2].size();
      extents.put(expr.id(), first ? arguments[1] : arguments[2]);
      return sum(costs[0], Math.max(costs[1], costs[2]));
    }
    for (long each : costs) cost = sum(cost, each);
    return sum(cost, own(expr, call, target, arguments));
  }

  /// What the call itself costs.
  private long own(CelExpr expr, CelCall call, Extent target, Extent[] arguments) {
    return switch (call.function()) {
      case "_&&_", "_||_" -> 0;
      case "dyn" -> {
        extents.put(expr.id(), arguments[0]);
        yield 1;
      }
      case "_[_]" -> {
        extents.put(expr.id(), Extent.of(arguments[0].part().flatMap(CelPart::element)));
        yield 1;
      }
      case "_+_" -> {
        long size = sum(arguments[0].size(), arguments[1].size());
        extents.put(expr.id(), Extent.of(size));
        yield isOf(expr, CelKind.STRING) || isOf(expr, CelKind.BYTES) ? share(size, TEXT) : 1;
      }
      case "_==_", "_!=_" -> share(Math.min(arguments[0].size(), arguments[1].size()), TEXT);
      case "_<_", "_<=_", "_>_", "_>=_" ->
          isOf(call.args().getFirst(), CelKind.STRING)
              ? share(Math.min(arguments[0].size(), arguments[1].size()), TEXT)
              : 1;
      case "@in", "in" -> isOf(call.args().get(1), CelKind.LIST) ? arguments[1].size() : 1;
      case "startsWith", "endsWith" -> share(arguments[0].size(), TEXT);
      case "contains" ->
          call.target().isPresent() && isOf(call.target().get(), CelKind.STRING)
              ? product(share(target.size(), TEXT), share(arguments[0].size(), TEXT))
              : 1;
      case "matches" -> {
        var text = call.target().isPresent() ? target : arguments[0];
        var pattern = arguments[arguments.length - 1];
        yield product(share(sum(text.size(), 1), TEXT), share(pattern.size(), PATTERN));
      }
      default -> 1;
    };
  }

  private boolean isOf(CelExpr expr, CelKind kind) {
    return ast.getType(expr.id()).map(CelType::kind).filter(kind::equals).isPresent();
  }

  private static long share(long size, double factor) {
    return (long) Math.ceil(size * factor);
  }

  /// More than all that there is counts as that.
  static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  static long product(long one, long other) {
    return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
  }
}
