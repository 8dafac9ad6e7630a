package dev.berth.driver.serve;

import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.ControllerExpandVolumeResponse;
import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.csi.v1.ControllerModifyVolumeResponse;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeResponse;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesRequest;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesResponse;
import dev.berth.driver.model.Publication;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.Wire;
import dev.berth.driver.serve.InFlight.Kind;
import dev.berth.driver.spi.Expansion;
import dev.berth.driver.spi.Expansion.Expanded.NodeStep;
import dev.berth.driver.spi.Modification;
import dev.berth.driver.spi.Publishing;
import dev.berth.driver.spi.SecretKeys.Call;
import dev.berth.driver.spi.Volumes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// What happens to a volume that exists.
record VolumeCalls(Parts parts, UsageSupport usages, InFlight inFlight) {

  /// CTL-02, CTL-14.
  DeleteVolumeResponse delete(DeleteVolumeRequest request) throws IOException {
    var volumes = parts.require(Volumes.class);
    var id = request.getVolumeId();
    Fields.present("volume_id", id);
    try (var _ = inFlight.hold("DeleteVolume", Kind.VOLUME, id)) {
      var volume = parts.existing().volume(id);
      if (volume.isEmpty()) return DeleteVolumeResponse.getDefaultInstance();
      var secrets = parts.secrets(Call.DELETE_VOLUME, request.getSecretsMap());
      checkUnpublished(volume.get(), "delete it");
      volumes.delete(volume.get(), secrets);
    }
    return DeleteVolumeResponse.getDefaultInstance();
  }

  /// CTL-11, CTL-22.
  ControllerExpandVolumeResponse expand(ControllerExpandVolumeRequest request) throws IOException {
    var expansion = parts.require(Expansion.class);
    var id = request.getVolumeId();
    Fields.present("volume_id", id);
    Fields.present("capacity_range", request.hasCapacityRange());
    var size = Wire.size(request.getCapacityRange());
    if (size.equals(SizeRange.ANY)) throw Refusal.invalid("capacity_range is empty");
    var usage = usage(request);
    var secrets = parts.secrets(Call.EXPAND_VOLUME, request.getSecretsMap());
    try (var _ = inFlight.hold("ControllerExpandVolume", Kind.VOLUME, id)) {
      var volume = parts.existing().requireVolume(id);
      Fields.noObjection(usage.flatMap(it -> kindObjection(volume, it)), Refusal::invalid);
      if (size.limit().orElse(Long.MAX_VALUE) < volume.capacityBytes())
        throw Refusal.outOfRange(
            "volume %s has %d bytes already, it cannot shrink to %s"
                .formatted(id, volume.capacityBytes(), size));
      if (expansion.when() == Expansion.When.OFFLINE && size.required() > volume.capacityBytes())
        checkUnpublished(volume, "expand it");
      var expanded = expansion.expand(volume, size, usage, secrets);
      Outgoing.size(expanded.capacityBytes(), size);
      return ControllerExpandVolumeResponse.newBuilder()
          .setCapacityBytes(expanded.capacityBytes())
          .setNodeExpansionRequired(expanded.node() == NodeStep.REQUIRED)
          .build();
    }
  }

  private Optional<Usage> usage(ControllerExpandVolumeRequest request) {
    if (!request.hasVolumeCapability()) return Optional.empty();
    var usage = Fields.usage(request.getVolumeCapability());
    Fields.noObjection(usages.objection(usage), Refusal::invalid);
    return Optional.of(usage);
  }

  /// CTL-08. Existence goes before presence of the parameters: csi-sanity asks so (SAN-34).
  ControllerModifyVolumeResponse modify(ControllerModifyVolumeRequest request) throws IOException {
    var modification = parts.require(Modification.class);
    var id = request.getVolumeId();
    var parameters = request.getMutableParametersMap();
    Fields.present("volume_id", id);
    Fields.map("mutable_parameters", parameters);
    modification.check(parameters);
    var secrets = parts.secrets(Call.MODIFY_VOLUME, request.getSecretsMap());
    try (var _ = inFlight.hold("ControllerModifyVolume", Kind.VOLUME, id)) {
      var volume = parts.existing().requireVolume(id);
      Fields.present("mutable_parameters", parameters.keySet());
      modification.modify(volume, parameters, secrets);
    }
    return ControllerModifyVolumeResponse.getDefaultInstance();
  }

  /// CTL-05, CTL-18: only what was looked at is confirmed.
  ValidateVolumeCapabilitiesResponse validate(ValidateVolumeCapabilitiesRequest request)
      throws IOException {
    parts.require(Volumes.class);
    var id = request.getVolumeId();
    Fields.present("volume_id", id);
    Fields.present("volume_capabilities", request.getVolumeCapabilitiesList());
    var asked = Fields.usages(request.getVolumeCapabilitiesList());
    var volume = parts.existing().requireVolume(id);

    var objection = objection(volume, asked).or(() -> objection(volume, request));
    if (objection.isPresent())
      return ValidateVolumeCapabilitiesResponse.newBuilder().setMessage(objection.get()).build();
    var confirmed =
        ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
            .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
            .putAllVolumeContext(request.getVolumeContextMap())
            .putAllParameters(request.getParametersMap())
            .putAllMutableParams(request.getMutableParamsMap());
    return ValidateVolumeCapabilitiesResponse.newBuilder().setConfirmed(confirmed).build();
  }

  private Optional<String> objection(Volume volume, List<Usage> asked) {
    return asked.stream().flatMap(usage -> objection(volume, usage).stream()).findFirst();
  }

  private Optional<String> objection(Volume volume, Usage usage) {
    return usages.objection(usage).or(() -> kindObjection(volume, usage));
  }

  /// A volume made for blocks has no file system to mount, and the other way round.
  static Optional<String> kindObjection(Volume volume, Usage usage) {
    if (volume.recipe().block() == usage.block()) return Optional.empty();
    return Optional.of(
        "volume %s was made as a %s volume"
            .formatted(volume.id(), volume.recipe().block() ? "block" : "mount"));
  }

  private static Optional<String> objection(
      Volume volume, ValidateVolumeCapabilitiesRequest request) {
    if (!request.getVolumeContextMap().isEmpty()
        && !volume.context().equals(Wire.withoutKubernetes(request.getVolumeContextMap())))
      return Optional.of("volume_context is not that of the volume");
    if (!request.getParametersMap().isEmpty()
        && !volume.recipe().parameters().equals(Wire.withoutKubernetes(request.getParametersMap())))
      return Optional.of("parameters are not those that the volume was made with");
    if (!request.getMutableParamsMap().isEmpty()
        && !volume.recipe().mutableParameters().equals(request.getMutableParamsMap()))
      return Optional.of("mutable_parameters are not those of the volume");
    return Optional.empty();
  }

  private void checkUnpublished(Volume volume, String verb) throws IOException {
    var publishing = parts.find(Publishing.class);
    if (publishing.isEmpty()) return;
    var nodes = publishing.get().publications(volume).stream().map(Publication::nodeId).toList();
    if (!nodes.isEmpty())
      throw Refusal.wrongState(
          "volume %s is published on %s; unpublish it there, then %s"
              .formatted(volume.id(), String.join(", ", nodes), verb));
  }
}
