package dev.berth.apiserver.core.kind;

import static java.util.Map.entry;

import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import java.util.Map;

/// The rules of the kinds that Berth itself works with.
public final class RuleBook {
  public static final Map<Resource, Rules> RULES =
      Map.ofEntries(
          entry(Resources.NAMESPACES, new NamespaceRules()),
          entry(Resources.NODES, new NodeRules()),
          entry(Resources.PODS, new PodRules()),
          entry(Resources.VOLUMES, new VolumeRules()),
          entry(Resources.CLAIMS, new ClaimRules()),
          entry(Resources.SECRETS, new SecretRules()),
          entry(Resources.CONFIG_MAPS, new ConfigMapRules()),
          entry(Resources.EVENTS, new EventRules("involvedObject", "reportingComponent")),
          entry(StoredResources.NEW_EVENTS, new NewEventRules()),
          entry(Resources.STORAGE_CLASSES, new StorageClassRules()),
          entry(Resources.ATTACHMENTS, new AttachmentRules()),
          entry(Resources.CSI_NODES, new CsiNodeRules()),
          entry(Resources.CSI_DRIVERS, new CsiDriverRules()),
          entry(Resources.STORAGE_CAPACITIES, new CapacityRules()),
          entry(Resources.ATTRIBUTES_CLASSES, new AttributesClassRules()),
          entry(Resources.LEASES, new LeaseRules()));

  private RuleBook() {}
}
