package dev.berth.apiserver.core.kind.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import java.util.Map;

/// PriorityClasses. Two are the system's own and there from the start.
public final class PriorityClassRules implements Rules {
  /// By their names.
  public static final Map<String, Integer> OF_THE_SYSTEM =
      Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

  private static final int HIGHEST = 1_000_000_000;

  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public boolean goesQuietly() {
    return true;
  }

  @Override
  public void setDefaults(ObjectNode priority) {
    Trees.setDefault(priority, "preemptionPolicy", "PreemptLowerPriority");
    if (!priority.has("value")) priority.put("value", 0);
    if (!priority.path("globalDefault").asBoolean()) priority.remove("globalDefault");
  }

  @Override
  public void check(Field priority) {
    var name = priority.at("metadata").at("name");
    var value = priority.at("value");
    if (name.text().startsWith("system-")) {
      var known = OF_THE_SYSTEM.get(name.text());
      if (known == null || known != value.node().asLong())
        name.forbidden(
            "priority class names with 'system-' prefix are reserved for system use only. error: "
                + (known == null
                    ? name.text() + " is not a known system priority class"
                    : "value of %s PriorityClass must be %d".formatted(name.text(), known)));
    } else if (value.node().asLong() > HIGHEST)
      value.forbidden("maximum allowed value of a user defined priority is " + HIGHEST);
    priority.at("preemptionPolicy").demandOneOf("Never", "PreemptLowerPriority");
  }

  @Override
  public void checkChange(Field priority, Field stored) {
    if (!priority.at("value").same(stored.at("value")))
      priority.at("value").forbidden("may not be changed in an update.");
    priority.at("preemptionPolicy").immutable(stored.at("preemptionPolicy"));
  }
}
