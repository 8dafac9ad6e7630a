package dev.berth.apiserver.core.kind;

import static java.util.Map.entry;

import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import java.util.Map;

/// The rules of the kinds that every cluster has, whatever runs in it.
public final class RuleBook {
  public static final Map<Resource, Rules> RULES =
      Map.ofEntries(
          entry(Resources.NAMESPACES, new NamespaceRules()),
          entry(Resources.NODES, new NodeRules()),
          entry(Resources.SECRETS, new SecretRules()),
          entry(Resources.CONFIG_MAPS, new ConfigMapRules()),
          entry(Resources.EVENTS, new EventRules("involvedObject", "reportingComponent")),
          entry(StoredResources.NEW_EVENTS, new NewEventRules()),
          entry(Resources.LEASES, new LeaseRules()));

  private RuleBook() {}
}
