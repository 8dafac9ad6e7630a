package dev.berth.conform.fault;

import static dev.berth.conform.fault.Fault.all;
import static dev.berth.conform.fault.Fault.answering;
import static dev.berth.conform.fault.Fault.refusing;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_GET_CAPABILITIES;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static dev.berth.conform.trial.Rpcs.GET_CAPACITY;
import static dev.berth.conform.trial.Rpcs.GET_PLUGIN_CAPABILITIES;
import static dev.berth.conform.trial.Rpcs.GET_PLUGIN_INFO;
import static dev.berth.conform.trial.Rpcs.GROUP_CONTROLLER_GET_CAPABILITIES;
import static dev.berth.conform.trial.Rpcs.LIST_VOLUMES;
import static dev.berth.conform.trial.Rpcs.NODE_GET_CAPABILITIES;
import static dev.berth.conform.trial.Rpcs.NODE_GET_INFO;
import static dev.berth.conform.trial.Rpcs.NODE_GET_VOLUME_STATS;
import static dev.berth.conform.trial.Rpcs.PROBE;

import com.google.protobuf.BoolValue;
import dev.berth.csi.v1.ControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.GetCapacityResponse;
import dev.berth.csi.v1.GetPluginCapabilitiesResponse;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.NodeGetCapabilitiesResponse;
import dev.berth.csi.v1.NodeGetInfoResponse;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.csi.v1.ProbeResponse;
import io.grpc.Status.Code;
import java.util.Arrays;
import java.util.List;

/// Drivers that tell the wrong things of themselves.
final class WrongSelf {
  static List<Row> rows() {
    return List.of(
        new Row(
            "identity.name",
            "its name ends in a dash",
            answering(
                GET_PLUGIN_INFO, GetPluginInfoResponse.Builder.class, it -> it.setName("disk-"))),
        new Row(
            "identity.version",
            "it has no version",
            answering(
                GET_PLUGIN_INFO,
                GetPluginInfoResponse.Builder.class,
                it -> it.clearVendorVersion())),
        new Row(
            "identity.capabilities",
            "it lists UNKNOWN",
            answering(
                GET_PLUGIN_CAPABILITIES,
                GetPluginCapabilitiesResponse.Builder.class,
                it -> it.addCapabilitiesBuilder().getServiceBuilder())),
        new Row(
            "identity.steady",
            "its version is that of the moment",
            answering(
                GET_PLUGIN_INFO,
                GetPluginInfoResponse.Builder.class,
                (it, number) -> it.setVendorVersion("build " + number))),
        new Row(
            "identity.probe",
            "it is never ready",
            answering(PROBE, ProbeResponse.Builder.class, it -> it.setReady(BoolValue.of(false)))),
        new Row(
            "identity.expansion",
            "it says that it expands and nothing does",
            all(
                without(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME),
                without(NodeServiceCapability.RPC.Type.EXPAND_VOLUME))),
        new Row(
            "capability.controller",
            "the controller lists UNKNOWN",
            answering(
                CONTROLLER_GET_CAPABILITIES,
                ControllerGetCapabilitiesResponse.Builder.class,
                it -> it.addCapabilitiesBuilder().getRpcBuilder())),
        new Row(
            "capability.node",
            "the node lists what CSI does not define",
            answering(
                NODE_GET_CAPABILITIES,
                NodeGetCapabilitiesResponse.Builder.class,
                it -> it.addCapabilitiesBuilder().getRpcBuilder().setTypeValue(77))),
        new Row(
            "capability.group",
            "the group controller lists nothing",
            answering(
                GROUP_CONTROLLER_GET_CAPABILITIES,
                GroupControllerGetCapabilitiesResponse.Builder.class,
                it -> it.clearCapabilities())),
        new Row(
            "capability.controller-kept",
            "it says that it lists volumes and does not",
            refusing(LIST_VOLUMES, Code.UNIMPLEMENTED)),
        new Row(
            "capability.controller-only",
            "it lists volumes and does not say so",
            without(ControllerServiceCapability.RPC.Type.LIST_VOLUMES)),
        new Row(
            "capability.node-kept",
            "it says that it has stats and does not",
            refusing(NODE_GET_VOLUME_STATS, Code.UNIMPLEMENTED)),
        new Row(
            "capability.node-only",
            "it has stats and does not say so",
            without(
                NodeServiceCapability.RPC.Type.GET_VOLUME_STATS,
                NodeServiceCapability.RPC.Type.VOLUME_CONDITION)),
        new Row(
            "capability.implied",
            "it lists published nodes and does not publish",
            without(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME)),
        new Row(
            "node-info.id",
            "the node has no id",
            answering(NODE_GET_INFO, NodeGetInfoResponse.Builder.class, it -> it.clearNodeId())),
        new Row(
            "node-info.limit",
            "a full node has room for -1 volumes",
            answering(
                NODE_GET_INFO,
                NodeGetInfoResponse.Builder.class,
                it -> it.setMaxVolumesPerNode(-1))),
        new Row(
            "node-info.topology",
            "the node does not tell its topology",
            answering(
                NODE_GET_INFO,
                NodeGetInfoResponse.Builder.class,
                it -> it.clearAccessibleTopology())),
        new Row(
            "node-info.steady",
            "the node's id is that of the moment",
            answering(
                NODE_GET_INFO,
                NodeGetInfoResponse.Builder.class,
                (it, number) -> it.setNodeId("node-" + number))),
        new Row(
            "topology.form",
            "a topology key holds a space",
            answering(
                NODE_GET_INFO,
                NodeGetInfoResponse.Builder.class,
                it -> it.getAccessibleTopologyBuilder().putSegments("a zone", "1"))),
        new Row(
            "topology.requisite",
            "a volume is made somewhere else",
            answering(
                CREATE_VOLUME,
                CreateVolumeResponse.Builder.class,
                it ->
                    it.getVolumeBuilder()
                        .getAccessibleTopologyBuilder(0)
                        .putSegments("zone", "elsewhere"))),
        new Row(
            "capacity.told",
            "an over-committed pool has less than nothing",
            answering(
                GET_CAPACITY,
                GetCapacityResponse.Builder.class,
                it -> it.setAvailableCapacity(-1))),
        new Row(
            "capacity.for-use",
            "capabilities confuse GetCapacity",
            refusing(
                GET_CAPACITY,
                Code.INVALID_ARGUMENT,
                GetCapacityRequest.class,
                it -> it.getVolumeCapabilitiesCount() > 0)),
        new Row(
            "capacity.elsewhere",
            "GetCapacity ignores the topology",
            Fault.asking(
                GET_CAPACITY,
                GetCapacityRequest.Builder.class,
                it -> it.clearAccessibleTopology())));
  }

  static Fault.OfCall without(ControllerServiceCapability.RPC.Type... types) {
    return answering(
        CONTROLLER_GET_CAPABILITIES,
        ControllerGetCapabilitiesResponse.Builder.class,
        it -> {
          var kept =
              it.getCapabilitiesList().stream()
                  .filter(each -> !Arrays.asList(types).contains(each.getRpc().getType()))
                  .toList();
          it.clearCapabilities().addAllCapabilities(kept);
        });
  }

  private static Fault.OfCall without(NodeServiceCapability.RPC.Type... types) {
    return answering(
        NODE_GET_CAPABILITIES,
        NodeGetCapabilitiesResponse.Builder.class,
        it -> {
          var kept =
              it.getCapabilitiesList().stream()
                  .filter(each -> !Arrays.asList(types).contains(each.getRpc().getType()))
                  .toList();
          it.clearCapabilities().addAllCapabilities(kept);
        });
  }

  /// Expands volumes that are nowhere published, it says.
  static Fault.OfCall onlyOffline() {
    return answering(
        GET_PLUGIN_CAPABILITIES,
        GetPluginCapabilitiesResponse.Builder.class,
        it ->
            it.getCapabilitiesBuilderList().stream()
                .filter(PluginCapability.Builder::hasVolumeExpansion)
                .forEach(each ->
                    each.getVolumeExpansionBuilder()
                        .setType(PluginCapability.VolumeExpansion.Type.OFFLINE)));
  }

  private WrongSelf() {}
}
