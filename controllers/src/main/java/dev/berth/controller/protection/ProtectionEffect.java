package dev.berth.controller.protection;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Ref;

/// What protection can do: put its finalizer on an object as it was seen, or take it off. Each has
/// a name of its own, by which users read of it.
sealed interface ProtectionEffect extends Effect {
  record ProtectClaim(Ref of, Seen<Claim> seen) implements ProtectionEffect {}

  /// Looks for pods that use it at the server first (PROT-03).
  record ReleaseClaim(Ref of, Seen<Claim> seen) implements ProtectionEffect {}

  record ProtectVolume(Ref of, Seen<Volume> seen) implements ProtectionEffect {}

  /// Looks for the claim that it names at the server first.
  record ReleaseVolume(Ref of, Seen<Volume> seen) implements ProtectionEffect {}

  record ProtectAttributesClass(Ref of, Seen<AttributesClass> seen) implements ProtectionEffect {}

  /// Looks for claims and volumes that name it at the server first (VAC-02).
  record ReleaseAttributesClass(Ref of, Seen<AttributesClass> seen) implements ProtectionEffect {}

  static ProtectClaim protect(Claim seen) {
    return new ProtectClaim(seen.ref(), new Seen<>(seen));
  }

  static ReleaseClaim release(Claim seen) {
    return new ReleaseClaim(seen.ref(), new Seen<>(seen));
  }

  static ProtectVolume protect(Volume seen) {
    return new ProtectVolume(seen.ref(), new Seen<>(seen));
  }

  static ReleaseVolume release(Volume seen) {
    return new ReleaseVolume(seen.ref(), new Seen<>(seen));
  }

  static ProtectAttributesClass protect(AttributesClass seen) {
    return new ProtectAttributesClass(seen.ref(), new Seen<>(seen));
  }

  static ReleaseAttributesClass release(AttributesClass seen) {
    return new ReleaseAttributesClass(seen.ref(), new Seen<>(seen));
  }
}
