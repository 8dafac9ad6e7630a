package dev.berth.sidecar.provisioner;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Claim.DataSource;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.intent.Attributes;
import dev.berth.sidecar.provisioner.intent.Intent;
import dev.berth.sidecar.source.Grants;
import dev.berth.sidecar.source.SnapshotSources;
import dev.berth.sidecar.source.Source;
import dev.berth.sidecar.source.SourceHolds;
import dev.berth.sidecar.source.UnusableSource;
import dev.berth.volume.Binding;
import dev.berth.volume.Translation;
import java.util.Optional;

/// Reads what a volume takes beside claim and class, when it is begun: what it is filled from, and
/// its attributes. Both then stand in the intent, so that a repeated request is the same request
/// even if they have gone meanwhile (PROV-71).
final class Lookups {
  private final DriverFacts driver;
  private final ProvisionerOptions options;
  private final Api api;
  private final Grants grants;
  private final SnapshotSources snapshots;
  private final SourceHolds holds;

  Lookups(DriverFacts driver, ProvisionerOptions options, Api api) {
    this.driver = driver;
    this.options = options;
    this.api = api;
    grants = new Grants(api);
    snapshots =
        new SnapshotSources(
            api,
            options.has(Feature.KEEP_VOLUME_MODE)
                ? SnapshotSources.Modes.KEPT
                : SnapshotSources.Modes.FREE);
    holds = new SourceHolds(api);
  }

  /// The intent with the claim's data source, which is held from now on (PROV-69).
  ///
  /// @throws UnusableSource if it cannot be used, or not yet
  Intent source(Claim claim, Intent intent) {
    var named = claim.dataSource();
    if (named.isEmpty()) return intent;
    var found = find(claim, named.get(), intent);
    holds.hold(found);
    return intent.with(found);
  }

  /// What a claim is to be filled from, as the objects say by now; empty: nothing, or a claim
  /// without a volume of this driver.
  ///
  /// @throws UnusableSource if a snapshot cannot be used
  Optional<Source> found(Claim claim, String provisioner) {
    var named = claim.dataSource();
    if (named.isEmpty()) return Optional.empty();
    var key = named.get().key();
    if (!named.get().namespace().equals(claim.meta().namespace()))
      grants.check(claim, named.get()); // PROV-62
    if (named.get().kind().equals(Source.SNAPSHOT_KIND))
      return Optional.of(snapshots.find(claim, key, provisioner));
    if (!named.get().kind().equals(Source.CLAIM_KIND)) return Optional.empty();
    var from = Kinds.CLAIM.read().apply(api.get(Resources.CLAIMS, key));
    if (from.volumeName().isEmpty()) return Optional.empty();
    var volume =
        Kinds.VOLUME.read().apply(api.get(Resources.VOLUMES, ObjectKey.cluster(from.volumeName())));
    return Translation.NONE
        .source(volume)
        .filter(source -> source.driver().equals(provisioner) && Binding.holds(volume, from))
        .map(source -> new Source.OfClaim(key, source.handle()));
  }

  private Source find(Claim claim, DataSource named, Intent intent) {
    if (!named.namespace().equals(claim.meta().namespace())) grants.check(claim, named); // PROV-62
    if (intent.source().isPresent()) return intent.source().get(); // a claim, seen by the decision
    try {
      return snapshots.find(claim, named.key(), intent.recipe().provisioner());
    } catch (UnusableSource unusable) {
      var told =
          new UnusableSource(
              "error getting handle for DataSource Type %s by Name %s: %s"
                  .formatted(named.kind(), named.name(), unusable.getMessage()));
      told.initCause(unusable);
      throw told;
    }
  }

  /// The intent with the parameters of the claim's VolumeAttributesClass (PROV-38).
  ///
  /// @throws UnusableAttributes if the class is another driver's
  /// @throws ApiException if it does not exist or may not be read
  Intent attributes(Claim claim, Intent intent) {
    var name = claim.attributesClassName();
    if (name.isEmpty() || !options.has(Feature.ATTRIBUTES_CLASSES)) return intent;
    return intent.with(attributes(name));
  }

  /// What a VolumeAttributesClass of this driver says now.
  ///
  /// @throws UnusableAttributes if it is another driver's
  /// @throws ApiException if it does not exist or may not be read
  Attributes attributes(String name) {
    var found =
        Kinds.ATTRIBUTES_CLASS
            .read()
            .apply(api.get(Resources.ATTRIBUTES_CLASSES, ObjectKey.cluster(name)));
    if (!found.driver().equals(driver.name()))
      throw new UnusableAttributes(
          "VAC %s referenced in PVC is for driver %s which does not match driver name %s"
              .formatted(name, found.driver(), driver.name()));
    return new Attributes(name, found.parameters());
  }
}
