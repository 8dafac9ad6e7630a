package dev.berth.driver.serve;

import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Snapshot;
import dev.berth.driver.model.Source;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.VolumeRecipe;
import dev.berth.driver.model.Wire;
import dev.berth.driver.serve.InFlight.Kind;
import dev.berth.driver.spi.Cloning;
import dev.berth.driver.spi.Located;
import dev.berth.driver.spi.Modification;
import dev.berth.driver.spi.SecretKeys.Call;
import dev.berth.driver.spi.Snapshots;
import dev.berth.driver.spi.Volumes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// CreateVolume (CTL-01): checked, made once, and the same again whenever it is asked for again.
record CreateVolume(Parts parts, UsageSupport usages, InFlight inFlight) {
  private static final String OPERATION = "CreateVolume";

  CreateVolumeResponse answer(CreateVolumeRequest request) throws IOException {
    var volumes = parts.require(Volumes.class);
    Fields.name("name", request.getName());
    Fields.present("volume_capabilities", request.getVolumeCapabilitiesList());
    Fields.map("parameters", request.getParametersMap());
    Fields.map("mutable_parameters", request.getMutableParamsMap());
    Fields.usages(request.getVolumeCapabilitiesList());
    var recipe = Wire.recipe(request);
    check(request, recipe);

    var secrets = parts.secrets(Call.CREATE_VOLUME, request.getSecretsMap());
    try (var _ = inFlight.hold(OPERATION, Kind.VOLUME_NAME, recipe.name())) {
      var volume = existing(volumes, recipe);
      if (volume.isPresent()) return answer(volume.get());
      var made = create(volumes, recipe, secrets);
      if (made.capacityBytes() != 0) Outgoing.size(made.capacityBytes(), recipe.size());
      return answer(made);
    }
  }

  private void check(CreateVolumeRequest request, VolumeRecipe recipe) {
    if (recipe.bothKinds())
      throw Refusal.invalid(
          "volume_capabilities has both block and mount: a volume is one of them");
    for (var usage : recipe.usages()) Fields.noObjection(usages.objection(usage), Refusal::invalid);
    if (!recipe.mutableParameters().isEmpty())
      parts
          .find(Modification.class)
          .orElseThrow(() -> Refusal.invalid("mutable_parameters are not supported"))
          .check(recipe.mutableParameters());
    recipe.source().ifPresent(this::checkSource);
    if (request.hasAccessibilityRequirements()) checkPlacement(recipe);
  }

  private void checkSource(Source source) {
    switch (source) {
      case Source.OfSnapshot(var id) -> {
        if (!parts.has(Snapshots.class))
          throw Refusal.invalid("volumes cannot be made from snapshots");
        Fields.present("volume_content_source.snapshot.snapshot_id", id);
      }
      case Source.OfVolume(var id) -> {
        if (!parts.has(Cloning.class)) throw Refusal.invalid("volumes cannot be cloned");
        Fields.present("volume_content_source.volume.volume_id", id);
      }
    }
  }

  private void checkPlacement(VolumeRecipe recipe) {
    if (!parts.has(Located.class))
      throw Refusal.invalid("accessibility_requirements are not supported"); // TOP-04
    var placement = recipe.placement();
    if (placement.requisite().isEmpty() && placement.preferred().isEmpty())
      throw Refusal.invalid("accessibility_requirements are empty");
    Stream.concat(placement.requisite().stream(), placement.preferred().stream())
        .forEach(Fields::topology);
  }

  /// The volume of this name, if it is what is asked for (CTL-13).
  private Optional<Volume> existing(Volumes volumes, VolumeRecipe wanted) throws IOException {
    var found = volumes.named(wanted.name());
    if (found.isEmpty()) return found;
    try (var _ = inFlight.share(OPERATION, Kind.VOLUME, found.get().id())) {
      var volume = volumes.named(wanted.name()); // may have been deleted before we held it
      volume.flatMap(it -> difference(it, wanted)).ifPresent(this::existsDifferently);
      return volume;
    }
  }

  private void existsDifferently(String difference) {
    throw Refusal.existsDifferently("a volume of this name exists, but " + difference);
  }

  private static Optional<String> difference(Volume volume, VolumeRecipe wanted) {
    var made = volume.recipe();
    if (!wanted.size().contains(volume.capacityBytes()))
      return Optional.of(
          "it has %d bytes, not %s".formatted(volume.capacityBytes(), wanted.size()));
    if (!sameUsages(made.usages(), wanted.usages()))
      return Optional.of("it was made for other volume_capabilities: " + made.usages());
    if (!made.parameters().equals(wanted.parameters())
        || !made.mutableParameters().equals(wanted.mutableParameters()))
      return Optional.of("it was made with other parameters");
    if (!made.source().equals(wanted.source())) return Optional.of("it was made from other data");
    if (!wanted.placement().accepts(volume.reachableFrom()))
      return Optional.of("it is reachable only from " + volume.reachableFrom());
    return Optional.empty();
  }

  private static boolean sameUsages(List<Usage> a, List<Usage> b) {
    return a.stream().allMatch(one -> b.stream().anyMatch(one::isSameAs))
        && b.stream().allMatch(one -> a.stream().anyMatch(one::isSameAs));
  }

  private Volume create(Volumes volumes, VolumeRecipe recipe, Secrets secrets) throws IOException {
    return switch (recipe.source().orElse(null)) {
      case null -> volumes.create(recipe, secrets);
      case Source.OfVolume(var id) -> {
        try (var _ = inFlight.share(OPERATION, Kind.VOLUME, id)) {
          var source = parts.existing().requireVolume(id);
          checkFits("volume " + id, source.capacityBytes(), recipe);
          checkKind("volume " + id, Snapshot.Kind.of(source.recipe()), recipe);
          yield parts.require(Cloning.class).cloneOf(source, recipe, secrets);
        }
      }
      case Source.OfSnapshot(var id) -> {
        var snapshots = parts.require(Snapshots.class);
        try (var _ = inFlight.share(OPERATION, Kind.SNAPSHOT, id)) {
          var source = parts.existing().requireSnapshot(id);
          checkReady(source);
          source.kind().ifPresent(kind -> checkKind("snapshot " + id, kind, recipe));
          checkFits("snapshot " + id, source.sizeBytes(), recipe);
          yield snapshots.restore(source, recipe, secrets);
        }
      }
    };
  }

  private static void checkReady(Snapshot snapshot) {
    if (!snapshot.ready())
      throw new Refusal(
          Refusal.Reason.ASK_AGAIN, "snapshot %s is not ready yet".formatted(snapshot.id()));
  }

  private static void checkFits(String source, long bytes, VolumeRecipe recipe) {
    var size = recipe.size();
    var tooSmall = size.required() > 0 && size.required() < bytes;
    if (tooSmall || size.limit().orElse(Long.MAX_VALUE) < bytes)
      throw Refusal.outOfRange("%s has %d bytes, %s asked for".formatted(source, bytes, size));
  }

  /// CSR-01.
  private static void checkKind(String source, Snapshot.Kind kind, VolumeRecipe recipe) {
    if (kind != Snapshot.Kind.of(recipe))
      throw Refusal.invalid(
          "%s is of a %s volume; what is made from it is of the same kind"
              .formatted(source, kind.word()));
  }

  private CreateVolumeResponse answer(Volume volume) {
    return CreateVolumeResponse.newBuilder().setVolume(parts.outgoing().volume(volume)).build();
  }
}
