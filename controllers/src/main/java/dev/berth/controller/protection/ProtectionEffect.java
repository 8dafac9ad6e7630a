package dev.berth.controller.protection;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Ref;

/// What protection can do with an object as it was seen.
sealed interface ProtectionEffect extends Effect {
  enum Verb {
    /// Puts its finalizer on.
    PROTECT,

    /// Takes it off, if nobody needs the object: who may, the server is asked first.
    RELEASE
  }

  /// Pods that use it need it (PROT-03).
  record OfClaim(Verb verb, Ref of, Seen<Claim> seen) implements ProtectionEffect {}

  /// The claim that it names needs it.
  record OfVolume(Verb verb, Ref of, Seen<Volume> seen) implements ProtectionEffect {}

  /// Claims and volumes that name it need it (VAC-02).
  record OfAttributesClass(Verb verb, Ref of, Seen<AttributesClass> seen)
      implements ProtectionEffect {}

  static OfClaim protect(Claim seen) {
    return new OfClaim(Verb.PROTECT, seen.ref(), new Seen<>(seen));
  }

  static OfClaim release(Claim seen) {
    return new OfClaim(Verb.RELEASE, seen.ref(), new Seen<>(seen));
  }

  static OfVolume protect(Volume seen) {
    return new OfVolume(Verb.PROTECT, seen.ref(), new Seen<>(seen));
  }

  static OfVolume release(Volume seen) {
    return new OfVolume(Verb.RELEASE, seen.ref(), new Seen<>(seen));
  }

  static OfAttributesClass protect(AttributesClass seen) {
    return new OfAttributesClass(Verb.PROTECT, seen.ref(), new Seen<>(seen));
  }

  static OfAttributesClass release(AttributesClass seen) {
    return new OfAttributesClass(Verb.RELEASE, seen.ref(), new Seen<>(seen));
  }
}
