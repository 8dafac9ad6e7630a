package dev.berth.sidecar.source;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Binding;
import dev.berth.volume.Translation;
import java.time.Instant;

/// Whether one claim's volume can be the source of another's (PROV-68).
public sealed interface CloneSource {
  record Usable(Source.OfClaim source) implements CloneSource {}

  /// @param on the object that is not as it has to be
  /// @param field of it
  /// @param why in the words of upstream's events
  record NotYet(Ref on, String field, String why) implements CloneSource {}

  /// @param provisioner driver that is to make the new volume
  static CloneSource of(Claim claim, ObjectKey source, String provisioner, Snapshot objects) {
    return switch (objects.get(Kinds.CLAIM, source)) {
      case Missing<Claim>(var ref) ->
          new NotYet(
              ref,
              "",
              "error getting PVC %s (namespace \"%s\") from api server: it does not exist"
                  .formatted(source.name(), source.namespace()));
      case Found(var from) -> of(claim, from, provisioner, objects);
    };
  }

  private static CloneSource of(Claim claim, Claim from, String provisioner, Snapshot objects) {
    var name = from.meta().name();
    if (from.phase() != Claim.Phase.BOUND)
      return claimIs(
          from,
          "status.phase",
          "the PVC DataSource %s must have a status of Bound".formatted(name));
    if (from.meta().deleted().isPresent() && !isKept(claim, from, from.meta().deleted().get()))
      return claimIs(
          from,
          "metadata.deletionTimestamp",
          "the PVC DataSource %s is currently being deleted".formatted(name));
    if (from.className().isEmpty())
      return claimIs(
          from,
          "spec.storageClassName",
          "the source PVC (%s) storageclass cannot be empty".formatted(name));
    if (claim.className().isEmpty())
      return claimIs(
          claim,
          "spec.storageClassName",
          "the requested PVC (%s) storageclass cannot be empty".formatted(claim.meta().name()));
    if (claim.request().compareTo(from.request()) < 0)
      return claimIs(
          from,
          "spec.resources.requests",
          """
          error, new PVC request must be greater than or equal in size to the specified PVC data \
          source, requested %d but source is %d\
          """
              .formatted(claim.request().toLong(), from.request().toLong()));
    if (from.volumeName().isEmpty())
      return claimIs(
          from, "spec.volumeName", "volume name is empty in source PVC %s".formatted(name));
    return switch (objects.get(Kinds.VOLUME, ObjectKey.cluster(from.volumeName()))) {
      case Missing<Volume>(var ref) -> unbound(ref, "");
      case Found(var volume) -> of(claim, from, volume, provisioner);
    };
  }

  /// Whether it stays until the copy is made: copying was begun before it was deleted, and nothing
  /// but this copy may end that (PROV-71).
  private static boolean isKept(Claim claim, Claim from, Instant deleted) {
    return from.meta().hasFinalizer(Finalizers.CLONING) && !claim.meta().created().isAfter(deleted);
  }

  private static CloneSource of(Claim claim, Claim from, Volume volume, String provisioner) {
    var source = Translation.NONE.source(volume);
    if (source.isEmpty() || !source.get().driver().equals(provisioner))
      return unbound(volume.ref(), "spec.csi");
    if (!Binding.holds(volume, from)) return unbound(volume.ref(), "spec.claimRef");
    if (volume.phase() != Volume.Phase.BOUND) return unbound(volume.ref(), "status.phase");
    if (volume.volumeMode() != claim.volumeMode())
      return new NotYet(
          volume.ref(),
          "spec.volumeMode",
          """
          the source PVC and destination PVCs must have the same volume mode for cloning.  \
          Source is %s, but new PVC requested %s\
          """
              .formatted(volume.volumeMode().text(), claim.volumeMode().text()));
    return new Usable(new Source.OfClaim(from.meta().key(), source.get().handle()));
  }

  private static NotYet claimIs(Claim claim, String field, String why) {
    return new NotYet(claim.ref(), field, why);
  }

  private static NotYet unbound(Ref volume, String field) {
    return new NotYet(volume, field, "claim in dataSource not bound or invalid");
  }
}
