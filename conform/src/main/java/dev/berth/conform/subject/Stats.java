package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.GET_VOLUME_STATS;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.NODE_VOLUME_CONDITION;
import static dev.berth.conform.trial.Rpcs.NODE_GET_VOLUME_STATS;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Placement;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsResponse;
import dev.berth.csi.v1.VolumeUsage;
import java.io.IOException;
import java.util.List;

/// How full volumes are, and how they are.
final class Stats {
  private static final String SOME_PATH = "some/path";
  private static final String MISSING =
      "Error Scheme: a missing required field is INVALID_ARGUMENT; NodeGetVolumeStats: ";
  private static final String ERRORS = "NodeGetVolumeStats Errors: ";

  static List<Check> checks() {
    return List.of(
        check(
                "stats.no-volume",
                "Stats of no volume are refused",
                MISSING + "volume_id is REQUIRED")
            .covers("SAN-97")
            .needs(GET_VOLUME_STATS)
            .refuses(INVALID_ARGUMENT, NODE_GET_VOLUME_STATS, _ -> asked("", SOME_PATH)),
        check("stats.no-path", "Stats at no path are refused", MISSING + "volume_path is REQUIRED")
            .covers("SAN-98")
            .needs(GET_VOLUME_STATS)
            .refuses(INVALID_ARGUMENT, NODE_GET_VOLUME_STATS, _ -> asked(Requests.UNKNOWN_ID, "")),
        check(
                "stats.unknown",
                "Stats of a volume that does not exist are NOT_FOUND",
                ERRORS + "NOT_FOUND, if the volume does not exist at volume_path")
            .covers("SAN-99")
            .needs(GET_VOLUME_STATS)
            .refuses(NOT_FOUND, NODE_GET_VOLUME_STATS, _ -> asked(Requests.UNKNOWN_ID, SOME_PATH)),
        check(
                "stats.wrong-path",
                "Stats of a published volume at another path are NOT_FOUND",
                ERRORS + "NOT_FOUND, if the volume does not exist at volume_path")
            .covers("SAN-100")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, GET_VOLUME_STATS)
            .asks(
                "look whether the volume is at the path, which may be any path of the machine",
                trial -> {
                  var placement = trial.published();
                  trial.refused(NODE_GET_VOLUME_STATS, asked(placement.id(), SOME_PATH), NOT_FOUND);
                  trial.refused(
                      NODE_GET_VOLUME_STATS,
                      asked(placement.id(), trial.freshStaging().toString()),
                      NOT_FOUND);
                }),
        check(
                "stats.told",
                "Stats tell the bytes of the volume, and no negative number",
                "NodeGetVolumeStats: usage tells available, total and used, which MUST NOT be"
                    + " negative, in BYTES or INODES")
            .covers("SAN-105")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, GET_VOLUME_STATS)
            .asks("tell the numbers of this volume, not of the disk that it lies on", Stats::told),
        check(
                "stats.condition",
                "Stats say how the volume is",
                "NodeGetVolumeStats: volume_condition MUST be specified with VOLUME_CONDITION;"
                    + " abnormal and message are REQUIRED")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE, NODE_VOLUME_CONDITION)
            .asks(
                "set the condition with a message, also of volumes that are well",
                trial -> {
                  var answer = of(trial, trial.published());
                  trial.require(
                      answer.hasVolumeCondition()
                          && !answer.getVolumeCondition().getMessage().isEmpty(),
                      "volume_condition with a message",
                      answer);
                }));
  }

  private static NodeGetVolumeStatsRequest asked(String id, String path) {
    return NodeGetVolumeStatsRequest.newBuilder().setVolumeId(id).setVolumePath(path).build();
  }

  private static NodeGetVolumeStatsResponse of(Trial trial, Placement placement) {
    return trial.ok(NODE_GET_VOLUME_STATS, asked(placement.id(), placement.target().toString()));
  }

  private static void told(Trial trial) throws IOException {
    var placement = trial.published();
    var usages = of(trial, placement).getUsageList();
    for (var usage : usages) {
      trial.require(
          usage.getAvailable() >= 0 && usage.getTotal() >= 0 && usage.getUsed() >= 0,
          "no negative number",
          usage);
      trial.require(Wire.isKnown(usage.getUnit()), "BYTES or INODES", usage);
    }
    var bytes = usages.stream().filter(it -> it.getUnit() == VolumeUsage.Unit.BYTES).toList();
    trial.require(bytes.size() == 1, "one usage in BYTES", usages);
    var size = Contents.size(trial, placement);
    var total = bytes.getFirst().getTotal();
    // Some count what the file system keeps for itself, others do not.
    trial.require(
        total > size / 2 && total < size * 2,
        "a total near the %d bytes that its user sees".formatted(size),
        total);
  }

  private Stats() {}
}
