package dev.berth.apiserver.core.cel;

import static dev.berth.apiserver.core.cel.Types.ANY;
import static dev.berth.apiserver.core.cel.Types.ANY_LIST;
import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.DYN;
import static dev.cel.common.types.SimpleType.INT;

import dev.cel.common.values.CelByteString;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// What can be asked of a list: whether it is sorted, its sum, its smallest and its largest, where
/// something stands in it.
final class ListFunctions {
  private ListFunctions() {}

  static void addTo(Functions functions) {
    var one = List.of(ANY_LIST);
    var two = List.of(ANY_LIST, ANY);
    functions.member("isSorted", "list_is_sorted", BOOL, one, a -> isSorted(list(a[0])));
    functions.member("sum", "list_sum", ANY, one, a -> sum(list(a[0])));
    functions.member("min", "list_min", ANY, one, a -> outermost("min", list(a[0]), -1));
    functions.member("max", "list_max", ANY, one, a -> outermost("max", list(a[0]), 1));
    functions.member("indexOf", "list_a_index_of_int", INT, two, a -> indexOf(list(a[0]), a[1]));
    functions.member(
        "lastIndexOf", "list_a_last_index_of_int", INT, two, a -> lastIndexOf(list(a[0]), a[1]));
    functions.member(
        "includes",
        "list_includes_dyn_dyn",
        BOOL,
        List.of(DYN, DYN),
        a -> a[0] instanceof List<?> list ? indexOf(list, a[1]) >= 0 : same(a[0], a[1]));
  }

  private static List<?> list(Object list) {
    return (List<?>) list;
  }

  private static boolean isSorted(List<?> list) {
    Object last = null;
    for (var each : list) {
      if (last != null && order(last, each) > 0) return false;
      last = each;
    }
    return true;
  }

  private static Object sum(List<?> list) {
    Object sum = null;
    for (var each : list)
      sum =
          switch (each) {
            case Long number -> Math.addExact(sum == null ? 0L : (Long) sum, number);
            case Double number -> (sum == null ? 0.0 : (Double) sum) + number;
            case Duration length -> sum == null ? length : ((Duration) sum).plus(length);
            default -> throw new IllegalArgumentException("no such overload");
          };
    return sum == null ? 0L : sum;
  }

  /// @param sign 1: the largest; -1: the smallest
  private static Object outermost(String name, List<?> list, int sign) {
    if (list.isEmpty()) throw new IllegalArgumentException(name + " called on empty list");
    Object found = list.getFirst();
    for (var each : list) if (order(each, found) * sign > 0) found = each;
    return found;
  }

  private static int order(Object one, Object other) {
    if (one instanceof Number && other instanceof Number)
      return new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString()));
    if (one instanceof CelByteString bytes && other instanceof CelByteString more)
      return CelByteString.unsignedLexicographicalComparator().compare(bytes, more);
    if (one.getClass() == other.getClass() && one instanceof Comparable<?> comparable) {
      @SuppressWarnings("unchecked") // of the same class
      var same = (Comparable<Object>) comparable;
      return Integer.signum(same.compareTo(other));
    }
    throw new IllegalArgumentException("no such overload");
  }

  private static long indexOf(List<?> list, Object wanted) {
    int at = 0;
    for (var each : list) {
      if (same(each, wanted)) return at;
      at++;
    }
    return -1;
  }

  private static long lastIndexOf(List<?> list, Object wanted) {
    long found = -1;
    int at = 0;
    for (var each : list) {
      if (same(each, wanted)) found = at;
      at++;
    }
    return found;
  }

  private static boolean same(Object one, Object other) {
    return one instanceof Number && other instanceof Number
        ? order(one, other) == 0
        : Objects.equals(one, other);
  }
}
