package dev.berth.sidecar.provisioner;

import dev.berth.csi.v1.CapacityRange;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.GetCapacityRequest;
import dev.berth.csi.v1.Topology;
import dev.berth.csi.v1.TopologyRequirement;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.VolumeMode;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.intent.Intent;
import dev.berth.sidecar.provisioner.topology.Segment;
import dev.berth.sidecar.provisioner.topology.Segments;
import dev.berth.sidecar.secret.ClassKeys;
import dev.berth.sidecar.secret.SecretParameters.Resolved;
import dev.berth.volume.request.Capabilities;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// All that is needed to create one volume and to describe it afterwards, but the Secrets' content.
///
/// @param seen the claim for which it is created
/// @param fsType empty: the driver chooses, or the volume is a block device
/// @param parameters for the driver
/// @param capabilities one for each access mode of the claim, in its order (PROV-32)
/// @param secrets that the class names for this volume
/// @param readOnly whether it is attached read-only
record VolumePlan(
    Seen<Claim> seen,
    Intent intent,
    String fsType,
    Map<String, String> parameters,
    List<VolumeCapability> capabilities,
    Resolved secrets,
    boolean readOnly) {
  VolumePlan {
    parameters = Map.copyOf(parameters);
    capabilities = List.copyOf(capabilities);
  }

  /// The plan for a claim that nothing hinders (see [Hindrances]).
  static VolumePlan of(
      Claim claim,
      Intent intent,
      Resolved secrets,
      DriverFacts driver,
      ProvisionerOptions options) {
    var parameters = ClassParameters.of(intent.recipe().parameters());
    boolean block = claim.volumeMode() == VolumeMode.BLOCK;
    var named = parameters.fsType().isEmpty() ? options.defaultFsType() : parameters.fsType();
    var fsType = block ? "" : named;
    return new VolumePlan(
        new Seen<>(claim),
        intent,
        fsType,
        options.extraCreateMetadata()
            ? withNames(parameters.forDriver(), claim, intent.volume())
            : parameters.forDriver(),
        Capabilities.ofEach(claim, fsType, intent.recipe().mountOptions(), driver.writers()),
        secrets,
        options.readOnlyPublish()
            && claim.accessModes().equals(List.of(AccessMode.READ_ONLY_MANY))); // PROV-103
  }

  Claim claim() {
    return seen.object();
  }

  /// The same plan with an intent in which more has been looked up.
  VolumePlan with(Intent fuller) {
    return new VolumePlan(seen, fuller, fsType, parameters, capabilities, secrets, readOnly);
  }

  /// PROV-36.
  private static Map<String, String> withNames(
      Map<String, String> parameters, Claim claim, String volume) {
    var more = new TreeMap<>(parameters);
    more.put(ClassKeys.PREFIX + "pvc/name", claim.meta().name());
    more.put(ClassKeys.PREFIX + "pvc/namespace", claim.meta().namespace());
    more.put(ClassKeys.PREFIX + "pv/name", volume);
    return more;
  }

  /// CreateVolume's request (spec/provisioner.md, section 4).
  ///
  /// @param secretTexts content of the provisioner's Secret
  CreateVolumeRequest request(Map<String, String> secretTexts) {
    var request =
        CreateVolumeRequest.newBuilder()
            .setName(intent.volume())
            .setCapacityRange(
                CapacityRange.newBuilder().setRequiredBytes(claim().request().toLong()))
            .addAllVolumeCapabilities(capabilities)
            .putAllParameters(parameters)
            .putAllSecrets(secretTexts);
    intent.segments().ifPresent(segments -> request.setAccessibilityRequirements(told(segments)));
    intent.source().ifPresent(source -> request.setVolumeContentSource(source.told()));
    intent.attributes().ifPresent(it -> request.putAllMutableParams(it.parameters()));
    return request.build();
  }

  /// What the driver is asked for its room where the volume is to be.
  GetCapacityRequest room() {
    var request =
        GetCapacityRequest.newBuilder()
            .addAllVolumeCapabilities(capabilities)
            .putAllParameters(parameters);
    intent
        .segments()
        .ifPresent(segments ->
            request.setAccessibleTopology(topologies(segments.requisite().stream()).getFirst()));
    return request.build();
  }

  private static TopologyRequirement told(Segments segments) {
    return TopologyRequirement.newBuilder()
        .addAllRequisite(topologies(segments.requisite().stream()))
        .addAllPreferred(topologies(segments.preferred().stream()))
        .build();
  }

  private static List<Topology> topologies(Stream<Segment> segments) {
    return segments
        .map(segment -> Topology.newBuilder().putAllSegments(segment.pairs()).build())
        .toList();
  }
}
