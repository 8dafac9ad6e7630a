package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.kube.object.StoredResources.ADMISSION_POLICIES;
import static dev.berth.kube.object.StoredResources.LIMIT_RANGES;
import static dev.berth.kube.object.StoredResources.MUTATING_WEBHOOKS;
import static dev.berth.kube.object.StoredResources.POLICY_BINDINGS;
import static dev.berth.kube.object.StoredResources.PRIORITY_CLASSES;
import static dev.berth.kube.object.StoredResources.QUOTAS;
import static dev.berth.kube.object.StoredResources.RUNTIME_CLASSES;
import static dev.berth.kube.object.StoredResources.VALIDATING_WEBHOOKS;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// API-03, API-115: what says what others may be is kept as upstream keeps it.
class PolicyRulesTest {
  private static final String HOOK =
      "{metadata: {name: h}, webhooks: [{name: a.b.c, clientConfig: {service: {namespace: n, name:"
          + " s}}, sideEffects: None, admissionReviewVersions: [v1], rules: [{operations: [CREATE],"
          + " apiGroups: [''], apiVersions: [v1], resources: [pods]}]}]}";

  static final List<CoreRule> rules =
      List.of(
          rule("API-03", "a quota limits what there is")
              .when(world ->
                  world.create(
                      QUOTAS,
                      "{metadata: {name: q, namespace: default}, spec: {hard: {pods: -1, wishes:"
                          + " 3}, scopes: [Lucky]}}"))
              .invalid(
                  "spec.hard[pods]: Invalid value: \"-1\": must be greater than or equal to 0",
                  "spec.hard[wishes]: Invalid value: \"3\": must be a standard resource for quota",
                  "unsupported scope"),
          rule("API-106", "a quota's amounts are canonical")
              .when(world ->
                  world.create(
                      QUOTAS,
                      "{metadata: {name: q, namespace: default}, spec: {hard: {requests.storage:"
                          + " 1024Mi}}}"))
              .shows("{spec: {hard: {requests.storage: 1Gi}}}"),
          rule("API-03", "a limit's defaults lie between its ends")
              .when(world ->
                  world.create(
                      LIMIT_RANGES,
                      "{metadata: {name: l, namespace: default}, spec: {limits: [{type: Container,"
                          + " min: {cpu: 2}, max: {cpu: 1}, default: {cpu: 1}}, {type: Container},"
                          + " {type: PersistentVolumeClaim}]}}"))
              .invalid(
                  "spec.limits[0].min[cpu]: Invalid value: \"2\": min value 2 is greater than max"
                      + " value 1",
                  "min value 2 is greater than default request value 1",
                  "min value 2 is greater than default value 1",
                  "spec.limits[1].type: Duplicate value: \"Container\"",
                  "either minimum or maximum storage value is required"),
          rule("API-03", "a priority of a user is not above the system's")
              .when(world ->
                  world.create(PRIORITY_CLASSES, "{metadata: {name: p}, value: 1000000001}"))
              .invalid("maximum allowed value of a user defined priority is 1000000000"),
          rule("API-03", "the system's names are the system's")
              .when(world ->
                  world.create(PRIORITY_CLASSES, "{metadata: {name: system-mine}, value: 1}"))
              .invalid("priority class names with 'system-' prefix are reserved"),
          rule("API-03", "a priority stays")
              .given(world -> world.with(PRIORITY_CLASSES, "{metadata: {name: p}, value: 1}"))
              .when(world ->
                  world.merge(PRIORITY_CLASSES, "p", "{value: 2, preemptionPolicy: Never}"))
              .invalid("value: Forbidden: may not be changed in an update.", "preemptionPolicy"),
          rule("API-03", "a way to run pods keeps its handler")
              .given(world -> world.with(RUNTIME_CLASSES, "{metadata: {name: r}, handler: runc}"))
              .when(world -> world.merge(RUNTIME_CLASSES, "r", "{handler: Run}"))
              .invalid("handler: Invalid value: \"Run\": a lowercase", "field is immutable"),
          rule("API-115", "a webhook is filled in")
              .when(world -> world.create(MUTATING_WEBHOOKS, HOOK))
              .then(answer -> {
                var hook = CoreRule.object(answer).at("/webhooks/0");
                var wanted =
                    List.of(
                        "\"failurePolicy\":\"Fail\"",
                        "\"timeoutSeconds\":10",
                        "\"reinvocationPolicy\":\"Never\"",
                        "\"matchPolicy\":\"Equivalent\"",
                        "\"scope\":\"*\"",
                        "\"port\":443");
                for (var each : wanted)
                  if (!hook.toString().contains(each)) throw new AssertionError(hook.toString());
              }),
          rule("API-115", "a webhook says where it is and what it does")
              .when(world ->
                  world.create(
                      VALIDATING_WEBHOOKS,
                      "{metadata: {name: h}, webhooks: [{name: a.b, clientConfig: {url:"
                          + " 'http://x'}, timeoutSeconds: 60}]}"))
              .invalid(
                  "webhooks[0].name: Invalid value: \"a.b\": should be a domain with at least"
                      + " three",
                  "webhooks[0].admissionReviewVersions: Required value",
                  "webhooks[0].sideEffects: Required value",
                  "the timeout value must be between 1 and 30 seconds",
                  "'https' is the only allowed URL scheme"),
          rule("API-115", "a webhook's URL is a host and a path")
              .when(world ->
                  world.create(
                      VALIDATING_WEBHOOKS,
                      """
                      {metadata: {name: h}, webhooks: [
                        {name: a.b.c, admissionReviewVersions: [v1], sideEffects: None,
                          clientConfig: {url: 'https://me:you@x/?a=b#c'}},
                        {name: b.b.c, admissionReviewVersions: [v1], sideEffects: None,
                          clientConfig: {url: 'https:///x'}},
                        {name: c.b.c, admissionReviewVersions: [v1], sideEffects: None,
                          clientConfig: {url: 'https://a host'}}]}
                      """))
              .invalid(
                  "webhooks[0].clientConfig.url: Invalid value: \"https://me:you@x/?a=b#c\": user"
                      + " information is not permitted in the URL",
                  "fragments are not permitted in the URL",
                  "query parameters are not permitted in the URL",
                  "webhooks[1].clientConfig.url: Invalid value: \"https:///x\": host must be"
                      + " specified",
                  "webhooks[2].clientConfig.url: Invalid value: \"https://a host\": url must be a"
                      + " valid URL"),
          rule("API-03", "a policy says what it is about and what it asks")
              .when(world ->
                  world.create(
                      ADMISSION_POLICIES, "{metadata: {name: p}, spec: {validations: [{}]}}"))
              .invalid(
                  "spec.matchConstraints: Required value",
                  "spec.validations[0].expression: Required value"),
          rule("API-03", "a binding says which policy and what it does")
              .when(world -> world.create(POLICY_BINDINGS, "{metadata: {name: b}, spec: {}}"))
              .invalid(
                  "spec.policyName: Required value", "spec.validationActions: Required value"));

  @ParameterizedTest
  @FieldSource("rules")
  void holds(CoreRule rule) {
    rule.check();
  }
}
