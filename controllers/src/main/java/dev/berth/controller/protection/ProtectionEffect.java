package dev.berth.controller.protection;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Ref;

/// What protection can do: put its finalizer on an object as it was seen, or take it off.
sealed interface ProtectionEffect extends Effect {
  record ProtectClaim(Ref of, Seen<Claim> seen) implements ProtectionEffect {
    ProtectClaim(Claim seen) {
      this(seen.ref(), new Seen<>(seen));
    }
  }

  /// Looks for pods that use it at the server first (PROT-03).
  record ReleaseClaim(Ref of, Seen<Claim> seen) implements ProtectionEffect {
    ReleaseClaim(Claim seen) {
      this(seen.ref(), new Seen<>(seen));
    }
  }

  record ProtectVolume(Ref of, Seen<Volume> seen) implements ProtectionEffect {
    ProtectVolume(Volume seen) {
      this(seen.ref(), new Seen<>(seen));
    }
  }

  /// Looks for the claim that it names at the server first.
  record ReleaseVolume(Ref of, Seen<Volume> seen) implements ProtectionEffect {
    ReleaseVolume(Volume seen) {
      this(seen.ref(), new Seen<>(seen));
    }
  }

  record ProtectAttributesClass(Ref of, Seen<AttributesClass> seen) implements ProtectionEffect {
    ProtectAttributesClass(AttributesClass seen) {
      this(seen.ref(), new Seen<>(seen));
    }
  }

  /// Looks for claims and volumes that name it at the server first (VAC-02).
  record ReleaseAttributesClass(Ref of, Seen<AttributesClass> seen) implements ProtectionEffect {
    ReleaseAttributesClass(AttributesClass seen) {
      this(seen.ref(), new Seen<>(seen));
    }
  }
}
