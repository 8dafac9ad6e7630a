package dev.berth.node.testing;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.client.NodeCalls;
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
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeResponse;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeResponse;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeResponse;
import dev.berth.csi.v1.VolumeCapability;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// A driver that mounts in memory, writes down what it was told, and refuses what breaks the order
/// of calls.
public final class MemoryDriver implements NodeCalls {
  public static final String NAME = "disk.berth.dev";

  private final Set<RPC.Type> capabilities;
  private final Map<String, Set<String>> staged = new ConcurrentHashMap<>();
  private final Map<String, String> groups = new ConcurrentHashMap<>();
  private final Map<String, String> published = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Status.Code> refusals = new ConcurrentLinkedQueue<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private volatile NodePublishVolumeRequest latest = NodePublishVolumeRequest.getDefaultInstance();
  private volatile NodeExpandVolumeRequest growth = NodeExpandVolumeRequest.getDefaultInstance();
  private volatile Function<NodeGetVolumeStatsRequest, NodeGetVolumeStatsResponse> stats =
      _ -> {
        throw new CsiException(Status.Code.UNIMPLEMENTED, "no stats");
      };
  private volatile Function<NodeGetVolumeHealthRequest, NodeGetVolumeHealthResponse> health =
      _ -> {
        throw new CsiException(Status.Code.UNIMPLEMENTED, "no health");
      };
  private volatile Supplier<NodeGetStorageHealthResponse> storage =
      () -> {
        throw new CsiException(Status.Code.UNIMPLEMENTED, "no health");
      };
  private volatile Predicate<String> inUse = _ -> false;
  private volatile Predicate<String> fails = _ -> false;
  private volatile Status.Code failure = Status.Code.INTERNAL;

  public MemoryDriver(RPC.Type... capabilities) {
    this.capabilities = Set.of(capabilities);
  }

  /// Calls so far, as `stage vol-1`.
  public List<String> calls() {
    return List.copyOf(calls);
  }

  /// What it was told when it was last asked to publish.
  public NodePublishVolumeRequest latestPublish() {
    return latest;
  }

  /// What it was told when it was last asked to make something grow.
  public NodeExpandVolumeRequest latestGrowth() {
    return growth;
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

  /// What was asked for and should never be.
  public List<String> violations() {
    return violations;
  }

  /// @param test whether a container that runs has the target mounted
  void usedBy(Predicate<String> test) {
    inUse = test;
  }

  /// From now on calls that `test` accepts take effect and then fail with `code`.
  public void failAfter(Predicate<String> test, Status.Code code) {
    failure = code;
    fails = test;
  }

  /// The next calls are refused with these codes and take no effect.
  public void refuseNext(Status.Code... codes) {
    refusals.addAll(List.of(codes));
  }

  private void admit() {
    var refusal = refusals.poll();
    if (refusal != null) throw new CsiException(refusal, "told to refuse");
  }

  @Override
  public NodeGetCapabilitiesResponse nodeGetCapabilities(NodeGetCapabilitiesRequest request) {
    var response = NodeGetCapabilitiesResponse.newBuilder();
    for (var type : capabilities)
      response.addCapabilities(
          NodeServiceCapability.newBuilder().setRpc(RPC.newBuilder().setType(type)));
    return response.build();
  }

  private static String group(VolumeCapability capability) {
    return capability.getMount().getVolumeMountGroup();
  }

  /// As the disk driver: all calls about a staged volume have to name one group.
  private void checkGroup(String volume, VolumeCapability capability) {
    var known = groups.getOrDefault(volume, group(capability));
    if (!known.equals(group(capability)))
      throw new CsiException(Status.Code.ALREADY_EXISTS, "staged for group \"" + known + "\"");
  }

  private static String inGroup(VolumeCapability capability) {
    return group(capability).isEmpty() ? "" : " in group " + group(capability);
  }

  @Override
  public NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request) {
    admit();
    var path = request.getStagingTargetPath();
    checkGroup(request.getVolumeId(), request.getVolumeCapability());
    groups.put(request.getVolumeId(), group(request.getVolumeCapability()));
    staged.computeIfAbsent(request.getVolumeId(), _ -> ConcurrentHashMap.newKeySet()).add(path);
    called(
        "stage "
            + request.getVolumeId()
            + " "
            + request.getPublishContextMap()
            + inGroup(request.getVolumeCapability()));
    return NodeStageVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(NodePublishVolumeRequest request) {
    admit();
    latest = request;
    var needed = request.getStagingTargetPath();
    if (!needed.isEmpty() && !staged.getOrDefault(request.getVolumeId(), Set.of()).contains(needed))
      throw new CsiException(Status.Code.FAILED_PRECONDITION, "not staged at " + needed);
    checkGroup(request.getVolumeId(), request.getVolumeCapability());
    published.put(request.getTargetPath(), request.getVolumeId());
    called("publish " + request.getVolumeId() + inGroup(request.getVolumeCapability()));
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(NodeUnpublishVolumeRequest request) {
    if (inUse.test(request.getTargetPath()))
      violations.add("unpublished under a running container: " + request.getTargetPath());
    published.remove(request.getTargetPath());
    called("unpublish " + request.getVolumeId());
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnstageVolumeResponse nodeUnstageVolume(NodeUnstageVolumeRequest request) {
    if (published.containsValue(request.getVolumeId())) {
      violations.add("unstaged while published: " + request.getVolumeId());
      throw new CsiException(Status.Code.FAILED_PRECONDITION, "still published");
    }
    staged.remove(request.getVolumeId());
    groups.remove(request.getVolumeId());
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

  /// What it says of volumes from now on.
  public void tell(Function<NodeGetVolumeStatsRequest, NodeGetVolumeStatsResponse> said) {
    stats = said;
  }

  @Override
  public NodeGetVolumeStatsResponse nodeGetVolumeStats(NodeGetVolumeStatsRequest request) {
    return stats.apply(request);
  }

  /// How it says that volumes are, from now on.
  public void tellHealth(Function<NodeGetVolumeHealthRequest, NodeGetVolumeHealthResponse> said) {
    health = said;
  }

  @Override
  public NodeGetVolumeHealthResponse nodeGetVolumeHealth(NodeGetVolumeHealthRequest request) {
    return health.apply(request);
  }

  @Override
  public NodeGetStorageHealthResponse nodeGetStorageHealth(NodeGetStorageHealthRequest request) {
    return storage.get();
  }

  /// How it says that the storage behind it is, from now on.
  public void tellStorage(Supplier<NodeGetStorageHealthResponse> said) {
    storage = said;
  }

  @Override
  public NodeExpandVolumeResponse nodeExpandVolume(NodeExpandVolumeRequest request) {
    admit();
    growth = request;
    if (!published.containsKey(request.getVolumePath()))
      throw new CsiException(Status.Code.NOT_FOUND, "not published at " + request.getVolumePath());
    var bytes = request.getCapacityRange().getRequiredBytes();
    called("expand " + request.getVolumeId() + " " + bytes);
    return NodeExpandVolumeResponse.newBuilder().setCapacityBytes(bytes).build();
  }
}
