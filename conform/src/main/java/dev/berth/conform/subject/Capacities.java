package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.GET_CAPACITY;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.VOLUME_ACCESSIBILITY_CONSTRAINTS;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.GetCapacityResponse;
import dev.berth.csi.v1.Topology;
import io.grpc.Status;
import java.util.List;

/// How much room there is.
final class Capacities {
  static List<Check> checks() {
    return List.of(
        check(
                "capacity.told",
                "The capacity is told, and is not negative",
                "GetCapacity: available_capacity MUST NOT be negative, nor maximum_volume_size or"
                    + " minimum_volume_size")
            .covers("SAN-05")
            .needs(GET_CAPACITY)
            .asks(
                "answer 0 where nothing is left, also if more was promised than there is",
                trial ->
                    sound(
                        trial,
                        trial.ok(Rpcs.GET_CAPACITY, GetCapacityRequest.getDefaultInstance()))),
        check(
                "capacity.for-use",
                "The capacity for what volumes of this run are used as is told",
                "GetCapacity: SHALL report the capacity of the storage that can provision volumes"
                    + " with the given capabilities and parameters")
            .needs(GET_CAPACITY)
            .asks(
                "take capabilities and parameters as CreateVolume does",
                trial ->
                    sound(
                        trial,
                        trial.ok(
                            Rpcs.GET_CAPACITY,
                            GetCapacityRequest.newBuilder()
                                .addVolumeCapabilities(trial.requests().use())
                                .putAllParameters(trial.settings().maps().volume())
                                .build()))),
        check(
                "capacity.elsewhere",
                "There is no capacity where the driver does not reach",
                "GetCapacity: SHALL report the capacity of the storage that can provision volumes"
                    + " in accessible_topology")
            .needs(GET_CAPACITY, NODE_SERVICE, VOLUME_ACCESSIBILITY_CONSTRAINTS)
            .asks("answer 0 for a topology that is not one of yours", Capacities::elsewhere));
  }

  private static void sound(Trial trial, GetCapacityResponse answer) {
    trial.require(
        answer.getAvailableCapacity() >= 0
            && answer.getMaximumVolumeSize().getValue() >= 0
            && answer.getMinimumVolumeSize().getValue() >= 0,
        "no negative number",
        answer);
    trial.require(
        !answer.hasMaximumVolumeSize()
            || answer.getMinimumVolumeSize().getValue() <= answer.getMaximumVolumeSize().getValue(),
        "a minimum_volume_size that is not above maximum_volume_size",
        answer);
  }

  private static void elsewhere(Trial trial) {
    var elsewhere = Topology.newBuilder();
    trial
        .advertised()
        .node()
        .map(node -> node.getAccessibleTopology().getSegmentsMap().keySet())
        .filter(keys -> !keys.isEmpty())
        .orElseThrow(() -> new SkipException("NodeGetInfo tells no topology"))
        .forEach(key -> elsewhere.putSegments(key, Requests.PREFIX + "nowhere"));
    var answer =
        trial.send(
            Rpcs.GET_CAPACITY,
            GetCapacityRequest.newBuilder().setAccessibleTopology(elsewhere).build());
    if (answer.code() == Status.Code.INVALID_ARGUMENT) return; // it is not one of the driver's
    trial.require(answer.ok(), "OK", answer.code());
    var room = answer.message().orElseThrow().getAvailableCapacity();
    trial.require(room == 0, "available_capacity 0", room);
  }

  private Capacities() {}
}
