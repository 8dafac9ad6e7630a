package dev.berth.sidecar.connection;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.EXPAND_VOLUME;
import static dev.berth.csi.v1.PluginCapability.Service.Type.CONTROLLER_SERVICE;
import static dev.berth.csi.v1.PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.client.IdentityCalls;
import dev.berth.csi.client.NodeCalls;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.GroupControllerServiceCapability;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeGetInfoRequest;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.csi.v1.ProbeRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Gets to know a driver at the start of a connection.
///
/// @param node empty: nobody needs to know what its node service can do
/// @param own the Node whose volumes alone are taken care of; then `node` is there
public record Introduction(
    IdentityCalls identity, DriverCalls calls, Optional<NodeCalls> node, Optional<String> own) {
  /// How long one answer about itself may take.
  public static final Duration ANSWER = Duration.ofSeconds(10);

  /// Whether the driver is ready; an answer that says nothing means yes (PROV-02).
  ///
  /// @throws CsiException if it is not there, or is and refuses
  public boolean ready() {
    var answer = identity.probe(ProbeRequest.getDefaultInstance());
    return !answer.hasReady() || answer.getReady().getValue();
  }

  /// Who the driver is and what it can do (PROV-01).
  ///
  /// @throws CsiException if one of the calls fails
  /// @throws IllegalArgumentException if it has no name
  public DriverFacts facts() {
    var info = identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
    var plugin =
        identity
            .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
            .getCapabilitiesList();
    var services = services(plugin);
    Set<ControllerServiceCapability.RPC.Type> can =
        services.contains(CONTROLLER_SERVICE) ? ofController() : Set.of();
    Set<GroupControllerServiceCapability.RPC.Type> group =
        services.contains(GROUP_CONTROLLER_SERVICE) ? ofGroups() : Set.of();
    return new DriverFacts(
        info.getName(),
        info.getVendorVersion(),
        services,
        growth(plugin),
        can,
        group,
        can.contains(EXPAND_VOLUME) ? Set.of() : ofNode(),
        own.map(this::here));
  }

  /// PROV-150.
  private OwnNode here(String name) {
    var info = node.orElseThrow().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
    return new OwnNode(name, info.getAccessibleTopology().getSegmentsMap());
  }

  private static Set<PluginCapability.Service.Type> services(List<PluginCapability> plugin) {
    var types = EnumSet.noneOf(PluginCapability.Service.Type.class);
    plugin.stream()
        .filter(PluginCapability::hasService)
        .forEach(capability -> types.add(capability.getService().getType()));
    return types;
  }

  private static Set<PluginCapability.VolumeExpansion.Type> growth(List<PluginCapability> plugin) {
    var types = EnumSet.noneOf(PluginCapability.VolumeExpansion.Type.class);
    plugin.stream()
        .filter(PluginCapability::hasVolumeExpansion)
        .forEach(capability -> types.add(capability.getVolumeExpansion().getType()));
    return types;
  }

  private Set<ControllerServiceCapability.RPC.Type> ofController() {
    var types = EnumSet.noneOf(ControllerServiceCapability.RPC.Type.class);
    calls
        .controller(ANSWER)
        .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .forEach(capability -> types.add(capability.getRpc().getType()));
    return types;
  }

  private Set<GroupControllerServiceCapability.RPC.Type> ofGroups() {
    var types = EnumSet.noneOf(GroupControllerServiceCapability.RPC.Type.class);
    try {
      calls
          .groups(ANSWER)
          .groupControllerGetCapabilities(
              GroupControllerGetCapabilitiesRequest.getDefaultInstance())
          .getCapabilitiesList()
          .forEach(capability -> types.add(capability.getRpc().getType()));
    } catch (CsiException refusal) { // promised, and not there: the rest of it serves all the same
      if (refusal.code() != Status.Code.UNIMPLEMENTED) throw refusal;
    }
    return types;
  }

  /// Nothing, if the controller's socket serves no node.
  private Set<NodeServiceCapability.RPC.Type> ofNode() {
    var types = EnumSet.noneOf(NodeServiceCapability.RPC.Type.class);
    if (node.isEmpty()) return types;
    try {
      node.get()
          .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
          .getCapabilitiesList()
          .forEach(capability -> types.add(capability.getRpc().getType()));
    } catch (CsiException refusal) {
      if (refusal.code() != Status.Code.UNIMPLEMENTED) throw refusal;
    }
    return types;
  }
}
