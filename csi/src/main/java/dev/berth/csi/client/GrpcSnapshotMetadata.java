package dev.berth.csi.client;

import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetMetadataAllocatedResponse;
import dev.berth.csi.v1.GetMetadataDeltaRequest;
import dev.berth.csi.v1.GetMetadataDeltaResponse;
import dev.berth.csi.v1.SnapshotMetadataGrpc;
import java.util.function.Consumer;

/// The calls of the service SnapshotMetadata over a channel.
///
/// @param stubs gives each call a stub with a deadline of its own
record GrpcSnapshotMetadata(Stubs<SnapshotMetadataGrpc.SnapshotMetadataBlockingStub> stubs)
    implements SnapshotMetadataCalls {

  @Override
  public void getMetadataAllocated(
      GetMetadataAllocatedRequest request, Consumer<GetMetadataAllocatedResponse> each) {
    stubs.stream(stub -> stub.getMetadataAllocated(request), each);
  }

  @Override
  public void getMetadataDelta(
      GetMetadataDeltaRequest request, Consumer<GetMetadataDeltaResponse> each) {
    stubs.stream(stub -> stub.getMetadataDelta(request), each);
  }
}
