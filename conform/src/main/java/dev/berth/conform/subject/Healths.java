package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.GET_STORAGE_HEALTH;
import static dev.berth.conform.trial.Ability.GET_VOLUME_HEALTH;
import static dev.berth.conform.trial.Ability.LIST_VOLUME_HEALTH;
import static dev.berth.conform.trial.Ability.NODE_GET_VOLUME_HEALTH;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_GET_VOLUME_HEALTH;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_LIST_VOLUME_HEALTH;
import static dev.berth.conform.trial.Rpcs.NODE_GET_STORAGE_HEALTH;
import static io.grpc.Status.Code.ABORTED;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;

import com.google.protobuf.ProtocolMessageEnum;
import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.ControllerGetVolumeHealthRequest;
import dev.berth.csi.v1.ControllerListVolumeHealthRequest;
import dev.berth.csi.v1.NodeGetStorageHealthRequest;
import dev.berth.csi.v1.NodeGetVolumeHealthRequest;
import dev.berth.csi.v1.VolumeHealth;
import java.util.List;

/// How volumes and the storage behind a node are, as CSI 1.13 has it.
final class Healths {
  private static final String MISSING =
      "Error Scheme: a missing required field is INVALID_ARGUMENT; volume_id is REQUIRED";
  private static final String ENTRIES =
      "VolumeHealthEntry: status and reason are REQUIRED, reason is a CamelCase string, and no two"
          + " entries of a volume have the same status and reason";

  static List<Check> checks() {
    return List.of(
        check("volume-health.no-volume", "The health of no volume is refused", MISSING)
            .needs(GET_VOLUME_HEALTH)
            .refuses(INVALID_ARGUMENT, CONTROLLER_GET_VOLUME_HEALTH, _ -> asked("")),
        check(
                "volume-health.unknown",
                "The health of a volume that does not exist is NOT_FOUND",
                "ControllerGetVolumeHealth Errors: NOT_FOUND, if the volume does not exist")
            .needs(GET_VOLUME_HEALTH)
            .refuses(NOT_FOUND, CONTROLLER_GET_VOLUME_HEALTH, _ -> asked(Requests.UNKNOWN_ID)),
        check(
                "volume-health.told",
                "The health of a volume is told in words that programs understand",
                "ControllerGetVolumeHealth: volume_health is REQUIRED; " + ENTRIES)
            .needs(CREATE_DELETE_VOLUME, GET_VOLUME_HEALTH)
            .asks(
                "tell the volume's id, and of all that is wrong with it status and reason",
                trial -> {
                  var id = trial.volume().getVolumeId();
                  var health = trial.ok(CONTROLLER_GET_VOLUME_HEALTH, asked(id)).getVolumeHealth();
                  sound(trial, health);
                  trial.require(health.getVolumeId().equals(id), "volume_id " + id, health);
                }),
        check(
                "volume-health.list",
                "Volumes that are not well are listed, each with what is wrong",
                "ControllerListVolumeHealth: SHOULD omit volumes with no known adverse condition; "
                    + ENTRIES)
            .needs(CREATE_DELETE_VOLUME, LIST_VOLUME_HEALTH)
            .asks(
                "list what is wrong, and page by page as asked for",
                trial -> {
                  trial.volume();
                  var page =
                      trial.ok(
                          CONTROLLER_LIST_VOLUME_HEALTH,
                          ControllerListVolumeHealthRequest.newBuilder().setMaxEntries(1).build());
                  trial.require(page.getEntriesCount() <= 1, "one entry at most", page);
                  for (var health : page.getEntriesList()) {
                    trial.require(!health.getVolumeId().isEmpty(), "a volume_id", health);
                    sound(trial, health);
                  }
                }),
        check(
                "volume-health.wrong-token",
                "A token of health that the driver did not give is ABORTED",
                "ControllerListVolumeHealth Errors: ABORTED, if starting_token is not valid")
            .needs(LIST_VOLUME_HEALTH)
            .refuses(
                ABORTED,
                CONTROLLER_LIST_VOLUME_HEALTH,
                _ ->
                    ControllerListVolumeHealthRequest.newBuilder()
                        .setStartingToken("invalid-token")
                        .build()),
        check("node-health.no-volume", "The health of no volume is refused on a node", MISSING)
            .needs(NODE_GET_VOLUME_HEALTH)
            .refuses(INVALID_ARGUMENT, Rpcs.NODE_GET_VOLUME_HEALTH, _ -> onNode("", "")),
        check(
                "node-health.told",
                "A node tells the health of a volume, with and without its path",
                "NodeGetVolumeHealth: volume_publish_path is OPTIONAL; " + ENTRIES)
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, NODE_GET_VOLUME_HEALTH)
            .asks(
                "find the volume by its id where no path is given",
                trial -> {
                  var placement = trial.published();
                  for (var path : List.of(placement.target().toString(), "")) {
                    var health =
                        trial
                            .ok(Rpcs.NODE_GET_VOLUME_HEALTH, onNode(placement.id(), path))
                            .getVolumeHealth();
                    sound(trial, health);
                    trial.require(
                        health.getVolumeId().equals(placement.id()),
                        "volume_id " + placement.id(),
                        health);
                  }
                }),
        check(
                "storage-health.told",
                "A node tells how the storage behind it is",
                "StorageBackendHealth: status and reason are REQUIRED, reason is a CamelCase"
                    + " string")
            .needs(GET_STORAGE_HEALTH)
            .asks(
                "answer with what is wrong, and with nothing if all is well",
                trial -> {
                  var answer =
                      trial.ok(
                          NODE_GET_STORAGE_HEALTH,
                          NodeGetStorageHealthRequest.getDefaultInstance());
                  for (var each : answer.getBackendHealthList())
                    entry(trial, each.getStatus(), each.getReason());
                }));
  }

  private static ControllerGetVolumeHealthRequest asked(String id) {
    return ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(id).build();
  }

  private static NodeGetVolumeHealthRequest onNode(String id, String path) {
    return NodeGetVolumeHealthRequest.newBuilder()
        .setVolumeId(id)
        .setVolumePublishPath(path)
        .build();
  }

  private static void sound(Trial trial, VolumeHealth health) {
    for (var each : health.getHealthStatusesList())
      entry(trial, each.getStatus(), each.getReason());
    var different =
        health.getHealthStatusesList().stream()
            .map(it -> it.getStatusValue() + it.getReason())
            .distinct()
            .count();
    trial.require(
        different == health.getHealthStatusesCount(), "each status and reason once", health);
  }

  private static void entry(Trial trial, ProtocolMessageEnum status, String reason) {
    trial.require(Wire.isKnown(status), "a status that CSI defines", status);
    trial.require(reason.matches("[A-Z][A-Za-z0-9]*"), "a reason in CamelCase", reason);
  }

  private Healths() {}
}
