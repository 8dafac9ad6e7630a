package dev.berth.simulation.driver;

import dev.berth.csi.client.IdentityCalls;
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginCapabilitiesResponse;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.csi.v1.PluginCapability.Service;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.ProbeResponse;

/// The identity service, which never fails: whoever asks it would only ask again.
record IdentityDoor(SimulatedDriver.Reach reach, SimulatedDriver.Ability ability)
    implements IdentityCalls {
  @Override
  public GetPluginInfoResponse getPluginInfo(GetPluginInfoRequest request) {
    return GetPluginInfoResponse.newBuilder()
        .setName(SimulatedDriver.NAME)
        .setVendorVersion("1")
        .build();
  }

  @Override
  public GetPluginCapabilitiesResponse getPluginCapabilities(GetPluginCapabilitiesRequest request) {
    var answer = GetPluginCapabilitiesResponse.newBuilder();
    answer.addCapabilities(can(Service.Type.CONTROLLER_SERVICE));
    if (reach == SimulatedDriver.Reach.LOCAL)
      answer.addCapabilities(can(Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS));
    if (ability == SimulatedDriver.Ability.SNAPSHOTS)
      answer.addCapabilities(can(Service.Type.GROUP_CONTROLLER_SERVICE));
    return answer.build();
  }

  private static PluginCapability can(Service.Type type) {
    return PluginCapability.newBuilder().setService(Service.newBuilder().setType(type)).build();
  }

  @Override
  public ProbeResponse probe(ProbeRequest request) {
    return ProbeResponse.getDefaultInstance();
  }
}
