package dev.berth.conform.trial;

import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerExpandVolumeResponse;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.ControllerGetVolumeHealthRequest;
import dev.berth.csi.v1.ControllerGetVolumeHealthResponse;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.ControllerGetVolumeResponse;
import dev.berth.csi.v1.ControllerGrpc;
import dev.berth.csi.v1.ControllerListVolumeHealthRequest;
import dev.berth.csi.v1.ControllerListVolumeHealthResponse;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.ControllerModifyVolumeResponse;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeResponse;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeResponse;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateSnapshotResponse;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.csi.v1.DeleteSnapshotRequest;
import dev.berth.csi.v1.DeleteSnapshotResponse;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeResponse;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.GetCapacityResponse;
import dev.berth.csi.v1.GetMetadataAllocatedRequest;
import dev.berth.csi.v1.GetMetadataAllocatedResponse;
import dev.berth.csi.v1.GetMetadataDeltaRequest;
import dev.berth.csi.v1.GetMetadataDeltaResponse;
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginCapabilitiesResponse;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GetPluginInfoResponse;
import dev.berth.csi.v1.GetSnapshotRequest;
import dev.berth.csi.v1.GetSnapshotResponse;
import dev.berth.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.GroupControllerGrpc;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.ListSnapshotsResponse;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.ListVolumesResponse;
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
import dev.berth.csi.v1.NodeGrpc;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodePublishVolumeResponse;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeResponse;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeResponse;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeResponse;
import dev.berth.csi.v1.ProbeRequest;
import dev.berth.csi.v1.ProbeResponse;
import dev.berth.csi.v1.SnapshotMetadataGrpc;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesResponse;
import io.grpc.MethodDescriptor;

/// The calls of CSI by their names in the specification.
public final class Rpcs {
  public static final MethodDescriptor<GetPluginInfoRequest, GetPluginInfoResponse>
      GET_PLUGIN_INFO = IdentityGrpc.getGetPluginInfoMethod();
  public static final MethodDescriptor<GetPluginCapabilitiesRequest, GetPluginCapabilitiesResponse>
      GET_PLUGIN_CAPABILITIES = IdentityGrpc.getGetPluginCapabilitiesMethod();
  public static final MethodDescriptor<ProbeRequest, ProbeResponse> PROBE =
      IdentityGrpc.getProbeMethod();

  public static final MethodDescriptor<
          ControllerGetCapabilitiesRequest, ControllerGetCapabilitiesResponse>
      CONTROLLER_GET_CAPABILITIES = ControllerGrpc.getControllerGetCapabilitiesMethod();
  public static final MethodDescriptor<CreateVolumeRequest, CreateVolumeResponse> CREATE_VOLUME =
      ControllerGrpc.getCreateVolumeMethod();
  public static final MethodDescriptor<DeleteVolumeRequest, DeleteVolumeResponse> DELETE_VOLUME =
      ControllerGrpc.getDeleteVolumeMethod();
  public static final MethodDescriptor<
          ControllerPublishVolumeRequest, ControllerPublishVolumeResponse>
      CONTROLLER_PUBLISH_VOLUME = ControllerGrpc.getControllerPublishVolumeMethod();
  public static final MethodDescriptor<
          ControllerUnpublishVolumeRequest, ControllerUnpublishVolumeResponse>
      CONTROLLER_UNPUBLISH_VOLUME = ControllerGrpc.getControllerUnpublishVolumeMethod();
  public static final MethodDescriptor<
          ValidateVolumeCapabilitiesRequest, ValidateVolumeCapabilitiesResponse>
      VALIDATE_VOLUME_CAPABILITIES = ControllerGrpc.getValidateVolumeCapabilitiesMethod();
  public static final MethodDescriptor<ListVolumesRequest, ListVolumesResponse> LIST_VOLUMES =
      ControllerGrpc.getListVolumesMethod();
  public static final MethodDescriptor<ControllerGetVolumeRequest, ControllerGetVolumeResponse>
      CONTROLLER_GET_VOLUME = ControllerGrpc.getControllerGetVolumeMethod();
  public static final MethodDescriptor<
          ControllerModifyVolumeRequest, ControllerModifyVolumeResponse>
      CONTROLLER_MODIFY_VOLUME = ControllerGrpc.getControllerModifyVolumeMethod();
  public static final MethodDescriptor<GetCapacityRequest, GetCapacityResponse> GET_CAPACITY =
      ControllerGrpc.getGetCapacityMethod();
  public static final MethodDescriptor<
          ControllerExpandVolumeRequest, ControllerExpandVolumeResponse>
      CONTROLLER_EXPAND_VOLUME = ControllerGrpc.getControllerExpandVolumeMethod();
  public static final MethodDescriptor<CreateSnapshotRequest, CreateSnapshotResponse>
      CREATE_SNAPSHOT = ControllerGrpc.getCreateSnapshotMethod();
  public static final MethodDescriptor<DeleteSnapshotRequest, DeleteSnapshotResponse>
      DELETE_SNAPSHOT = ControllerGrpc.getDeleteSnapshotMethod();
  public static final MethodDescriptor<ListSnapshotsRequest, ListSnapshotsResponse> LIST_SNAPSHOTS =
      ControllerGrpc.getListSnapshotsMethod();
  public static final MethodDescriptor<GetSnapshotRequest, GetSnapshotResponse> GET_SNAPSHOT =
      ControllerGrpc.getGetSnapshotMethod();

  public static final MethodDescriptor<
          GroupControllerGetCapabilitiesRequest, GroupControllerGetCapabilitiesResponse>
      GROUP_CONTROLLER_GET_CAPABILITIES =
          GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod();
  public static final MethodDescriptor<
          CreateVolumeGroupSnapshotRequest, CreateVolumeGroupSnapshotResponse>
      CREATE_VOLUME_GROUP_SNAPSHOT = GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod();
  public static final MethodDescriptor<
          DeleteVolumeGroupSnapshotRequest, DeleteVolumeGroupSnapshotResponse>
      DELETE_VOLUME_GROUP_SNAPSHOT = GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod();
  public static final MethodDescriptor<
          GetVolumeGroupSnapshotRequest, GetVolumeGroupSnapshotResponse>
      GET_VOLUME_GROUP_SNAPSHOT = GroupControllerGrpc.getGetVolumeGroupSnapshotMethod();

  public static final MethodDescriptor<GetMetadataAllocatedRequest, GetMetadataAllocatedResponse>
      GET_METADATA_ALLOCATED = SnapshotMetadataGrpc.getGetMetadataAllocatedMethod();
  public static final MethodDescriptor<GetMetadataDeltaRequest, GetMetadataDeltaResponse>
      GET_METADATA_DELTA = SnapshotMetadataGrpc.getGetMetadataDeltaMethod();

  public static final MethodDescriptor<NodeGetCapabilitiesRequest, NodeGetCapabilitiesResponse>
      NODE_GET_CAPABILITIES = NodeGrpc.getNodeGetCapabilitiesMethod();
  public static final MethodDescriptor<NodeGetInfoRequest, NodeGetInfoResponse> NODE_GET_INFO =
      NodeGrpc.getNodeGetInfoMethod();
  public static final MethodDescriptor<NodeStageVolumeRequest, NodeStageVolumeResponse>
      NODE_STAGE_VOLUME = NodeGrpc.getNodeStageVolumeMethod();
  public static final MethodDescriptor<NodeUnstageVolumeRequest, NodeUnstageVolumeResponse>
      NODE_UNSTAGE_VOLUME = NodeGrpc.getNodeUnstageVolumeMethod();
  public static final MethodDescriptor<NodePublishVolumeRequest, NodePublishVolumeResponse>
      NODE_PUBLISH_VOLUME = NodeGrpc.getNodePublishVolumeMethod();
  public static final MethodDescriptor<NodeUnpublishVolumeRequest, NodeUnpublishVolumeResponse>
      NODE_UNPUBLISH_VOLUME = NodeGrpc.getNodeUnpublishVolumeMethod();
  public static final MethodDescriptor<NodeGetVolumeStatsRequest, NodeGetVolumeStatsResponse>
      NODE_GET_VOLUME_STATS = NodeGrpc.getNodeGetVolumeStatsMethod();
  public static final MethodDescriptor<NodeExpandVolumeRequest, NodeExpandVolumeResponse>
      NODE_EXPAND_VOLUME = NodeGrpc.getNodeExpandVolumeMethod();

  public static final MethodDescriptor<
          ControllerGetVolumeHealthRequest, ControllerGetVolumeHealthResponse>
      CONTROLLER_GET_VOLUME_HEALTH = ControllerGrpc.getControllerGetVolumeHealthMethod();
  public static final MethodDescriptor<
          ControllerListVolumeHealthRequest, ControllerListVolumeHealthResponse>
      CONTROLLER_LIST_VOLUME_HEALTH = ControllerGrpc.getControllerListVolumeHealthMethod();
  public static final MethodDescriptor<NodeGetVolumeHealthRequest, NodeGetVolumeHealthResponse>
      NODE_GET_VOLUME_HEALTH = NodeGrpc.getNodeGetVolumeHealthMethod();
  public static final MethodDescriptor<NodeGetStorageHealthRequest, NodeGetStorageHealthResponse>
      NODE_GET_STORAGE_HEALTH = NodeGrpc.getNodeGetStorageHealthMethod();

  private Rpcs() {}
}
