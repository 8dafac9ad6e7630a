package dev.berth.apiserver.core.kind.storage;

import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.Map;

/// The rules of each kind of storage.
public final class StorageBook {
  public static final Map<Resource, Rules> RULES =
      Map.of(
          Resources.VOLUMES, new VolumeRules(),
          Resources.CLAIMS, new ClaimRules(),
          Resources.STORAGE_CLASSES, new StorageClassRules(),
          Resources.ATTACHMENTS, new AttachmentRules(),
          Resources.CSI_NODES, new CsiNodeRules(),
          Resources.CSI_DRIVERS, new CsiDriverRules(),
          Resources.STORAGE_CAPACITIES, new CapacityRules(),
          Resources.ATTRIBUTES_CLASSES, new AttributesClassRules());

  private StorageBook() {}
}
