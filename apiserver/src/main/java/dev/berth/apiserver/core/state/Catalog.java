package dev.berth.apiserver.core.state;

import static dev.berth.kube.object.Resources.ATTACHMENTS;
import static dev.berth.kube.object.Resources.ATTRIBUTES_CLASSES;
import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.CONFIG_MAPS;
import static dev.berth.kube.object.Resources.CRON_JOBS;
import static dev.berth.kube.object.Resources.CSI_DRIVERS;
import static dev.berth.kube.object.Resources.CSI_NODES;
import static dev.berth.kube.object.Resources.DAEMON_SETS;
import static dev.berth.kube.object.Resources.DEFINITIONS;
import static dev.berth.kube.object.Resources.DEPLOYMENTS;
import static dev.berth.kube.object.Resources.EVENTS;
import static dev.berth.kube.object.Resources.JOBS;
import static dev.berth.kube.object.Resources.LEASES;
import static dev.berth.kube.object.Resources.NAMESPACES;
import static dev.berth.kube.object.Resources.NODES;
import static dev.berth.kube.object.Resources.PODS;
import static dev.berth.kube.object.Resources.REPLICA_SETS;
import static dev.berth.kube.object.Resources.REVISIONS;
import static dev.berth.kube.object.Resources.SECRETS;
import static dev.berth.kube.object.Resources.SERVICE_ACCOUNTS;
import static dev.berth.kube.object.Resources.STATEFUL_SETS;
import static dev.berth.kube.object.Resources.STORAGE_CAPACITIES;
import static dev.berth.kube.object.Resources.STORAGE_CLASSES;
import static dev.berth.kube.object.Resources.VOLUMES;
import static dev.berth.kube.object.StoredResources.ADMISSION_POLICIES;
import static dev.berth.kube.object.StoredResources.AUTOSCALERS;
import static dev.berth.kube.object.StoredResources.CLUSTER_ROLES;
import static dev.berth.kube.object.StoredResources.CLUSTER_ROLE_BINDINGS;
import static dev.berth.kube.object.StoredResources.DEVICE_CLAIMS;
import static dev.berth.kube.object.StoredResources.DEVICE_CLAIM_TEMPLATES;
import static dev.berth.kube.object.StoredResources.DEVICE_CLASSES;
import static dev.berth.kube.object.StoredResources.DEVICE_SLICES;
import static dev.berth.kube.object.StoredResources.DEVICE_TAINT_RULES;
import static dev.berth.kube.object.StoredResources.DISRUPTION_BUDGETS;
import static dev.berth.kube.object.StoredResources.ENDPOINTS;
import static dev.berth.kube.object.StoredResources.ENDPOINT_SLICES;
import static dev.berth.kube.object.StoredResources.INGRESSES;
import static dev.berth.kube.object.StoredResources.INGRESS_CLASSES;
import static dev.berth.kube.object.StoredResources.IP_ADDRESSES;
import static dev.berth.kube.object.StoredResources.LIMIT_RANGES;
import static dev.berth.kube.object.StoredResources.MUTATING_WEBHOOKS;
import static dev.berth.kube.object.StoredResources.NETWORK_POLICIES;
import static dev.berth.kube.object.StoredResources.NEW_EVENTS;
import static dev.berth.kube.object.StoredResources.OLD_AUTOSCALERS;
import static dev.berth.kube.object.StoredResources.POD_TEMPLATES;
import static dev.berth.kube.object.StoredResources.POLICY_BINDINGS;
import static dev.berth.kube.object.StoredResources.PRIORITY_CLASSES;
import static dev.berth.kube.object.StoredResources.QUOTAS;
import static dev.berth.kube.object.StoredResources.REPLICATION_CONTROLLERS;
import static dev.berth.kube.object.StoredResources.ROLES;
import static dev.berth.kube.object.StoredResources.ROLE_BINDINGS;
import static dev.berth.kube.object.StoredResources.RUNTIME_CLASSES;
import static dev.berth.kube.object.StoredResources.SERVICES;
import static dev.berth.kube.object.StoredResources.VALIDATING_WEBHOOKS;

import dev.berth.apiserver.core.custom.DefinitionRules;
import dev.berth.apiserver.core.kind.NewEvents;
import dev.berth.apiserver.core.kind.RuleBook;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.kind.network.NetworkBook;
import dev.berth.apiserver.core.kind.policy.PolicyBook;
import dev.berth.apiserver.core.kind.rbac.RbacBook;
import dev.berth.apiserver.core.kind.storage.StorageBook;
import dev.berth.apiserver.core.kind.workload.OldAutoscalers;
import dev.berth.apiserver.core.kind.workload.WorkloadBook;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.ReviewResources;
import java.util.List;
import java.util.Map;

/// The kinds that every server has (API-01, API-04); custom ones come beside them in [Kinds].
public final class Catalog {
  /// What is special about each kind.
  private static final List<Map<Resource, Rules>> BOOKS =
      List.of(
          RuleBook.RULES,
          StorageBook.RULES,
          WorkloadBook.RULES,
          NetworkBook.RULES,
          PolicyBook.RULES,
          RbacBook.RULES);

  /// A kind about which nothing is special.
  private static final Rules PLAIN = new Rules() {};

  private static final List<Served> ALL =
      List.of(
          builtIn(NAMESPACES).shortNames("ns").subresources("finalize", "status"),
          builtIn(NODES).shortNames("no").subresources("status"),
          builtIn(PODS)
              .shortNames("po")
              .categories("all")
              .subresources("binding", "eviction", "status"),
          builtIn(VOLUMES).shortNames("pv").subresources("status"),
          builtIn(CLAIMS).shortNames("pvc").subresources("status"),
          builtIn(SECRETS),
          builtIn(CONFIG_MAPS).shortNames("cm"),
          builtIn(SERVICE_ACCOUNTS).shortNames("sa").subresources("token"),
          builtIn(EVENTS).shortNames("ev"),
          builtIn(NEW_EVENTS).storedAs(EVENTS, new NewEvents()).shortNames("ev"),
          builtIn(STORAGE_CLASSES).shortNames("sc"),
          builtIn(ATTACHMENTS).subresources("status"),
          builtIn(CSI_NODES).subresources("status"),
          builtIn(CSI_DRIVERS),
          builtIn(STORAGE_CAPACITIES),
          builtIn(ATTRIBUTES_CLASSES).shortNames("vac"),
          builtIn(LEASES),
          builtIn(DEVICE_CLASSES),
          builtIn(DEVICE_SLICES),
          builtIn(DEVICE_CLAIMS).subresources("status"),
          builtIn(DEVICE_CLAIM_TEMPLATES),
          builtIn(DEVICE_TAINT_RULES).subresources("status"),
          builtIn(REPLICATION_CONTROLLERS)
              .shortNames("rc")
              .categories("all")
              .subresources("scale", "status"),
          builtIn(POD_TEMPLATES),
          builtIn(DEPLOYMENTS)
              .shortNames("deploy")
              .categories("all")
              .subresources("scale", "status"),
          builtIn(REPLICA_SETS).shortNames("rs").categories("all").subresources("scale", "status"),
          builtIn(STATEFUL_SETS)
              .shortNames("sts")
              .categories("all")
              .subresources("scale", "status"),
          builtIn(DAEMON_SETS).shortNames("ds").categories("all").subresources("status"),
          builtIn(REVISIONS),
          builtIn(JOBS).categories("all").subresources("status"),
          builtIn(CRON_JOBS).shortNames("cj").categories("all").subresources("status"),
          builtIn(AUTOSCALERS).shortNames("hpa").categories("all").subresources("status"),
          builtIn(OLD_AUTOSCALERS)
              .storedAs(AUTOSCALERS, new OldAutoscalers())
              .shortNames("hpa")
              .categories("all")
              .subresources("status"),
          builtIn(DISRUPTION_BUDGETS).shortNames("pdb").subresources("status"),
          builtIn(SERVICES).shortNames("svc").categories("all").subresources("status"),
          builtIn(ENDPOINTS).shortNames("ep"),
          builtIn(ENDPOINT_SLICES),
          builtIn(INGRESSES).shortNames("ing").subresources("status"),
          builtIn(INGRESS_CLASSES),
          builtIn(NETWORK_POLICIES).shortNames("netpol"),
          builtIn(IP_ADDRESSES).shortNames("ip"),
          builtIn(QUOTAS).shortNames("quota").subresources("status"),
          builtIn(LIMIT_RANGES).shortNames("limits"),
          builtIn(PRIORITY_CLASSES).shortNames("pc"),
          builtIn(RUNTIME_CLASSES),
          builtIn(VALIDATING_WEBHOOKS).categories("api-extensions"),
          builtIn(MUTATING_WEBHOOKS).categories("api-extensions"),
          builtIn(ADMISSION_POLICIES).categories("api-extensions").subresources("status"),
          builtIn(POLICY_BINDINGS).categories("api-extensions"),
          builtIn(ROLES),
          builtIn(ROLE_BINDINGS),
          builtIn(CLUSTER_ROLES),
          builtIn(CLUSTER_ROLE_BINDINGS),
          builtIn(DEFINITIONS)
              .ruledBy(new DefinitionRules())
              .shortNames("crd", "crds")
              .categories("api-extensions")
              .subresources("status"));

  private static final List<Served> REVIEWS =
      ReviewResources.ALL.stream().map(Catalog::builtIn).toList();

  private Catalog() {}

  /// Those that are asked for by a POST, answered and forgotten.
  public static List<Served> reviews() {
    return REVIEWS;
  }

  private static Served builtIn(Resource resource) {
    var rules =
        BOOKS.stream().filter(book -> book.containsKey(resource)).findFirst().orElse(Map.of());
    return Served.builtIn(resource, rules.getOrDefault(resource, PLAIN));
  }

  /// All of them, group by group.
  public static List<Served> all() {
    return ALL;
  }
}
