package dev.berth.controller.protection;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Keeps one VolumeAttributesClass as long as a claim or a volume names it (VAC-02).
final class AttributesClassProtection {
  /// So many users are told by name.
  private static final int NAMED = 5;

  Step decide(View view, ObjectKey key) {
    return switch (view.attributesClass(key)) {
      case Missing<AttributesClass> _ -> new Settled();
      case Found(var it) when it.meta().deleting() -> release(view, it);
      case Found(var it) when it.meta().hasFinalizer(Finalizers.VAC_PROTECTION) -> new Settled();
      case Found(var it) -> new Act(ProtectionEffect.protect(it));
    };
  }

  private static Step release(View view, AttributesClass attributes) {
    if (!attributes.meta().hasFinalizer(Finalizers.VAC_PROTECTION)) return new Settled();
    var users =
        Stream.concat(
                view.claimsNaming(attributes).map(Claim::ref),
                view.volumesNaming(attributes).map(Volume::ref))
            .toList();
    return users.isEmpty()
        ? new Act(ProtectionEffect.release(attributes))
        : untilUnused(attributes, users);
  }

  private static Wait untilUnused(AttributesClass attributes, List<Ref> users) {
    var names = users.stream().limit(NAMED).map(Ref::toString).collect(Collectors.joining(", "));
    var more = users.size() > NAMED ? " and %d more".formatted(users.size() - NAMED) : "";
    return Wait.on(users.getFirst())
        .since(attributes.meta().deleted().orElseThrow())
        .until("no claim and no volume names it any more: " + names + more)
        .remedy("give these claims another class, or delete them: " + names + more);
  }
}
