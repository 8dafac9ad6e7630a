package dev.berth.csi.client;

import dev.berth.csi.registration.v1.InfoRequest;
import dev.berth.csi.registration.v1.PluginInfo;
import dev.berth.csi.registration.v1.RegistrationGrpc;
import dev.berth.csi.registration.v1.RegistrationStatus;
import dev.berth.csi.registration.v1.RegistrationStatusResponse;

/// The calls of the service Registration over a channel.
///
/// @param stubs gives each call a stub with a deadline of its own
record GrpcRegistration(Stubs<RegistrationGrpc.RegistrationBlockingStub> stubs)
    implements RegistrationCalls {

  @Override
  public PluginInfo getInfo(InfoRequest request) {
    return stubs.call(stub -> stub.getInfo(request));
  }

  @Override
  public RegistrationStatusResponse notifyRegistrationStatus(RegistrationStatus request) {
    return stubs.call(stub -> stub.notifyRegistrationStatus(request));
  }
}
