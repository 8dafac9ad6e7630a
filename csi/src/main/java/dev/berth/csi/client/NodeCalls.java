package dev.berth.csi.client;

import dev.berth.csi.v1.NodeExpandVolumeRequest;
import dev.berth.csi.v1.NodeExpandVolumeResponse;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeGetCapabilitiesResponse;
import dev.berth.csi.v1.NodeGetInfoRequest;
import dev.berth.csi.v1.NodeGetInfoResponse;
import dev.berth.csi.v1.NodeGetStorageHealthRequest;
import dev.berth.csi.v1.NodeGetStorageHealthResponse;
import dev.berth.csi.v1.NodeGetVolumeHealthRequest;
import dev.berth.csi.v1.NodeGetVolumeHealthResponse;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsResponse;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodePublishVolumeResponse;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeResponse;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeResponse;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeResponse;

/// Volumes as one node sees them. Every method is the RPC of its name, blocks until the answer and
/// throws [CsiException] if there is none or it is a refusal.
public interface NodeCalls {
  NodeGetCapabilitiesResponse nodeGetCapabilities(NodeGetCapabilitiesRequest request);

  NodeGetInfoResponse nodeGetInfo(NodeGetInfoRequest request);

  NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request);

  NodePublishVolumeResponse nodePublishVolume(NodePublishVolumeRequest request);

  NodeUnpublishVolumeResponse nodeUnpublishVolume(NodeUnpublishVolumeRequest request);

  NodeUnstageVolumeResponse nodeUnstageVolume(NodeUnstageVolumeRequest request);

  NodeGetVolumeStatsResponse nodeGetVolumeStats(NodeGetVolumeStatsRequest request);

  NodeGetVolumeHealthResponse nodeGetVolumeHealth(NodeGetVolumeHealthRequest request);

  NodeGetStorageHealthResponse nodeGetStorageHealth(NodeGetStorageHealthRequest request);

  NodeExpandVolumeResponse nodeExpandVolume(NodeExpandVolumeRequest request);
}
