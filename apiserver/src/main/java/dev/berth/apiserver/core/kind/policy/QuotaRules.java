package dev.berth.apiserver.core.kind.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.kind.Rules;
import java.time.Instant;
import java.util.List;

/// ResourceQuotas (API-114). What is used of one is kept by the writes themselves.
final class QuotaRules implements Rules {
  /// What every cluster has, beside what has a domain of its own.
  private static final List<String> STANDARD =
      List.of(
          "cpu",
          "memory",
          "ephemeral-storage",
          "requests.cpu",
          "requests.memory",
          "requests.storage",
          "requests.ephemeral-storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage",
          "pods",
          "resourcequotas",
          "services",
          "replicationcontrollers",
          "secrets",
          "persistentvolumeclaims",
          "configmaps",
          "services.nodeports",
          "services.loadbalancers");

  private static final String[] SCOPES = {
    "BestEffort",
    "CrossNamespacePodAffinity",
    "NotBestEffort",
    "NotTerminating",
    "PriorityClass",
    "Terminating",
    "VolumeAttributesClass"
  };

  @Override
  public List<String> quantities() {
    return List.of("spec.hard.*", "status.hard.*", "status.used.*");
  }

  @Override
  public void start(ObjectNode quota, Instant now) {
    quota.putObject("status");
  }

  @Override
  public void check(Field quota) {
    var hard = quota.at("spec").at("hard");
    for (var name : hard.names()) {
      boolean known =
          STANDARD.contains(name)
              || name.contains("/")
              || name.startsWith("hugepages-")
              || name.startsWith("requests.hugepages-");
      if (!known) hard.key(name).invalid("must be a standard resource for quota");
      if (hard.key(name).quantity().filter(each -> each.amount().signum() < 0).isPresent())
        hard.key(name).invalid("must be greater than or equal to 0");
    }
    quota.at("spec").at("scopes").elements().stream()
        .filter(scope -> !scope.isOneOf(SCOPES))
        .findFirst()
        .ifPresent(_ -> quota.at("spec").at("scopes").invalid("unsupported scope"));
    for (var each : quota.at("spec").at("scopeSelector").at("matchExpressions").elements()) {
      if (!each.at("scopeName").isOneOf(SCOPES)) each.at("scopeName").invalid("unsupported scope");
      each.at("operator").demandOneOf("DoesNotExist", "Exists", "In", "NotIn");
    }
  }

  @Override
  public void checkChange(Field quota, Field stored) {
    quota.at("spec").at("scopes").immutable(stored.at("spec").at("scopes"));
  }
}
