package dev.berth.csi.client;

import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginCapabilitiesResponse;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.ProbeResponse;

/// The calls of the service Identity over a channel.
///
/// @param stubs gives each call a stub with a deadline of its own
record GrpcIdentity(Stubs<IdentityGrpc.IdentityBlockingStub> stubs) implements IdentityCalls {

  @Override
  public GetPluginInfoResponse getPluginInfo(GetPluginInfoRequest request) {
    return stubs.call(stub -> stub.getPluginInfo(request));
  }

  @Override
  public GetPluginCapabilitiesResponse getPluginCapabilities(GetPluginCapabilitiesRequest request) {
    return stubs.call(stub -> stub.getPluginCapabilities(request));
  }

  @Override
  public ProbeResponse probe(ProbeRequest request) {
    return stubs.call(stub -> stub.probe(request));
  }
}
