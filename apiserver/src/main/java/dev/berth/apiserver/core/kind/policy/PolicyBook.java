package dev.berth.apiserver.core.kind.policy;

import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.StoredResources;
import java.util.Map;

/// The rules of each kind that says what others may be.
public final class PolicyBook {
  public static final Map<Resource, Rules> RULES =
      Map.of(
          StoredResources.QUOTAS, new QuotaRules(),
          StoredResources.LIMIT_RANGES, new LimitRangeRules(),
          StoredResources.PRIORITY_CLASSES, new PriorityClassRules(),
          StoredResources.RUNTIME_CLASSES, new RuntimeClassRules(),
          StoredResources.VALIDATING_WEBHOOKS, new WebhookRules(false),
          StoredResources.MUTATING_WEBHOOKS, new WebhookRules(true),
          StoredResources.ADMISSION_POLICIES, new AdmissionPolicyRules(),
          StoredResources.POLICY_BINDINGS, new PolicyBindingRules());

  private PolicyBook() {}
}
