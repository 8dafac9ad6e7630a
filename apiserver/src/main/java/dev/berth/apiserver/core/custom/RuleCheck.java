package dev.berth.apiserver.core.custom;

import dev.berth.apiserver.core.custom.rule.CelRule;
import dev.berth.apiserver.core.field.Field;
import java.util.regex.Pattern;

/// Whether the rules in CEL of a schema can be used: one that cannot is refused with its
/// definition, since nobody is to rely on it in vain (API-123).
final class RuleCheck {
  private static final String[] REASONS = {
    "FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden", "FieldValueDuplicate"
  };

  private static final Pattern STEP =
      Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_-]*)|\\['([^']+)'\\]");

  private RuleCheck() {}

  /// @param correlated whether a value here is known to be the same as one before a change
  static void check(Field schema, Structural read, boolean correlated) {
    var own = schema.at("x-kubernetes-validations").elements();
    for (int i = 0; i < own.size(); i++) {
      words(own.get(i), read);
      if (!own.get(i).at("rule").isEmpty()) compiled(own.get(i), read.rules().get(i), correlated);
    }
    for (var rule : read.rules().subList(own.size(), read.rules().size()))
      rule.fault().ifPresent(why -> schema.at("allOf").invalid(why));
  }

  private static void words(Field rule, Structural read) {
    rule.at("rule").demand();
    var message = rule.at("message");
    if (message.isSet() && message.text().isBlank())
      message.invalid("message must be non-empty if specified");
    else if (message.text().strip().contains("\n"))
      message.invalid("message must not contain line breaks");
    if (message.isEmpty() && rule.at("rule").text().strip().contains("\n"))
      message.required("message must be specified if rule contains line breaks");
    var expression = rule.at("messageExpression");
    if (expression.isSet() && expression.text().isBlank())
      expression.required("must be non-empty if specified");
    var reason = rule.at("reason");
    if (reason.isSet() && !reason.isOneOf(REASONS)) reason.notSupported(REASONS);
    var path = rule.at("fieldPath");
    if (path.isSet() && !leadsSomewhere(path.text(), read))
      path.invalid("fieldPath must be a valid path");
  }

  /// Whether a path names a field that the schema knows, such as `.spec['a.b']`.
  private static boolean leadsSomewhere(String path, Structural schema) {
    var at = schema;
    var steps = STEP.matcher(path);
    int end = 0;
    while (end < path.length() && steps.find(end) && steps.start() == end) {
      var name = steps.group(1) == null ? steps.group(2) : steps.group(1);
      var next = at.properties().get(name);
      if (next == null) next = at.additional().orElse(null);
      if (next == null) return false;
      at = next;
      end = steps.end();
    }
    return end > 0 && end == path.length();
  }

  private static void compiled(Field field, CelRule rule, boolean correlated) {
    rule.fault().ifPresent(why -> field.at("rule").invalid(why));
    rule.messageFault().ifPresent(why -> field.at("messageExpression").invalid(why));
    if (rule.fault().isPresent()) return;
    if (rule.compares() && !correlated)
      field
          .at("rule")
          .invalid("oldSelf cannot be used on the uncorrelatable portion of the schema");
    if (field.at("optionalOldSelf").isSet() && !rule.compares())
      field.at("optionalOldSelf").invalid("may not be set if oldSelf is not used in rule");
  }
}
