package dev.berth.sidecar.provisioner;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.intent.Attributes;
import dev.berth.sidecar.provisioner.intent.Intent;
import dev.berth.sidecar.provisioner.intent.Recipe;
import dev.berth.sidecar.provisioner.topology.AllowedTopologies;
import dev.berth.sidecar.provisioner.topology.Segments;
import dev.berth.sidecar.source.Source;
import dev.berth.sidecar.source.UnusableSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Whether what a claim says of the volume that was begun for it was written by a provisioner.
///
/// Whoever may write a claim may write its annotations, and must not come by a volume of another's
/// name, by parameters and Secrets that no administrator chose, in a place that the class forbids,
/// or by a source that he may not read. What this process wrote it knows; anything else, after a
/// restart say, has to be what name, class, source and attributes class say by now.
final class Provenance {
  private final DriverFacts driver;
  private final ProvisionerOptions options;
  private final Api api;
  private final Lookups lookups;

  /// The annotations that this process has written, by the claim's uid.
  private final Map<String, String> written = new ConcurrentHashMap<>();

  Provenance(DriverFacts driver, ProvisionerOptions options, Api api, Lookups lookups) {
    this.driver = driver;
    this.options = options;
    this.api = api;
    this.lookups = lookups;
  }

  /// @param claim as it is after the write
  void wrote(Claim claim) {
    text(claim).ifPresent(text -> written.put(claim.meta().uid(), text));
  }

  /// The claim is let go of, or its volume is saved.
  void forget(Claim claim) {
    written.remove(claim.meta().uid());
  }

  /// Whether this process has written what the claim says, and has not tried to take it off since.
  boolean knows(Claim claim) {
    return text(claim).equals(Optional.ofNullable(written.get(claim.meta().uid())));
  }

  /// @throws Doubtful if somebody else may have written it, or what it was made from has changed or
  ///   is gone
  /// @throws ApiException if what it was made from cannot be read
  void check(Claim claim, Intent intent) {
    if (knows(claim)) return;
    var name = options.volumeName(claim.meta().uid());
    if (!intent.volume().equals(name))
      throw new Doubtful(
          "it names volume %s, and this claim's is %s".formatted(intent.volume(), name));
    try {
      checkClass(claim, intent);
      if (intent.source().isPresent()) checkSource(claim, intent, intent.source().get());
      if (intent.attributes().isPresent()) checkAttributes(intent.attributes().get());
    } catch (UnusableSource | UnusableAttributes gone) {
      throw new Doubtful(String.valueOf(gone.getMessage()));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
      throw new Doubtful("what it was made from is gone: " + refused.getMessage());
    }
  }

  private static Optional<String> text(Claim claim) {
    return claim.meta().annotation(Annotations.PROVISIONING_INTENT);
  }

  /// A class that was made anew as it was is as good as the same.
  private void checkClass(Claim claim, Intent intent) {
    var recipe = intent.recipe();
    if (!claim.className().equals(Optional.of(recipe.className()))
        || !recipe.provisioner().equals(driver.name()))
      throw new Doubtful("class %s is not the claim's".formatted(recipe.className()));
    var now =
        Kinds.STORAGE_CLASS
            .read()
            .apply(api.get(Resources.STORAGE_CLASSES, ObjectKey.cluster(recipe.className())));
    if (!recipe.saysAs(Recipe.of(now)))
      throw new Doubtful("class %s says something else by now".formatted(recipe.className()));
    if (!isAllowed(intent.segments(), AllowedTopologies.of(now)))
      throw new Doubtful(
          "class %s does not allow where the volume is to be".formatted(recipe.className()));
  }

  /// As [PlacementDecision] places volumes of a class that says where they may be.
  private boolean isAllowed(Optional<Segments> wanted, AllowedTopologies allowed) {
    if (!driver.hasTopology() || !allowed.limited()) return true;
    if (wanted.isEmpty()) return allowed.nowhere() && !options.strictTopology();
    return wanted.get().requisite().stream()
        .allMatch(segment -> allowed.admits(segment, options.strictTopology()));
  }

  private void checkSource(Claim claim, Intent intent, Source source) {
    if (!source.equals(lookups.found(claim, intent.recipe().provisioner()).orElse(null)))
      throw new Doubtful("%s is not what the claim is to be filled from".formatted(source.key()));
  }

  private void checkAttributes(Attributes attributes) {
    if (!attributes.equals(lookups.attributes(attributes.className())))
      throw new Doubtful(
          "VolumeAttributesClass %s says something else by now".formatted(attributes.className()));
  }

  /// It may have been written by anybody.
  static final class Doubtful extends RuntimeException {
    private static final long serialVersionUID = 1;

    Doubtful(String why) {
      super(
          """
          what annotation %s says has been begun cannot be believed: %s. If nobody wrote it by \
          hand, a volume of the claim may exist. Remove the annotation, and it is begun anew\
          """
              .formatted(Annotations.PROVISIONING_INTENT, why));
    }
  }
}
