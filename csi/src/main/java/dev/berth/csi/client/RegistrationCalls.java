package dev.berth.csi.client;

import dev.berth.csi.registration.v1.InfoRequest;
import dev.berth.csi.registration.v1.PluginInfo;
import dev.berth.csi.registration.v1.RegistrationStatus;
import dev.berth.csi.registration.v1.RegistrationStatusResponse;

/// How a node agent meets a plugin on its registration socket. Every method is the RPC of its name,
/// blocks until the answer and throws [CsiException] if there is none.
public interface RegistrationCalls {
  PluginInfo getInfo(InfoRequest request);

  RegistrationStatusResponse notifyRegistrationStatus(RegistrationStatus request);
}
