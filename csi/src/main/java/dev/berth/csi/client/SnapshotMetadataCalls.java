package dev.berth.csi.client;

import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetMetadataAllocatedResponse;
import dev.berth.csi.v1.GetMetadataDeltaRequest;
import dev.berth.csi.v1.GetMetadataDeltaResponse;
import java.util.function.Consumer;

/// Which blocks of a snapshot hold data. The answer is a stream: `each` gets its messages in order,
/// and the method returns when the stream has ended well. If it ends otherwise the method throws
/// [CsiException], and what came before is no full answer.
public interface SnapshotMetadataCalls {
  void getMetadataAllocated(
      GetMetadataAllocatedRequest request, Consumer<GetMetadataAllocatedResponse> each);

  void getMetadataDelta(GetMetadataDeltaRequest request, Consumer<GetMetadataDeltaResponse> each);
}
