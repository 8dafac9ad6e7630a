package dev.berth.sidecar.health;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.ControllerGetVolumeHealthRequest;
import dev.berth.csi.v1.ControllerGetVolumeHealthResponse;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.ControllerGetVolumeResponse;
import dev.berth.csi.v1.ControllerListVolumeHealthRequest;
import dev.berth.csi.v1.ControllerListVolumeHealthResponse;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.ListVolumesResponse;
import dev.berth.csi.v1.VolumeCondition;
import dev.berth.csi.v1.VolumeHealth;
import dev.berth.csi.v1.VolumeHealth.VolumeHealthEntry;
import dev.berth.csi.v1.VolumeHealthErrorType;
import dev.berth.sidecar.testing.SmallDriver;
import io.grpc.Status.Code;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A driver that tells of its volumes what the test says.
final class HealthDriver extends SmallDriver {
  /// Abnormal ones with their message; well: empty.
  final Map<String, String> conditions = new LinkedHashMap<>();

  final Map<String, List<VolumeHealthEntry>> health = new LinkedHashMap<>();
  final List<String> asked = new ArrayList<>();
  boolean wordless;
  Optional<Code> lists = Optional.empty();
  Optional<Code> gets = Optional.empty();

  /// As many on a page; 0: all.
  int page;

  /// Gives the same token again and again.
  boolean circles;

  static VolumeHealthEntry entry(VolumeHealthErrorType status, String reason, String message) {
    return VolumeHealthEntry.newBuilder()
        .setStatus(status)
        .setReason(reason)
        .setMessage(message)
        .build();
  }

  static VolumeHealthEntry unknown(int status, String reason) {
    return VolumeHealthEntry.newBuilder().setStatusValue(status).setReason(reason).build();
  }

  private static void pass(Optional<Code> refusal) {
    if (refusal.isPresent()) throw new CsiException(refusal.get(), "told to");
  }

  private VolumeCondition condition(String message) {
    return VolumeCondition.newBuilder()
        .setAbnormal(!message.isEmpty())
        .setMessage(wordless ? "" : message)
        .build();
  }

  /// Where a page begins, by its token.
  private int from(String token) {
    return token.isEmpty() ? 0 : Integer.parseInt(token);
  }

  private String next(int from, int size) {
    if (circles) return "" + page;
    return page == 0 || from + page >= size ? "" : "" + (from + page);
  }

  @Override
  public ListVolumesResponse listVolumes(ListVolumesRequest request) {
    asked.add("ListVolumes " + request.getMaxEntries() + " " + request.getStartingToken());
    pass(lists);
    var answer = ListVolumesResponse.newBuilder();
    var from = from(request.getStartingToken());
    conditions.entrySet().stream()
        .skip(from)
        .limit(page == 0 ? Long.MAX_VALUE : page)
        .forEach(it -> {
          var entry = answer.addEntriesBuilder();
          entry.getVolumeBuilder().setVolumeId(it.getKey());
          entry.getStatusBuilder().setVolumeCondition(condition(it.getValue()));
        });
    return answer.setNextToken(next(from, conditions.size())).build();
  }

  @Override
  public ControllerGetVolumeResponse controllerGetVolume(ControllerGetVolumeRequest request) {
    asked.add("GetVolume " + request.getVolumeId());
    pass(gets);
    var answer = ControllerGetVolumeResponse.newBuilder();
    answer
        .getStatusBuilder()
        .setVolumeCondition(condition(conditions.getOrDefault(request.getVolumeId(), "")));
    return answer.build();
  }

  private static VolumeHealth told(String id, List<VolumeHealthEntry> entries) {
    return VolumeHealth.newBuilder().setVolumeId(id).addAllHealthStatuses(entries).build();
  }

  @Override
  public ControllerListVolumeHealthResponse controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request) {
    asked.add("ListVolumeHealth " + request.getStartingToken());
    pass(lists);
    var answer = ControllerListVolumeHealthResponse.newBuilder();
    var from = from(request.getStartingToken());
    health.entrySet().stream()
        .skip(from)
        .limit(page == 0 ? Long.MAX_VALUE : page)
        .forEach(it -> answer.addEntries(told(it.getKey(), it.getValue())));
    return answer.setNextToken(next(from, health.size())).build();
  }

  @Override
  public ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request) {
    asked.add("GetVolumeHealth " + request.getVolumeId());
    pass(gets);
    return ControllerGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(
            told(request.getVolumeId(), health.getOrDefault(request.getVolumeId(), List.of())))
        .build();
  }
}
