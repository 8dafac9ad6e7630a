package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.NODE_SERVICE;
import static dev.berth.conform.trial.Ability.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_PUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.CREATE_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_PUBLISH_VOLUME;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;

import com.google.protobuf.UnknownFieldSet;
import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.berth.csi.v1.VolumeCapability;
import java.util.List;

/// Sizes of what is sent, in both directions, and what is not quite as it should be.
final class Limits {
  private static final String SIZES = "Size Limits: a string has at most 128 bytes, a map 4 KiB; ";
  private static final String BANNED =
      "CreateVolume, name: any Unicode string within the limit but for control characters; ";
  private static final int LONG_PATH = 128;
  private static final int UNKNOWN_FIELD = 9999;
  private static final int UNKNOWN_MODE = 99;

  static List<Check> checks() {
    return List.of(
        check(
                "limit.longest-name",
                "A volume's name of 128 bytes is accepted, twice",
                SIZES + "both sides have to take that much")
            .covers("SAN-16")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "shorten the name for the storage yourself, such as by a hash; keep it whole"
                    + " to compare with",
                trial -> {
                  var name = trial.requests().name(Wire.LONGEST_TEXT);
                  var first = trial.volume(trial.requests().volume().setName(name));
                  var second = trial.volume(trial.requests().volume().setName(name));
                  trial.require(
                      first.getVolumeId().equals(second.getVolumeId()), "one volume", second);
                }),
        check(
                "limit.longest-snapshot-name",
                "A snapshot's name of 128 bytes is accepted, twice",
                SIZES + "both sides have to take that much")
            .covers("SAN-67")
            .needs(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT)
            .asks("shorten the name for the storage yourself, such as by a hash", Limits::snapshot),
        check(
                "limit.distinct-long-names",
                "Two long names that differ at their end are two volumes",
                SIZES + "CreateVolume: the name is the key of idempotence, all of it")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "do not cut names off: take a hash of the whole",
                trial -> {
                  var name = trial.requests().name(Wire.LONGEST_TEXT - 1);
                  var one = trial.volume(trial.requests().volume().setName(name + "1"));
                  var two = trial.volume(trial.requests().volume().setName(name + "2"));
                  trial.require(!one.getVolumeId().equals(two.getVolumeId()), "two volumes", one);
                }),
        check("limit.name-too-long", "A name of 129 bytes is refused", SIZES + "INVALID_ARGUMENT")
            .needs(CREATE_DELETE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME,
                trial ->
                    trial
                        .requests()
                        .volume()
                        .setName(trial.requests().name(Wire.LONGEST_TEXT + 1))
                        .build()),
        check(
                "limit.any-name",
                "A name may hold slashes, dots, spaces and letters of any script",
                BANNED + "so names are no file names")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "encode the name before it becomes part of a path, a command or a query",
                trial -> {
                  var name = "../../" + trial.requests().name() + " $(x) 'ü—名";
                  var first = trial.volume(trial.requests().volume().setName(name));
                  var second = trial.volume(trial.requests().volume().setName(name));
                  trial.require(
                      first.getVolumeId().equals(second.getVolumeId()), "one volume", second);
                }),
        check(
                "limit.control-characters",
                "A name with control characters is refused",
                BANNED + "INVALID_ARGUMENT")
            .needs(CREATE_DELETE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME,
                trial ->
                    trial.requests().volume().setName(trial.requests().name() + "\u0007").build()),
        check(
                "limit.map-too-large",
                "Parameters of more than 4 KiB are refused",
                SIZES + "INVALID_ARGUMENT")
            .needs(CREATE_DELETE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME,
                trial -> {
                  var request = trial.requests().volume();
                  for (int i = 0; i < 50; i++)
                    request.putParameters(Requests.PREFIX + "filler-" + i, "x".repeat(100));
                  return request.build();
                }),
        check(
                "limit.volume-answer",
                "Ids and contexts that the driver gives stay within the limits",
                SIZES + "these limits apply to what plugins send")
            .needs(CREATE_DELETE_VOLUME)
            .asks("give shorter ids, and less context", Limits::answers),
        check(
                "limit.publish-answer",
                "The publish context stays within the limits",
                SIZES + "these limits apply to what plugins send")
            .needs(CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME, NODE_SERVICE)
            .asks(
                "give less context",
                trial -> {
                  var context =
                      trial
                          .ok(
                              CONTROLLER_PUBLISH_VOLUME,
                              trial.requests().publication(trial.volume()).build())
                          .getPublishContextMap();
                  trial.require(Wire.fits(context), "a map of at most 4 KiB", context);
                }),
        check(
                "limit.long-path",
                "A target path of 128 bytes is accepted",
                "NodePublishVolume, target_path: at a minimum, the SP MUST accept paths of 128"
                    + " bytes")
            .needs(CREATE_DELETE_VOLUME, NODE_SERVICE)
            .asks(
                "use paths as they are, not as names of sockets or devices",
                trial -> {
                  var request = trial.staged().publishRequest();
                  var target = trial.freshTarget(LONG_PATH);
                  trial.ok(NODE_PUBLISH_VOLUME, request.setTargetPath(target.toString()).build());
                }),
        check(
                "limit.strange-id",
                "An id that looks like a path is an unknown id",
                "DeleteVolume: OK, if the volume does not exist; ValidateVolumeCapabilities:"
                    + " NOT_FOUND; ids are opaque and lead nowhere")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "look ids up in what you have, and never make a path of one that is not there",
                Limits::strangeId),
        check(
                "limit.unknown-field",
                "A field from a later version of the protocol is ignored",
                "Protocol: proto3, which skips fields that a program does not know, so that newer"
                    + " callers work")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "do not refuse fields that your protocol does not have",
                trial ->
                    trial.volume(
                        trial
                            .requests()
                            .volume()
                            .setUnknownFields(
                                UnknownFieldSet.newBuilder()
                                    .addField(
                                        UNKNOWN_FIELD,
                                        UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                                    .build()))),
        check(
                "limit.unknown-mode",
                "An access mode from a later version of the protocol is refused",
                "Error Scheme: an unsupported field is INVALID_ARGUMENT; VolumeCapability: all"
                    + " capabilities must hold, so an unknown one cannot be promised")
            .needs(CREATE_DELETE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME,
                trial -> {
                  var request = trial.requests().volume().clearVolumeCapabilities();
                  var use = VolumeCapability.newBuilder(trial.requests().use());
                  use.getAccessModeBuilder().setModeValue(UNKNOWN_MODE);
                  return request.addVolumeCapabilities(use).build();
                }));
  }

  private static void snapshot(Trial trial) {
    var request =
        trial
            .requests()
            .snapshot(trial.volume().getVolumeId())
            .setName(trial.requests().name(Wire.LONGEST_TEXT))
            .build();
    var first = trial.ok(CREATE_SNAPSHOT, request).getSnapshot();
    var second = trial.ok(CREATE_SNAPSHOT, request).getSnapshot();
    trial.require(first.getSnapshotId().equals(second.getSnapshotId()), "one snapshot", second);
  }

  private static void answers(Trial trial) {
    var volume = trial.volume();
    trial.require(
        Wire.fits(volume.getVolumeId()), "a volume_id of at most 128 bytes", volume.getVolumeId());
    trial.require(
        Wire.fits(volume.getVolumeContextMap()),
        "a volume_context of at most 4 KiB",
        volume.getVolumeContextMap());
    if (!trial.advertised().has(CREATE_DELETE_SNAPSHOT)) return;
    var snapshot = trial.snapshot(volume).getSnapshotId();
    trial.require(Wire.fits(snapshot), "a snapshot_id of at most 128 bytes", snapshot);
  }

  private static void strangeId(Trial trial) {
    for (var id : List.of("../../etc/passwd", "/etc", "x".repeat(300))) {
      trial.refused(DELETE_VOLUME, Volumes.deletion(id), OK, INVALID_ARGUMENT);
      trial.refused(
          Rpcs.VALIDATE_VOLUME_CAPABILITIES,
          ValidateVolumeCapabilitiesRequest.newBuilder()
              .setVolumeId(id)
              .addVolumeCapabilities(trial.requests().use())
              .build(),
          NOT_FOUND,
          INVALID_ARGUMENT);
    }
  }

  private Limits() {}
}
