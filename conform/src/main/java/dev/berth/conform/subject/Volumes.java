package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME;
import static io.grpc.Status.Code.ALREADY_EXISTS;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.OUT_OF_RANGE;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Access;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.CapacityRange;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;

/// Making volumes and deleting them.
final class Volumes {
  private static final String CREATE_ERRORS = "CreateVolume Errors: ";
  private static final String MISSING =
      "Error Scheme: a missing required field is INVALID_ARGUMENT; ";
  private static final String INVALID = "Error Scheme: an invalid field is INVALID_ARGUMENT; ";

  static List<Check> checks() {
    return List.of(
        check(
                "volume.no-name",
                "A volume without a name is refused",
                MISSING + "CreateVolume: name is REQUIRED")
            .covers("SAN-10")
            .needs(CREATE_DELETE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME,
                trial -> trial.requests().volume().clearName().build()),
        check(
                "volume.no-capabilities",
                "A volume without capabilities is refused",
                MISSING + "CreateVolume: volume_capabilities is REQUIRED, at least one")
            .covers("SAN-11")
            .needs(CREATE_DELETE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME,
                trial -> trial.requests().volume().clearVolumeCapabilities().build()),
        check(
                "volume.no-access-type",
                "A capability that is neither block nor mount is refused",
                INVALID + "VolumeCapability: one of the access types MUST be specified")
            .needs(CREATE_DELETE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME,
                trial -> {
                  var request = trial.requests().volume();
                  request.getVolumeCapabilitiesBuilder(0).clearAccessType();
                  return request.build();
                }),
        check(
                "volume.no-access-mode",
                "A capability without an access mode is refused",
                INVALID + "VolumeCapability: access_mode is REQUIRED")
            .needs(CREATE_DELETE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME,
                trial -> {
                  var request = trial.requests().volume();
                  request.getVolumeCapabilitiesBuilder(0).clearAccessMode();
                  return request.build();
                }),
        check(
                "volume.negative-size",
                "A negative size is refused",
                INVALID + "CapacityRange: required_bytes MUST NOT be negative")
            .needs(CREATE_DELETE_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CREATE_VOLUME,
                trial -> trial.requests().volume().setCapacityRange(range(-1, 0)).build()),
        check(
                "volume.contradictory-size",
                "A limit below the required size is refused",
                "CapacityRange: a volume is at least required_bytes and at most limit_bytes, so no"
                    + " volume can be so; INVALID_ARGUMENT or OUT_OF_RANGE")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "compare required_bytes with limit_bytes before anything is made",
                trial -> {
                  var size = trial.settings().shape().size();
                  trial.refused(
                      CREATE_VOLUME,
                      trial.requests().volume().setCapacityRange(range(size, size / 2)).build(),
                      INVALID_ARGUMENT,
                      OUT_OF_RANGE);
                }),
        check(
                "volume.created",
                "A volume is made, has an id and is as large as asked for",
                "CreateVolume: volume_id is REQUIRED in the answer; CapacityRange: the volume MUST"
                    + " be at least required_bytes")
            .covers("SAN-12", "SAN-13")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "answer with the id, and with the size that the volume has; round up, never down",
                Volumes::created),
        check(
                "volume.limit-kept",
                "A volume is not larger than its limit",
                "CapacityRange: the volume MUST NOT be bigger than limit_bytes")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "choose a size within the range, or answer OUT_OF_RANGE if rounding leaves none",
                Volumes::limitKept),
        check(
                "volume.too-large",
                "A volume larger than any storage is refused",
                CREATE_ERRORS
                    + "OUT_OF_RANGE, if the capacity range is not allowed; RESOURCE_EXHAUSTED, if"
                    + " there is no room")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "compare the size with what there is before the volume is made",
                trial ->
                    trial.refused(
                        CREATE_VOLUME,
                        trial.requests().volume().setCapacityRange(range(1L << 62, 0)).build(),
                        OUT_OF_RANGE,
                        RESOURCE_EXHAUSTED)),
        check(
                "volume.distinct",
                "Two names are two volumes",
                "CreateVolume: volume_id uniquely identifies the volume in the plugin")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "give each volume an id of its own",
                trial -> {
                  var one = trial.volume().getVolumeId();
                  var other = trial.volume().getVolumeId();
                  trial.require(!one.equals(other), "two ids", one + " twice");
                }),
        check(
                "volume.again",
                "The same request again gives the same volume and the same answer",
                "CreateVolume: MUST be idempotent; an existing compatible volume is OK with the"
                    + " corresponding answer; volume_context SHALL NOT be mutable")
            .covers("SAN-14")
            .needs(CREATE_DELETE_VOLUME)
            .asks("look the volume up by its name and answer as the first time", Volumes::again),
        check(
                "volume.again-within",
                "The same name with another range that the volume's size lies in is the same"
                    + " volume",
                "CreateVolume: OK, if the existing volume is compatible with capacity_range")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "compare the volume's size with the range, not one request with the other",
                Volumes::againWithin),
        check(
                "volume.again-larger",
                "The same name with another size is refused",
                CREATE_ERRORS + "ALREADY_EXISTS, if the volume is incompatible with capacity_range")
            .covers("SAN-15")
            .needs(CREATE_DELETE_VOLUME)
            .asks("compare the volume's size with the range", Volumes::againLarger),
        check(
                "volume.again-otherwise",
                "The same name for another access type is refused",
                CREATE_ERRORS
                    + "ALREADY_EXISTS, if the volume is incompatible with volume_capabilities")
            .needs(CREATE_DELETE_VOLUME)
            .asks("keep what a volume was made for, and compare with it", Volumes::againOtherwise),
        check(
                "volume.again-parameters",
                "The same name with other parameters is refused",
                CREATE_ERRORS + "ALREADY_EXISTS, if the volume is incompatible with parameters")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "keep the parameters that a volume was made with, and compare with them",
                Volumes::againParameters),
        check(
                "volume.delete-no-id",
                "Deleting without an id is refused",
                MISSING + "DeleteVolume: volume_id is REQUIRED")
            .covers("SAN-23")
            .needs(CREATE_DELETE_VOLUME)
            .refuses(
                INVALID_ARGUMENT, DELETE_VOLUME, _ -> DeleteVolumeRequest.getDefaultInstance()),
        check(
                "volume.delete-unknown",
                "Deleting a volume that does not exist succeeds",
                "DeleteVolume: if the volume does not exist, the plugin MUST reply OK")
            .covers("SAN-24")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "take a volume that is not there for one that was deleted",
                trial -> trial.ok(DELETE_VOLUME, deletion(Requests.UNKNOWN_ID))),
        check(
                "volume.delete-again",
                "A volume is deleted, and deleted again",
                "DeleteVolume: MUST be idempotent")
            .covers("SAN-25")
            .needs(CREATE_DELETE_VOLUME)
            .asks(
                "answer OK if nothing of the volume is left",
                trial -> {
                  var id = trial.volume().getVolumeId();
                  trial.ok(DELETE_VOLUME, deletion(id));
                  trial.ok(DELETE_VOLUME, deletion(id));
                }),
        check(
                "volume.name-free",
                "The name of a deleted volume can be used again, also for another size",
                "DeleteVolume: deprovisions the volume, so nothing is left that CreateVolume could"
                    + " find by the name")
            .needs(CREATE_DELETE_VOLUME)
            .asks("forget the name together with the volume", Volumes::nameFree));
  }

  private static CapacityRange range(long required, long limit) {
    return CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit).build();
  }

  static DeleteVolumeRequest deletion(String id) {
    return DeleteVolumeRequest.newBuilder().setVolumeId(id).build();
  }

  private static void created(Trial trial) {
    var volume = trial.volume();
    trial.require(!volume.getVolumeId().isEmpty(), "a volume_id", "an empty one");
    var capacity = volume.getCapacityBytes();
    trial.require(
        capacity == 0 || capacity >= trial.settings().shape().size(),
        "capacity_bytes of at least the required size, or 0 for unknown",
        capacity);
  }

  private static void limitKept(Trial trial) {
    var limit = trial.settings().shape().size();
    var answer =
        trial.send(
            CREATE_VOLUME, trial.requests().volume().setCapacityRange(range(0, limit)).build());
    if (answer.code() == OUT_OF_RANGE)
      throw new SkipException("the driver makes no volume below %d bytes".formatted(limit));
    var volume = answer.message().map(it -> it.getVolume()).orElse(Volume.getDefaultInstance());
    trial.require(answer.ok(), "OK or OUT_OF_RANGE", answer.code());
    trial.require(
        volume.getCapacityBytes() <= limit,
        "capacity_bytes of at most " + limit,
        volume.getCapacityBytes());
  }

  private static void again(Trial trial) {
    var request = trial.requests().volume();
    var first = trial.volume(request);
    var second = trial.volume(request);
    trial.require(
        first.getVolumeId().equals(second.getVolumeId()),
        "volume_id " + first.getVolumeId(),
        second.getVolumeId());
    trial.require(
        first.getVolumeContextMap().equals(second.getVolumeContextMap())
            && first.getCapacityBytes() == second.getCapacityBytes()
            && first.getContentSource().equals(second.getContentSource())
            && first.getAccessibleTopologyList().equals(second.getAccessibleTopologyList()),
        "the answer of the first time: " + first,
        second);
  }

  private static void againWithin(Trial trial) {
    var request = trial.requests().volume();
    var first = trial.volume(request);
    if (first.getCapacityBytes() == 0) throw new SkipException("the driver knows no capacities");
    var within = range(first.getCapacityBytes() - 1, first.getCapacityBytes() + 1);
    var second = trial.volume(request.setCapacityRange(within));
    trial.require(
        first.getVolumeId().equals(second.getVolumeId()),
        "volume_id " + first.getVolumeId(),
        second.getVolumeId());
  }

  private static void againLarger(Trial trial) {
    var size = trial.settings().shape().size();
    var request = trial.requests().volume().setCapacityRange(range(size, size));
    var capacity = trial.volume(request).getCapacityBytes();
    if (capacity == 0) throw new SkipException("the driver knows no capacities");
    trial.require(capacity == size, "capacity_bytes " + size, capacity);
    trial.refused(
        CREATE_VOLUME, request.setCapacityRange(range(2 * size, 2 * size)).build(), ALREADY_EXISTS);
  }

  private static void againOtherwise(Trial trial) {
    var requests = trial.requests();
    var request = requests.volume();
    trial.volume(request);
    var other = trial.settings().shape().access() == Access.MOUNT ? Access.BLOCK : Access.MOUNT;
    var answer =
        trial.send(
            CREATE_VOLUME,
            request
                .clearVolumeCapabilities()
                .addVolumeCapabilities(requests.use(other, Mode.SINGLE_NODE_WRITER))
                .build());
    if (answer.code() == INVALID_ARGUMENT)
      throw new SkipException("the driver has no volumes of the other access type");
    trial.require(answer.code() == ALREADY_EXISTS, "ALREADY_EXISTS", answer.code());
  }

  private static void againParameters(Trial trial) {
    if (trial.settings().maps().volume().isEmpty())
      throw new SkipException("only with --parameter: without one there is nothing to leave out");
    var request = trial.requests().volume();
    trial.volume(request);
    var answer = trial.send(CREATE_VOLUME, request.clearParameters().build());
    if (answer.code() == INVALID_ARGUMENT)
      throw new SkipException("the driver makes no volume without parameters");
    trial.require(answer.code() == ALREADY_EXISTS, "ALREADY_EXISTS", answer.code());
  }

  private static void nameFree(Trial trial) {
    var request = trial.requests().volume();
    trial.ok(DELETE_VOLUME, deletion(trial.volume(request).getVolumeId()));
    var size = trial.settings().shape().grownSize();
    var volume = trial.volume(request.setCapacityRange(range(size, 0)));
    trial.require(
        volume.getCapacityBytes() == 0 || volume.getCapacityBytes() >= size,
        "capacity_bytes of at least " + size,
        volume.getCapacityBytes());
  }

  private Volumes() {}
}
