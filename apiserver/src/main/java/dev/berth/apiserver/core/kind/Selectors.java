package dev.berth.apiserver.core.kind;

import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;

/// Label selectors as objects have them.
public final class Selectors {
  private Selectors() {}

  /// What is wrong with one.
  public static void check(Field selector) {
    var labels = selector.at("matchLabels");
    for (var key : labels.names()) {
      Names.QUALIFIED.checkKey(labels, key);
      Names.LABEL_VALUE.check(labels.key(key));
    }
    selector.at("matchExpressions").elements().forEach(Selectors::checkExpression);
  }

  private static void checkExpression(Field expression) {
    if (expression.at("key").demand()) Names.QUALIFIED.check(expression.at("key"));
    var values = expression.at("values");
    switch (expression.at("operator").text()) {
      case "In", "NotIn" -> {
        if (values.isEmpty())
          values.required("must be specified when `operator` is 'In' or 'NotIn'");
        values.elements().forEach(Names.LABEL_VALUE::check);
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty())
          values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
      default -> expression.at("operator").invalid("not a valid selector operator");
    }
  }

  /// Whether one says nothing, and so selects everything.
  public static boolean selectsAll(Field selector) {
    return selector.at("matchLabels").isEmpty() && selector.at("matchExpressions").isEmpty();
  }
}
