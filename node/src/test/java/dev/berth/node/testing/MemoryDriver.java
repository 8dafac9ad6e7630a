package dev.berth.node.testing;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.client.NodeCalls;
import dev.berth.csi.v1.*;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/// A driver that mounts in memory, writes down what it was told, and refuses what breaks the order
/// of calls.
public final class MemoryDriver implements NodeCalls {
  public static final String NAME = "disk.berth.dev";

  private final Set<RPC.Type> capabilities;
  private final Map<String, Set<String>> staged = new ConcurrentHashMap<>();
  private final Map<String, String> published = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();
  private volatile Predicate<String> fails = _ -> false;
  private volatile Status.Code failure = Status.Code.INTERNAL;

  public MemoryDriver(RPC.Type... capabilities) {
    this.capabilities = Set.of(capabilities);
  }

  /// Calls so far, as `stage vol-1`.
  public List<String> calls() {
    return List.copyOf(calls);
  }

  public void forgetCalls() {
    calls.clear();
  }

  /// Paths at which something is mounted now.
  public List<String> mounts() {
    var mounts = new ArrayList<>(published.keySet());
    staged.values().forEach(mounts::addAll);
    return mounts;
  }

  /// From now on calls that `test` accepts take effect and then fail with `code`.
  public void failAfter(Predicate<String> test, Status.Code code) {
    failure = code;
    fails = test;
  }

  @Override
  public NodeGetCapabilitiesResponse nodeGetCapabilities(NodeGetCapabilitiesRequest request) {
    var response = NodeGetCapabilitiesResponse.newBuilder();
    for (var type : capabilities)
      response.addCapabilities(
          NodeServiceCapability.newBuilder().setRpc(RPC.newBuilder().setType(type)));
    return response.build();
  }

  @Override
  public NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request) {
    var path = request.getStagingTargetPath();
    staged.computeIfAbsent(request.getVolumeId(), _ -> ConcurrentHashMap.newKeySet()).add(path);
    called("stage " + request.getVolumeId() + " " + request.getPublishContextMap());
    return NodeStageVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(NodePublishVolumeRequest request) {
    var needed = request.getStagingTargetPath();
    if (!needed.isEmpty() && !staged.getOrDefault(request.getVolumeId(), Set.of()).contains(needed))
      throw new CsiException(Status.Code.FAILED_PRECONDITION, "not staged at " + needed);
    published.put(request.getTargetPath(), request.getVolumeId());
    called("publish " + request.getVolumeId());
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(NodeUnpublishVolumeRequest request) {
    published.remove(request.getTargetPath());
    called("unpublish " + request.getVolumeId());
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnstageVolumeResponse nodeUnstageVolume(NodeUnstageVolumeRequest request) {
    if (published.containsValue(request.getVolumeId()))
      throw new CsiException(Status.Code.FAILED_PRECONDITION, "still published");
    staged.remove(request.getVolumeId());
    called("unstage " + request.getVolumeId());
    return NodeUnstageVolumeResponse.getDefaultInstance();
  }

  private void called(String call) {
    calls.add(call);
    if (fails.test(call)) throw new CsiException(failure, "told to fail");
  }

  @Override
  public NodeGetInfoResponse nodeGetInfo(NodeGetInfoRequest request) {
    return NodeGetInfoResponse.newBuilder().setNodeId("n").build();
  }

  @Override
  public NodeGetVolumeStatsResponse nodeGetVolumeStats(NodeGetVolumeStatsRequest request) {
    throw new CsiException(Status.Code.UNIMPLEMENTED, "no stats");
  }

  @Override
  public NodeExpandVolumeResponse nodeExpandVolume(NodeExpandVolumeRequest request) {
    throw new CsiException(Status.Code.UNIMPLEMENTED, "no expansion");
  }
}
