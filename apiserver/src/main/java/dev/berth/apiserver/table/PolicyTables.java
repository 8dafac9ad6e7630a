package dev.berth.apiserver.table;

import static dev.berth.apiserver.table.Column.age;
import static dev.berth.apiserver.table.Column.number;
import static dev.berth.apiserver.table.Column.text;
import static dev.berth.apiserver.table.Column.truth;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;

/// What says what others may be.
final class PolicyTables {
  private static final Layout QUOTA =
      Layout.of(
          Cells.name(),
          text("Request", "Used of what may be requested", quota -> used(quota, false)),
          text("Limit", "Used of what may be the limit", quota -> used(quota, true)),
          age());

  private static final Layout PRIORITY =
      Layout.of(
          Cells.name(),
          number("Value", "Its pods' priority", priority -> priority.path("value").asInt()),
          truth(
              "Global-Default",
              "Whether it is that of pods that name none",
              priority -> priority.path("globalDefault").asBoolean()),
          age(),
          text(
              "PreemptionPolicy",
              "Whether its pods displace others",
              Cells.at("/preemptionPolicy")));

  private static final Layout RUNTIME =
      Layout.of(Cells.name(), text("Handler", "What runs its pods", Cells.at("/handler")), age());

  private static final Layout WEBHOOKS =
      Layout.of(
          Cells.name(),
          number("Webhooks", "Number of them", hooks -> hooks.path("webhooks").size()),
          age());

  private static final Layout POLICY =
      Layout.of(
          Cells.name(),
          number("Validations", "Number of them", policy -> policy.at("/spec/validations").size()),
          text("ParamKind", "Kind of its parameters", PolicyTables::paramKind),
          age());

  private static final Layout BINDING =
      Layout.of(
          Cells.name(),
          text("PolicyName", "Policy that it puts in force", Cells.at("/spec/policyName")),
          text("ParamRef", "Parameters of the policy", PolicyTables::paramRef),
          age());

  static final Map<Resource, Layout> ALL =
      Map.of(
          StoredResources.QUOTAS, QUOTA,
          StoredResources.PRIORITY_CLASSES, PRIORITY,
          StoredResources.RUNTIME_CLASSES, RUNTIME,
          StoredResources.VALIDATING_WEBHOOKS, WEBHOOKS,
          StoredResources.MUTATING_WEBHOOKS, WEBHOOKS,
          StoredResources.ADMISSION_POLICIES, POLICY,
          StoredResources.POLICY_BINDINGS, BINDING);

  private PolicyTables() {}

  /// `pods: 1/2, requests.storage: 1Gi/4Gi`.
  private static String used(JsonNode quota, boolean limits) {
    var used = quota.at("/status/used");
    var parts = new ArrayList<String>();
    new TreeMap<>(Json.texts(quota.at("/status/hard")))
        .forEach((name, hard) -> {
          if (name.startsWith("limits.") == limits)
            parts.add(name + ": " + used.path(name).asText("0") + "/" + hard);
        });
    return String.join(", ", parts);
  }

  private static String paramKind(JsonNode policy) {
    var kind = policy.at("/spec/paramKind");
    return kind.isObject()
        ? Json.text(kind, "apiVersion") + "/" + Json.text(kind, "kind")
        : Cells.UNSET;
  }

  private static String paramRef(JsonNode binding) {
    var ref = binding.at("/spec/paramRef");
    if (!ref.isObject()) return Cells.UNSET;
    var name = Json.text(ref, "name");
    if (name.isEmpty()) return Cells.selector(ref.path("selector"));
    var namespace = Json.text(ref, "namespace");
    return (namespace.isEmpty() ? "*" : namespace) + "/" + name;
  }
}
