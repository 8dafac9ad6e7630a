package dev.berth.controller;

import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import java.util.Optional;

/// Why a volume cannot serve a claim, in upstream's order and words (BIND-21).
public enum Mismatch {
  DELETING("the volume is marked for deletion", "metadata.deletionTimestamp"),
  TOO_SMALL("requested PV is too small", "spec.capacity.storage"),
  STORAGE_CLASS("storageClassName does not match", "spec.storageClassName"),
  ATTRIBUTES_CLASS("volumeAttributesClassName does not match", "spec.volumeAttributesClassName"),
  VOLUME_MODE("incompatible volumeMode", "spec.volumeMode"),
  ACCESS_MODES("incompatible accessMode", "spec.accessModes");

  private final String text;
  private final String field;

  Mismatch(String text, String field) {
    this.text = text;
    this.field = field;
  }

  /// As events tell it.
  public String text() {
    return text;
  }

  /// Path of the volume's field that tells it.
  public String field() {
    return field;
  }

  /// The first that stands between the two; selector, node affinity and phase are not looked at.
  public static Optional<Mismatch> between(Claim claim, Volume volume) {
    for (var mismatch : values())
      if (mismatch.separates(claim, volume)) return Optional.of(mismatch);
    return Optional.empty();
  }

  /// Whether this one does.
  public boolean separates(Claim claim, Volume volume) {
    return switch (this) {
      case DELETING -> volume.meta().deleting();
      case TOO_SMALL -> volume.capacity().compareTo(claim.request()) < 0;
      case STORAGE_CLASS -> !volume.className().equals(claim.className().orElse(""));
      case ATTRIBUTES_CLASS -> !volume.attributesClassName().equals(claim.attributesClassName());
      case VOLUME_MODE -> volume.volumeMode() != claim.volumeMode();
      case ACCESS_MODES -> !volume.accessModes().containsAll(claim.accessModes());
    };
  }
}
