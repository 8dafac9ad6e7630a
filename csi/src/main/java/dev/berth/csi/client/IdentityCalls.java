package dev.berth.csi.client;

import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginCapabilitiesResponse;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.ProbeResponse;

/// Who a driver is and whether it is ready. Every method is the RPC of its name, blocks until the
/// answer and throws [CsiException] if there is none or it is a refusal.
public interface IdentityCalls {
  GetPluginInfoResponse getPluginInfo(GetPluginInfoRequest request);

  GetPluginCapabilitiesResponse getPluginCapabilities(GetPluginCapabilitiesRequest request);

  ProbeResponse probe(ProbeRequest request);
}
