package dev.berth.apiserver.core.cel;

import static dev.berth.apiserver.core.cel.Types.QUANTITY;
import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.DOUBLE;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import dev.berth.kube.value.Quantity;
import java.math.BigDecimal;
import java.util.List;

/// `quantity('1Gi')` and what can be asked of it.
final class QuantityFunctions {
  private QuantityFunctions() {}

  static void addTo(Functions functions) {
    var one = List.of(QUANTITY);
    var two = List.of(QUANTITY, QUANTITY);
    functions.function(
        "quantity", "string_to_quantity", QUANTITY, List.of(STRING), a -> Quantity.parse(text(a)));
    functions.function("isQuantity", "is_quantity_string", BOOL, List.of(STRING), a -> is(text(a)));
    functions.function("sign", "quantity_sign", INT, one, a -> (long) amount(a[0]).signum());
    functions.member("isGreaterThan", "quantity_is_greater_than", BOOL, two, a -> order(a) > 0);
    functions.member("isLessThan", "quantity_is_less_than", BOOL, two, a -> order(a) < 0);
    functions.member("compareTo", "quantity_compare_to", INT, two, a -> (long) order(a));
    functions.member(
        "asApproximateFloat", "quantity_get_float", DOUBLE, one, a -> amount(a[0]).doubleValue());
    functions.member("asInteger", "quantity_get_int", INT, one, a -> amount(a[0]).longValueExact());
    functions.member("isInteger", "quantity_is_integer", BOOL, one, a -> isWhole(amount(a[0])));
    functions.member("add", "quantity_add", QUANTITY, two, a -> plus(a, amount(a[1])));
    functions.member("sub", "quantity_sub", QUANTITY, two, a -> plus(a, amount(a[1]).negate()));
    var withInt = List.of(QUANTITY, INT);
    functions.member("add", "quantity_add_int", QUANTITY, withInt, a -> plus(a, number(a[1])));
    functions.member(
        "sub", "quantity_sub_int", QUANTITY, withInt, a -> plus(a, number(a[1]).negate()));
  }

  private static String text(Object... arguments) {
    return (String) arguments[0];
  }

  private static boolean is(String text) {
    try {
      Quantity.parse(text);
      return true;
    } catch (IllegalArgumentException otherwise) {
      return false;
    }
  }

  private static BigDecimal amount(Object quantity) {
    return ((Quantity) quantity).amount();
  }

  private static BigDecimal number(Object number) {
    return BigDecimal.valueOf((Long) number);
  }

  private static int order(Object... arguments) {
    return amount(arguments[0]).compareTo(amount(arguments[1]));
  }

  private static boolean isWhole(BigDecimal amount) {
    return amount.signum() == 0 || amount.stripTrailingZeros().scale() <= 0;
  }

  private static Quantity plus(Object[] arguments, BigDecimal more) {
    return new Quantity(amount(arguments[0]).add(more), ((Quantity) arguments[0]).form());
  }
}
