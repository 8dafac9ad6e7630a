package dev.berth.controller.protection;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;

/// What protection can do: put its finalizer on an object as it was seen, or take it off.
sealed interface ProtectionEffect extends Effect {
  record ProtectClaim(Claim claim) implements ProtectionEffect {}

  /// Looks for pods that use it at the server first (PROT-03).
  record ReleaseClaim(Claim claim) implements ProtectionEffect {}

  record ProtectVolume(Volume volume) implements ProtectionEffect {}

  /// Looks for the claim that it names at the server first.
  record ReleaseVolume(Volume volume) implements ProtectionEffect {}

  record ProtectAttributesClass(AttributesClass attributes) implements ProtectionEffect {}

  /// Looks for claims and volumes that name it at the server first (VAC-02).
  record ReleaseAttributesClass(AttributesClass attributes) implements ProtectionEffect {}
}
