package dev.berth.driver.serve;

import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.GetVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.GetVolumeGroupSnapshotResponse;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesResponse;
import dev.berth.csi.v1.GroupControllerGrpc;
import dev.berth.driver.model.GroupSnapshot;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Snapshot;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.Wire;
import dev.berth.driver.serve.InFlight.Hold;
import dev.berth.driver.serve.InFlight.Kind;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.GroupSnapshots;
import dev.berth.driver.spi.SecretKeys.Call;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The GroupController service of every driver (GRP-01 to GRP-08).
public final class GroupControllerService extends GroupControllerGrpc.GroupControllerImplBase {
  private static final String CREATE = "CreateVolumeGroupSnapshot";
  private static final String DELETE = "DeleteVolumeGroupSnapshot";

  private final Parts parts;
  private final GroupControllerGetCapabilitiesResponse capabilities;
  private final InFlight inFlight;

  public GroupControllerService(Driver driver, Parts parts, InFlight inFlight) {
    this.parts = parts;
    this.capabilities =
        GroupControllerGetCapabilitiesResponse.newBuilder()
            .addAllCapabilities(new Abilities(parts, driver.usages()).ofGroupController())
            .build();
    this.inFlight = inFlight;
  }

  @Override
  public void groupControllerGetCapabilities(
      GroupControllerGetCapabilitiesRequest request,
      StreamObserver<GroupControllerGetCapabilitiesResponse> caller) {
    Reply.look(request, caller, _ -> capabilities);
  }

  @Override
  public void createVolumeGroupSnapshot(
      CreateVolumeGroupSnapshotRequest request,
      StreamObserver<CreateVolumeGroupSnapshotResponse> caller) {
    Reply.change(request, caller, this::create);
  }

  @Override
  public void deleteVolumeGroupSnapshot(
      DeleteVolumeGroupSnapshotRequest request,
      StreamObserver<DeleteVolumeGroupSnapshotResponse> caller) {
    Reply.change(request, caller, this::delete);
  }

  @Override
  public void getVolumeGroupSnapshot(
      GetVolumeGroupSnapshotRequest request,
      StreamObserver<GetVolumeGroupSnapshotResponse> caller) {
    Reply.look(request, caller, this::get);
  }

  private CreateVolumeGroupSnapshotResponse create(CreateVolumeGroupSnapshotRequest request)
      throws IOException {
    var groups = parts.require(GroupSnapshots.class);
    List<String> sourceIds = request.getSourceVolumeIdsList();
    Fields.name("name", request.getName());
    Fields.present("source_volume_ids", sourceIds);
    sourceIds.forEach(id -> Fields.present("source_volume_ids", id));
    if (new HashSet<>(sourceIds).size() < sourceIds.size())
      throw Refusal.invalid("source_volume_ids names a volume twice");
    Fields.map("parameters", request.getParametersMap());
    var parameters = Wire.withoutKubernetes(request.getParametersMap());

    var secrets = parts.secrets(Call.CREATE_GROUP, request.getSecretsMap());
    try (var _ = inFlight.hold(CREATE, Kind.GROUP_NAME, request.getName())) {
      var there = existing(groups, request.getName());
      if (there.isPresent()) return answer(same(there.get(), new HashSet<>(sourceIds), parameters));
      var holds = new ArrayDeque<Hold>();
      try {
        var sources = new ArrayList<Volume>();
        for (var id : sourceIds) sources.add(held(id, holds));
        return answer(groups.cutGroup(request.getName(), sources, parameters, secrets));
      } finally {
        holds.forEach(Hold::close);
      }
    }
  }

  /// CON-01: not one that is just being deleted.
  private Optional<GroupSnapshot> existing(GroupSnapshots groups, String name) throws IOException {
    var found = groups.groupNamed(name);
    if (found.isEmpty()) return found;
    try (var _ = inFlight.share(CREATE, Kind.GROUP, found.get().id())) {
      return groups.groupNamed(name); // may have been deleted before we held it
    }
  }

  private Volume held(String id, Deque<Hold> holds) throws IOException {
    holds.push(inFlight.share(CREATE, Kind.VOLUME, id));
    return parts.existing().requireVolume(id);
  }

  /// GRP-03.
  private static GroupSnapshot same(
      GroupSnapshot there, Set<String> sourceIds, Map<String, String> parameters) {
    var made = there.members().stream().map(Snapshot::sourceVolumeId).collect(Collectors.toSet());
    if (!made.equals(sourceIds) || !there.parameters().equals(parameters))
      throw Refusal.existsDifferently(
          "a group snapshot of this name exists, of volumes %s and parameters %s"
              .formatted(made, there.parameters()));
    return there;
  }

  private CreateVolumeGroupSnapshotResponse answer(GroupSnapshot group) {
    return CreateVolumeGroupSnapshotResponse.newBuilder()
        .setGroupSnapshot(parts.outgoing().group(group))
        .build();
  }

  private DeleteVolumeGroupSnapshotResponse delete(DeleteVolumeGroupSnapshotRequest request)
      throws IOException {
    var groups = parts.require(GroupSnapshots.class);
    var id = request.getGroupSnapshotId();
    Fields.present("group_snapshot_id", id);
    try (var _ = inFlight.hold(DELETE, Kind.GROUP, id)) {
      var group = parts.existing().group(id);
      if (group.isEmpty()) return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
      var secrets = parts.secrets(Call.DELETE_GROUP, request.getSecretsMap());
      checkMembers(group.get(), request.getSnapshotIdsList());
      var holds = new ArrayDeque<Hold>();
      try {
        for (var member : group.get().members()) holds.push(unused(member.id()));
        groups.deleteGroup(group.get(), secrets);
      } finally {
        holds.forEach(Hold::close);
      }
    }
    return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
  }

  /// GRP-06: a member may be the source of a volume that is just being made.
  private Hold unused(String memberId) {
    try {
      return inFlight.hold(DELETE, Kind.SNAPSHOT, memberId);
    } catch (Refusal busy) {
      throw Refusal.wrongState("the group is in use: " + busy.getMessage());
    }
  }

  private GetVolumeGroupSnapshotResponse get(GetVolumeGroupSnapshotRequest request)
      throws IOException {
    parts.require(GroupSnapshots.class);
    var id = request.getGroupSnapshotId();
    Fields.present("group_snapshot_id", id);
    var group = parts.existing().requireGroup(id);
    checkMembers(group, request.getSnapshotIdsList());
    return GetVolumeGroupSnapshotResponse.newBuilder()
        .setGroupSnapshot(parts.outgoing().group(group))
        .build();
  }

  /// The specification requires the ids, csi-sanity leaves them out: none means all (GRP-07).
  private static void checkMembers(GroupSnapshot group, List<String> ids) {
    var members = group.members().stream().map(Snapshot::id).collect(Collectors.toSet());
    if (!ids.isEmpty() && !members.equals(new HashSet<>(ids)))
      throw Refusal.invalid(
          "snapshot_ids are not the members of %s, which are %s".formatted(group.id(), members));
  }
}
