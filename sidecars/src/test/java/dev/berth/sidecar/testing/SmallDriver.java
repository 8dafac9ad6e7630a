package dev.berth.sidecar.testing;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerExpandVolumeResponse;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.ControllerModifyVolumeResponse;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeResponse;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeResponse;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeResponse;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.GetCapacityResponse;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.ListVolumesResponse;
import dev.berth.csi.v1.Volume;
import io.grpc.Status.Code;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/// A driver with volumes in memory: idempotent by name, strict about what it is asked. Tests tell
/// it how its next calls go wrong.
public class SmallDriver extends NoCalls {
  /// How one call goes wrong.
  ///
  /// @param done whether the call does its work before its answer is lost
  public record Trouble(boolean done, Code code, String description) {
    CsiException failure() {
      return new CsiException(code, description);
    }
  }

  private final Map<String, CreateVolumeRequest> requests = new ConcurrentHashMap<>();
  private final Map<String, Volume> volumes = new ConcurrentHashMap<>();
  private final Map<String, String> published = new ConcurrentHashMap<>();
  private final Queue<Trouble> troubles = new ArrayDeque<>();
  private final List<String> calls = new ArrayList<>();
  private final AtomicInteger ids = new AtomicInteger();
  private Map<String, Long> room = Map.of();
  private List<ListVolumesResponse.Entry> listed = List.of();
  private UnaryOperator<Volume> answers = UnaryOperator.identity();
  private final List<ControllerExpandVolumeRequest> growthRequests = new ArrayList<>();
  private final List<ControllerModifyVolumeRequest> modifications = new ArrayList<>();
  private UnaryOperator<ControllerExpandVolumeResponse> growths = UnaryOperator.identity();

  /// The next call is refused.
  public void refuses(Code code, String description) {
    troubles.add(new Trouble(false, code, description));
  }

  /// The next call does its work, but its answer is lost.
  public void losesAnswer() {
    troubles.add(new Trouble(true, Code.DEADLINE_EXCEEDED, "context deadline exceeded"));
  }

  /// What CreateVolume answers instead.
  public void answers(UnaryOperator<Volume> instead) {
    answers = instead;
  }

  /// What ControllerExpandVolume answers instead: as large as asked for, and nothing left to do.
  public void grows(UnaryOperator<ControllerExpandVolumeResponse> instead) {
    growths = instead;
  }

  /// Requests to make volumes larger, in order.
  public List<ControllerExpandVolumeRequest> growths() {
    return List.copyOf(growthRequests);
  }

  /// Requests to change attributes, in order.
  public List<ControllerModifyVolumeRequest> modifications() {
    return List.copyOf(modifications);
  }

  /// Names of the volumes that exist.
  public List<String> volumes() {
    return requests.keySet().stream().sorted().toList();
  }

  /// The request that made a volume.
  public CreateVolumeRequest requestOf(String name) {
    var request = requests.get(name);
    if (request == null) throw new AssertionError("no volume " + name);
    return request;
  }

  /// Node to which each volume is published, by handle.
  public Map<String, String> published() {
    return Map.copyOf(published);
  }

  /// What was called, in order, as `CreateVolume pvc-1`.
  public synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  private synchronized Trouble called(String call) {
    calls.add(call);
    var trouble = troubles.poll();
    if (trouble != null && !trouble.done()) throw trouble.failure();
    return trouble == null ? new Trouble(false, Code.OK, "") : trouble;
  }

  private static <T> T answer(Trouble trouble, T answer) {
    if (trouble.done()) throw trouble.failure();
    return answer;
  }

  @Override
  public CreateVolumeResponse createVolume(CreateVolumeRequest request) {
    var trouble = called("CreateVolume " + request.getName());
    var before = requests.putIfAbsent(request.getName(), request);
    if (before != null && !before.equals(request))
      throw new CsiException(Code.ALREADY_EXISTS, request.getName() + " exists, but otherwise");
    var volume = volumes.computeIfAbsent(request.getName(), _ -> made(request));
    return answer(
        trouble, CreateVolumeResponse.newBuilder().setVolume(answers.apply(volume)).build());
  }

  private Volume made(CreateVolumeRequest request) {
    var volume =
        Volume.newBuilder()
            .setVolumeId("vol-" + ids.incrementAndGet())
            .setCapacityBytes(request.getCapacityRange().getRequiredBytes())
            .putVolumeContext("pool", "a");
    if (request.hasVolumeContentSource()) volume.setContentSource(request.getVolumeContentSource());
    return volume.build();
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request) {
    var trouble = called("DeleteVolume " + request.getVolumeId());
    if (published.containsKey(request.getVolumeId()))
      throw new CsiException(Code.FAILED_PRECONDITION, request.getVolumeId() + " is in use");
    volumes
        .entrySet()
        .removeIf(entry -> {
          boolean it = entry.getValue().getVolumeId().equals(request.getVolumeId());
          if (it) requests.remove(entry.getKey());
          return it;
        });
    return answer(trouble, DeleteVolumeResponse.getDefaultInstance());
  }

  /// What GetCapacity says of each segment, given in the order of its pairs' text; `nowhere` if it
  /// is asked of none.
  public void hasRoom(Map<String, Long> bytesBySegment) {
    room = Map.copyOf(bytesBySegment);
  }

  @Override
  public GetCapacityResponse getCapacity(GetCapacityRequest request) {
    var segment =
        request.hasAccessibleTopology()
            ? new TreeMap<>(request.getAccessibleTopology().getSegmentsMap()).toString()
            : "nowhere";
    var trouble = called("GetCapacity " + segment + " " + request.getParametersMap());
    return answer(
        trouble,
        GetCapacityResponse.newBuilder()
            .setAvailableCapacity(room.getOrDefault(segment, 0L))
            .build());
  }

  /// What ListVolumes says, an entry a page.
  public void lists(ListVolumesResponse.Entry... entries) {
    listed = List.of(entries);
  }

  @Override
  public synchronized ListVolumesResponse listVolumes(ListVolumesRequest request) {
    calls.add("ListVolumes " + request.getStartingToken() + " " + request.getMaxEntries());
    int page =
        request.getStartingToken().isEmpty() ? 0 : Integer.parseInt(request.getStartingToken());
    var answer = ListVolumesResponse.newBuilder();
    if (page < listed.size()) answer.addEntries(listed.get(page));
    if (page + 1 < listed.size()) answer.setNextToken(Integer.toString(page + 1));
    return answer.build();
  }

  @Override
  public ControllerPublishVolumeResponse controllerPublishVolume(
      ControllerPublishVolumeRequest request) {
    var trouble = called("Publish " + request.getVolumeId() + " " + request.getNodeId());
    published.put(request.getVolumeId(), request.getNodeId());
    return answer(
        trouble,
        ControllerPublishVolumeResponse.newBuilder().putPublishContext("lun", "7").build());
  }

  @Override
  public ControllerUnpublishVolumeResponse controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request) {
    var trouble = called("Unpublish " + request.getVolumeId() + " " + request.getNodeId());
    published.remove(request.getVolumeId(), request.getNodeId());
    return answer(trouble, ControllerUnpublishVolumeResponse.getDefaultInstance());
  }

  @Override
  public ControllerExpandVolumeResponse controllerExpandVolume(
      ControllerExpandVolumeRequest request) {
    growthRequests.add(request);
    var bytes = request.getCapacityRange().getRequiredBytes();
    var trouble = called("Expand " + request.getVolumeId() + " " + bytes);
    var grown = ControllerExpandVolumeResponse.newBuilder().setCapacityBytes(bytes).build();
    return answer(trouble, growths.apply(grown));
  }

  @Override
  public ControllerModifyVolumeResponse controllerModifyVolume(
      ControllerModifyVolumeRequest request) {
    modifications.add(request);
    var trouble =
        called("Modify " + request.getVolumeId() + " " + request.getMutableParametersMap());
    return answer(trouble, ControllerModifyVolumeResponse.getDefaultInstance());
  }
}
