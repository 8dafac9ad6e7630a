package dev.berth.driver.model;

import com.google.protobuf.TextFormat;
import com.google.protobuf.Timestamp;
import dev.berth.csi.v1.CapacityRange;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import dev.berth.csi.v1.StorageHealthErrorType;
import dev.berth.csi.v1.TopologyRequirement;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCondition;
import dev.berth.csi.v1.VolumeContentSource;
import dev.berth.csi.v1.VolumeGroupSnapshot;
import dev.berth.csi.v1.VolumeHealth;
import dev.berth.csi.v1.VolumeHealthErrorType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// Our values and CSI's messages, each from the other. What does not make sense as a value is an
/// INVALID refusal that names the field.
public final class Wire {
  /// Kubernetes puts facts of its own into `parameters`, which are no wish of the user (CTX-04).
  public static final String KUBERNETES = "csi.storage.k8s.io/";

  public static VolumeRecipe recipe(CreateVolumeRequest request) {
    return new VolumeRecipe(
        request.getName(),
        size(request.getCapacityRange()),
        usages(request.getVolumeCapabilitiesList()),
        withoutKubernetes(request.getParametersMap()),
        request.getMutableParamsMap(),
        request.hasVolumeContentSource()
            ? Optional.of(source(request.getVolumeContentSource()))
            : Optional.empty(),
        placement(request.getAccessibilityRequirements()));
  }

  public static CreateVolumeRequest message(VolumeRecipe recipe) {
    var message =
        CreateVolumeRequest.newBuilder()
            .setName(recipe.name())
            .setCapacityRange(message(recipe.size()))
            .putAllParameters(recipe.parameters())
            .putAllMutableParams(recipe.mutableParameters());
    recipe.usages().forEach(usage -> message.addVolumeCapabilities(message(usage)));
    recipe.source().ifPresent(source -> message.setVolumeContentSource(message(source)));
    if (!recipe.placement().equals(Placement.ANYWHERE)) {
      var requirement = TopologyRequirement.newBuilder();
      recipe.placement().requisite().forEach(place -> requirement.addRequisite(message(place)));
      recipe.placement().preferred().forEach(place -> requirement.addPreferred(message(place)));
      message.setAccessibilityRequirements(requirement);
    }
    return message.build();
  }

  static String text(VolumeRecipe recipe) {
    return TextFormat.printer().emittingSingleLine(true).printToString(message(recipe));
  }

  static VolumeRecipe recipe(String text) {
    try {
      return recipe(TextFormat.parse(text, CreateVolumeRequest.class));
    } catch (TextFormat.ParseException | Refusal wrong) {
      throw new IllegalArgumentException("not a recipe: " + wrong.getMessage(), wrong);
    }
  }

  public static SizeRange size(CapacityRange range) {
    try {
      return new SizeRange(
          range.getRequiredBytes(),
          range.getLimitBytes() == 0
              ? OptionalLong.empty()
              : OptionalLong.of(range.getLimitBytes()));
    } catch (IllegalArgumentException wrong) {
      throw Refusal.invalid("capacity_range: " + wrong.getMessage());
    }
  }

  public static CapacityRange message(SizeRange size) {
    return CapacityRange.newBuilder()
        .setRequiredBytes(size.required())
        .setLimitBytes(size.limit().orElse(0))
        .build();
  }

  /// Each usage once.
  public static List<Usage> usages(List<VolumeCapability> capabilities) {
    return capabilities.stream().map(Wire::usage).distinct().toList();
  }

  public static Usage usage(VolumeCapability capability) {
    var access =
        switch (capability.getAccessTypeCase()) {
          case BLOCK -> new Access.Block();
          case MOUNT ->
              new Access.Mount(
                  capability.getMount().getFsType(),
                  capability.getMount().getMountFlagsList(),
                  capability.getMount().getVolumeMountGroup());
          case ACCESSTYPE_NOT_SET ->
              throw Refusal.invalid("volume_capability has neither block nor mount");
        };
    return new Usage(access, mode(capability.getAccessMode().getMode()));
  }

  public static VolumeCapability message(Usage usage) {
    var message = VolumeCapability.newBuilder();
    switch (usage.access()) {
      case Access.Block _ -> message.setBlock(VolumeCapability.BlockVolume.getDefaultInstance());
      case Access.Mount(var type, var flags, var group) ->
          message.setMount(
              VolumeCapability.MountVolume.newBuilder()
                  .setFsType(type)
                  .addAllMountFlags(flags)
                  .setVolumeMountGroup(group));
    }
    message
        .getAccessModeBuilder()
        .setMode(VolumeCapability.AccessMode.Mode.valueOf(usage.mode().name()));
    return message.build();
  }

  private static AccessMode mode(VolumeCapability.AccessMode.Mode mode) {
    return switch (mode) {
      case UNKNOWN, UNRECOGNIZED ->
          throw Refusal.invalid("volume_capability has no access_mode that we know");
      default -> AccessMode.valueOf(mode.name());
    };
  }

  private static Source source(VolumeContentSource source) {
    return switch (source.getTypeCase()) {
      case SNAPSHOT -> new Source.OfSnapshot(source.getSnapshot().getSnapshotId());
      case VOLUME -> new Source.OfVolume(source.getVolume().getVolumeId());
      case TYPE_NOT_SET ->
          throw Refusal.invalid("volume_content_source has neither snapshot nor volume");
    };
  }

  public static VolumeContentSource message(Source source) {
    var message = VolumeContentSource.newBuilder();
    switch (source) {
      case Source.OfSnapshot(var id) -> message.getSnapshotBuilder().setSnapshotId(id);
      case Source.OfVolume(var id) -> message.getVolumeBuilder().setVolumeId(id);
    }
    return message.build();
  }

  private static Placement placement(TopologyRequirement requirement) {
    return new Placement(
        requirement.getRequisiteList().stream().map(Wire::topology).toList(),
        requirement.getPreferredList().stream().map(Wire::topology).toList());
  }

  public static Topology topology(dev.berth.csi.v1.Topology topology) {
    return new Topology(topology.getSegmentsMap());
  }

  public static dev.berth.csi.v1.Topology message(Topology topology) {
    return dev.berth.csi.v1.Topology.newBuilder().putAllSegments(topology.segments()).build();
  }

  public static dev.berth.csi.v1.Volume message(Volume volume) {
    var message =
        dev.berth.csi.v1.Volume.newBuilder()
            .setVolumeId(volume.id())
            .setCapacityBytes(volume.capacityBytes())
            .putAllVolumeContext(volume.context());
    volume.recipe().source().ifPresent(source -> message.setContentSource(message(source)));
    volume.reachableFrom().forEach(place -> message.addAccessibleTopology(message(place)));
    return message.build();
  }

  public static VolumeCondition message(Condition condition) {
    return VolumeCondition.newBuilder()
        .setAbnormal(condition.abnormal())
        .setMessage(condition.message())
        .build();
  }

  public static VolumeHealth health(String volumeId, Condition condition) {
    var message = VolumeHealth.newBuilder().setVolumeId(volumeId);
    for (var ailment : condition.ailments())
      message
          .addHealthStatusesBuilder()
          .setStatus(VolumeHealthErrorType.valueOf(ailment.kind().name()))
          .setReason(ailment.reason())
          .setMessage(ailment.message());
    return message.build();
  }

  public static StorageBackendHealth message(BackendAilment ailment) {
    var message =
        StorageBackendHealth.newBuilder()
            .setStatus(
                ailment.ailment().kind() == Ailment.Kind.DEGRADED
                    ? StorageHealthErrorType.STORAGE_DEGRADED
                    : StorageHealthErrorType.STORAGE_UNREACHABLE)
            .setReason(ailment.ailment().reason())
            .setMessage(ailment.ailment().message());
    ailment.usage().map(Wire::message).ifPresent(message::setVolumeCapability);
    return message.build();
  }

  public static dev.berth.csi.v1.Snapshot message(Snapshot snapshot) {
    return dev.berth.csi.v1.Snapshot.newBuilder()
        .setSnapshotId(snapshot.id())
        .setSourceVolumeId(snapshot.sourceVolumeId())
        .setSizeBytes(snapshot.sizeBytes())
        .setCreationTime(message(snapshot.cut()))
        .setReadyToUse(snapshot.ready())
        .setGroupSnapshotId(snapshot.groupId().orElse(""))
        .build();
  }

  public static VolumeGroupSnapshot message(GroupSnapshot group) {
    var message =
        VolumeGroupSnapshot.newBuilder()
            .setGroupSnapshotId(group.id())
            .setCreationTime(message(group.cut()))
            .setReadyToUse(group.ready());
    group.members().forEach(member -> message.addSnapshots(message(member)));
    return message.build();
  }

  private static Timestamp message(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }

  /// What the user wished, without what Kubernetes adds.
  public static Map<String, String> withoutKubernetes(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .filter(entry -> !entry.getKey().startsWith(KUBERNETES))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private Wire() {}
}
