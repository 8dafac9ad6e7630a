package dev.berth.driver.serve;

import com.google.protobuf.BoolValue;
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginCapabilitiesResponse;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.ProbeResponse;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.Readiness;
import io.grpc.stub.StreamObserver;

/// The Identity service of every driver.
public final class IdentityService extends IdentityGrpc.IdentityImplBase {
  private final GetPluginInfoResponse info;
  private final GetPluginCapabilitiesResponse capabilities;
  private final KnownReadiness readiness;

  public IdentityService(Driver driver, Parts parts) {
    this.info =
        GetPluginInfoResponse.newBuilder()
            .setName(driver.info().name())
            .setVendorVersion(driver.info().version())
            .build();
    this.capabilities =
        GetPluginCapabilitiesResponse.newBuilder()
            .addAllCapabilities(new Abilities(parts, driver.usages()).ofPlugin())
            .build();
    this.readiness = new KnownReadiness(driver, System::nanoTime);
  }

  @Override
  public void getPluginInfo(
      GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> caller) {
    Reply.look(request, caller, _ -> info);
  }

  @Override
  public void getPluginCapabilities(
      GetPluginCapabilitiesRequest request, StreamObserver<GetPluginCapabilitiesResponse> caller) {
    Reply.look(request, caller, _ -> capabilities);
  }

  @Override
  public void probe(ProbeRequest request, StreamObserver<ProbeResponse> caller) {
    Reply.look(request, caller, _ -> answer(readiness.now()));
  }

  private static ProbeResponse answer(Readiness readiness) {
    return switch (readiness) {
      case Readiness.Ready _ -> ProbeResponse.newBuilder().setReady(BoolValue.of(true)).build();
      case Readiness.Starting _ -> ProbeResponse.newBuilder().setReady(BoolValue.of(false)).build();
      case Readiness.Broken(var reason) -> throw Refusal.wrongState(reason); // IDN-05
    };
  }
}
