package dev.berth.driver.serve;

import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.GroupControllerServiceCapability;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.csi.v1.PluginCapability.Service;
import dev.berth.csi.v1.PluginCapability.VolumeExpansion;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.model.UsageSupport.MountGroup;
import dev.berth.driver.spi.Capacity;
import dev.berth.driver.spi.Cloning;
import dev.berth.driver.spi.Expansion;
import dev.berth.driver.spi.GroupSnapshots;
import dev.berth.driver.spi.Health;
import dev.berth.driver.spi.Listing;
import dev.berth.driver.spi.Located;
import dev.berth.driver.spi.Modification;
import dev.berth.driver.spi.NodeExpansion;
import dev.berth.driver.spi.NodeHealth;
import dev.berth.driver.spi.NodeStaging;
import dev.berth.driver.spi.NodeStats;
import dev.berth.driver.spi.Publishing;
import dev.berth.driver.spi.SnapshotMetadata;
import dev.berth.driver.spi.Snapshots;
import dev.berth.driver.spi.StorageHealth;
import dev.berth.driver.spi.Volumes;
import java.util.ArrayList;
import java.util.List;

/// What a driver implements, in the words in which CSI advertises it.
record Abilities(Parts parts, UsageSupport usages) {

  /// The same from every process of a version, whatever services it serves (IDN-03).
  List<PluginCapability> ofPlugin() {
    var services = new ArrayList<Service.Type>();
    if (parts.has(Volumes.class)) services.add(Service.Type.CONTROLLER_SERVICE);
    if (parts.has(Located.class)) services.add(Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
    if (parts.has(GroupSnapshots.class)) services.add(Service.Type.GROUP_CONTROLLER_SERVICE);
    if (parts.has(SnapshotMetadata.class)) services.add(Service.Type.SNAPSHOT_METADATA_SERVICE);

    var capabilities = new ArrayList<PluginCapability>();
    for (var service : services)
      capabilities.add(
          PluginCapability.newBuilder().setService(Service.newBuilder().setType(service)).build());
    parts
        .find(Expansion.class)
        .map(Expansion::when)
        .map(when -> VolumeExpansion.Type.valueOf(when.name()))
        .ifPresent(type ->
            capabilities.add(
                PluginCapability.newBuilder()
                    .setVolumeExpansion(VolumeExpansion.newBuilder().setType(type))
                    .build()));
    return capabilities;
  }

  List<ControllerServiceCapability> ofController() {
    return controllerTypes().stream()
        .map(type ->
            ControllerServiceCapability.newBuilder()
                .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type))
                .build())
        .toList();
  }

  private List<ControllerServiceCapability.RPC.Type> controllerTypes() {
    var types = new ArrayList<ControllerServiceCapability.RPC.Type>();
    if (parts.has(Volumes.class))
      types.add(ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME);
    if (parts.has(Cloning.class)) types.add(ControllerServiceCapability.RPC.Type.CLONE_VOLUME);
    if (parts.has(Publishing.class)) {
      types.add(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
      types.add(ControllerServiceCapability.RPC.Type.PUBLISH_READONLY);
    }
    if (parts.has(Listing.class)) {
      types.add(ControllerServiceCapability.RPC.Type.LIST_VOLUMES);
      types.add(ControllerServiceCapability.RPC.Type.GET_VOLUME);
    }
    if (parts.has(Listing.class) && parts.has(Publishing.class))
      types.add(ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES);
    if (parts.has(Health.class)) {
      types.add(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
      types.add(ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH);
      types.add(ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH);
    }
    if (parts.has(Capacity.class)) types.add(ControllerServiceCapability.RPC.Type.GET_CAPACITY);
    if (parts.has(Expansion.class)) types.add(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME);
    if (parts.has(Modification.class))
      types.add(ControllerServiceCapability.RPC.Type.MODIFY_VOLUME);
    if (parts.has(Snapshots.class)) {
      types.add(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT);
      types.add(ControllerServiceCapability.RPC.Type.LIST_SNAPSHOTS);
      types.add(ControllerServiceCapability.RPC.Type.GET_SNAPSHOT);
    }
    if (usages.singleNodeMultiWriter())
      types.add(ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
    return types;
  }

  List<GroupControllerServiceCapability> ofGroupController() {
    if (!parts.has(GroupSnapshots.class)) return List.of();
    return List.of(
        GroupControllerServiceCapability.newBuilder()
            .setRpc(
                GroupControllerServiceCapability.RPC
                    .newBuilder()
                    .setType(
                        GroupControllerServiceCapability.RPC
                            .Type
                            .CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT))
            .build());
  }

  List<NodeServiceCapability> ofNode() {
    var types = new ArrayList<NodeServiceCapability.RPC.Type>();
    if (parts.has(NodeStaging.class))
      types.add(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
    if (parts.has(NodeStats.class)) types.add(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS);
    if (parts.has(NodeHealth.class)) {
      types.add(NodeServiceCapability.RPC.Type.VOLUME_CONDITION);
      types.add(NodeServiceCapability.RPC.Type.GET_VOLUME_HEALTH);
    }
    if (parts.has(StorageHealth.class))
      types.add(NodeServiceCapability.RPC.Type.GET_STORAGE_HEALTH);
    if (parts.has(NodeExpansion.class)) types.add(NodeServiceCapability.RPC.Type.EXPAND_VOLUME);
    if (usages.singleNodeMultiWriter())
      types.add(NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
    if (usages.mountGroup() == MountGroup.APPLIED)
      types.add(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP);
    return types.stream()
        .map(type ->
            NodeServiceCapability.newBuilder()
                .setRpc(NodeServiceCapability.RPC.newBuilder().setType(type))
                .build())
        .toList();
  }
}
