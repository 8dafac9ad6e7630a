package dev.berth.sidecar.connection;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.client.IdentityCalls;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.csi.v1.ProbeRequest;
import java.util.EnumSet;
import java.util.Set;

/// Gets to know a driver at the start of a connection.
public final class Introduction {
  private final IdentityCalls identity;
  private final ControllerCalls controller;

  public Introduction(IdentityCalls identity, ControllerCalls controller) {
    this.identity = identity;
    this.controller = controller;
  }

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
    var name = identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance()).getName();
    var plugin = plugin();
    boolean service = plugin.contains(PluginCapability.Service.Type.CONTROLLER_SERVICE);
    return new DriverFacts(name, plugin, service ? controller() : Set.of());
  }

  private Set<PluginCapability.Service.Type> plugin() {
    var types = EnumSet.noneOf(PluginCapability.Service.Type.class);
    identity
        .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .forEach(capability -> types.add(capability.getService().getType()));
    return types;
  }

  private Set<ControllerServiceCapability.RPC.Type> controller() {
    var types = EnumSet.noneOf(ControllerServiceCapability.RPC.Type.class);
    controller
        .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .forEach(capability -> types.add(capability.getRpc().getType()));
    return types;
  }
}
