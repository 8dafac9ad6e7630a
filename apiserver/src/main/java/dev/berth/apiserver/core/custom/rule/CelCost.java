package dev.berth.apiserver.core.custom.rule;

import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelEvaluationListener;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// What the rules of one object may cost together (API-123). They are evaluated by who writes, for
/// whom all others wait, and so it is counted and not timed: one for each expression, and more for
/// a call whose operands are large, before it is made.
public final class CelCost {
  /// Upstream lets them cost far more; there, writes do not wait for each other.
  static final long MOST = 200_000;

  /// Of an expression that failed, where the rule goes on: that takes very long.
  private static final int FAILURE = 200;

  /// So many characters are gone through at the cost of an expression.
  private static final int AT_ONCE = 16;

  /// They look at no more than one element; the empty one is a look at a field.
  private static final Set<String> IMMEDIATE =
      Set.of(
          "",
          "size",
          "_[_]",
          "_?_:_",
          "_&&_",
          "_||_",
          "!_",
          "@not_strictly_false",
          "_?._",
          "_[?_]",
          "type",
          "dyn",
          "hasValue",
          "value",
          "orValue",
          "or",
          "optional.of");

  /// Whose time may be the product of what they are given.
  private static final Set<String> SEARCHING =
      Set.of(
          "contains", "indexOf", "lastIndexOf", "replace", "split", "matches", "find", "findAll");

  /// No exception: over one a loop goes on, since what failed may not matter (`failed && false`).
  static final class Spent extends Error {
    private static final long serialVersionUID = 1;

    private Spent() {
      super("it costs too much", null, false, false);
    }
  }

  private long left;

  public CelCost() {
    this(MOST);
  }

  CelCost(long most) {
    this.left = most;
  }

  /// Whether no rule is to be evaluated any more.
  public boolean isSpent() {
    return left < 0;
  }

  /// Counts one run.
  CelEvaluationListener of(Map<Long, CelProgram.Call> calls) {
    var weights = new HashMap<Long, Long>();
    var begun = new HashSet<Long>();
    return (expr, result) -> {
      begun.remove(expr.id());
      spend(1 + (result instanceof CharSequence text ? text.length() / AT_ONCE : 0));
      var call = calls.get(expr.id());
      if (call == null) return;
      weights.put(expr.id(), weight(call, result));
      if (call.operands().getLast() != expr.id()) return;
      // It has all it needs, as it had the last time, of which nothing came.
      if (!begun.add(call.id())) spend(FAILURE);
      spend(price(call, weights));
    };
  }

  private void spend(long cost) {
    left -= cost;
    if (left < 0) throw new Spent();
  }

  private long price(CelProgram.Call call, Map<Long, Long> weights) {
    long sum = 0;
    long product = 1;
    for (long operand : call.operands()) {
      long weight = weights.getOrDefault(operand, 0L);
      sum += weight;
      // As much as nobody has left.
      product = Math.min(product * Math.max(1, weight), Integer.MAX_VALUE);
    }
    return (SEARCHING.contains(call.function()) ? product : sum) / AT_ONCE;
  }

  private long weight(CelProgram.Call call, Object operand) {
    if (operand instanceof CharSequence text) return text.length();
    if (operand instanceof CelByteString bytes) return bytes.size();
    if (operand instanceof Long count)
      return call.function().equals("lists.range")
          ? Math.clamp(count, 0, Integer.MAX_VALUE) * AT_ONCE
          : 0;
    if (IMMEDIATE.contains(call.function())) return 0;
    if (call.function().equals("_+_") && operand instanceof Collection<?> list)
      return (long) list.size() * AT_ONCE;
    return extent(operand, left * AT_ONCE);
  }

  /// In characters, how much a comparison may look at; an element costs an expression.
  private static long extent(Object value, long atMost) {
    long extent = value instanceof CharSequence text ? text.length() : AT_ONCE;
    switch (value) {
      case Map<?, ?> map -> {
        for (var each : map.values()) {
          if (extent > atMost) return extent;
          extent += extent(each, atMost - extent);
        }
      }
      case Iterable<?> list -> {
        for (var each : list) {
          if (extent > atMost) return extent;
          extent += extent(each, atMost - extent);
        }
      }
      default -> {}
    }
    return extent;
  }
}
