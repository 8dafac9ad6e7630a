package dev.berth.driver.serve;

import com.google.protobuf.Int64Value;
import dev.berth.csi.v1.ControllerGetVolumeHealthRequest;
import dev.berth.csi.v1.ControllerGetVolumeHealthResponse;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.ControllerGetVolumeResponse;
import dev.berth.csi.v1.ControllerListVolumeHealthRequest;
import dev.berth.csi.v1.ControllerListVolumeHealthResponse;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.GetCapacityResponse;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.ListVolumesResponse;
import dev.berth.csi.v1.ListVolumesResponse.VolumeStatus;
import dev.berth.csi.v1.VolumeHealth;
import dev.berth.driver.model.Publication;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.Wire;
import dev.berth.driver.spi.Capacity;
import dev.berth.driver.spi.Health;
import dev.berth.driver.spi.Listing;
import dev.berth.driver.spi.Publishing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/// Questions about volumes and room; they wait for no operation (CON-03).
record LookCalls(Parts parts, UsageSupport usages) {

  /// CTL-06, CTL-19.
  ListVolumesResponse list(ListVolumesRequest request) throws IOException {
    var listing = parts.require(Listing.class);
    var query =
        new Page.Query(
            new PageToken("ListVolumes"), request.getMaxEntries(), request.getStartingToken());
    var page = Page.of(query, listing::volumesAfter, Volume::id, this::entry);
    return ListVolumesResponse.newBuilder()
        .addAllEntries(page.entries())
        .setNextToken(page.nextToken())
        .build();
  }

  private ListVolumesResponse.Entry entry(Volume volume) throws IOException {
    var entry = ListVolumesResponse.Entry.newBuilder().setVolume(parts.outgoing().volume(volume));
    var status = VolumeStatus.newBuilder().addAllPublishedNodeIds(nodes(volume));
    var health = parts.find(Health.class);
    if (health.isPresent()) status.setVolumeCondition(Wire.message(health.get().condition(volume)));
    return entry.setStatus(status).build();
  }

  private List<String> nodes(Volume volume) throws IOException {
    var publishing = parts.find(Publishing.class);
    if (publishing.isEmpty()) return List.of();
    return publishing.get().publications(volume).stream().map(Publication::nodeId).toList();
  }

  /// CTL-07.
  ControllerGetVolumeResponse get(ControllerGetVolumeRequest request) throws IOException {
    parts.require(Listing.class);
    var id = request.getVolumeId();
    Fields.present("volume_id", id);
    var volume = parts.existing().requireVolume(id);
    var status = entry(volume).getStatus();
    var answer =
        ControllerGetVolumeResponse.newBuilder().setVolume(parts.outgoing().volume(volume));
    answer.getStatusBuilder().addAllPublishedNodeIds(status.getPublishedNodeIdsList());
    if (status.hasVolumeCondition())
      answer.getStatusBuilder().setVolumeCondition(status.getVolumeCondition());
    return answer.build();
  }

  /// VH-05: volumes that are well are left out.
  ControllerListVolumeHealthResponse listHealth(ControllerListVolumeHealthRequest request)
      throws IOException {
    var health = parts.require(Health.class);
    var listing = parts.require(Listing.class);
    var query =
        new Page.Query(
            new PageToken("ControllerListVolumeHealth"),
            request.getMaxEntries(),
            request.getStartingToken());
    try {
      var page =
          Page.of(
              query,
              after ->
                  listing
                      .volumesAfter(after)
                      .map(volume -> health(health, volume))
                      .filter(it -> it.getHealthStatusesCount() > 0),
              VolumeHealth::getVolumeId,
              it -> it);
      return ControllerListVolumeHealthResponse.newBuilder()
          .addAllEntries(page.entries())
          .setNextToken(page.nextToken())
          .build();
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  /// VH-05.
  ControllerGetVolumeHealthResponse getHealth(ControllerGetVolumeHealthRequest request)
      throws IOException {
    var health = parts.require(Health.class);
    Fields.present("volume_id", request.getVolumeId());
    var volume = parts.existing().requireVolume(request.getVolumeId());
    return ControllerGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(Wire.health(volume.id(), health.condition(volume)))
        .build();
  }

  private static VolumeHealth health(Health health, Volume volume) {
    try {
      return Wire.health(volume.id(), health.condition(volume));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// CTL-09, CTL-20: what cannot be made has no room.
  GetCapacityResponse capacity(GetCapacityRequest request) throws IOException {
    var capacity = parts.require(Capacity.class);
    var asked = Fields.usages(request.getVolumeCapabilitiesList());
    var where =
        request.hasAccessibleTopology()
            ? Optional.of(Wire.topology(request.getAccessibleTopology()))
            : Optional.<Topology>empty();
    where.ifPresent(Fields::topology);
    // A volume is of one kind (CAP-02).
    var oneKind = asked.stream().map(Usage::block).distinct().count() <= 1;
    var possible = oneKind && asked.stream().allMatch(usage -> usages.objection(usage).isEmpty());
    var room =
        possible
            ? capacity.room(asked, Wire.withoutKubernetes(request.getParametersMap()), where)
            : Capacity.Room.NONE;

    var answer =
        GetCapacityResponse.newBuilder().setAvailableCapacity(Math.max(0, room.available()));
    room.largest()
        .ifPresent(bytes -> answer.setMaximumVolumeSize(Int64Value.of(Math.max(0, bytes))));
    room.smallest().ifPresent(bytes -> answer.setMinimumVolumeSize(Int64Value.of(bytes)));
    return answer.build();
  }
}
