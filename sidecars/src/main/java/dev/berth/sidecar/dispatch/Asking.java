package dev.berth.sidecar.dispatch;

import dev.berth.kube.cache.Dispatch;
import dev.berth.kube.cache.Index;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.sidecar.source.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which driver a claim asks for its volume.
public final class Asking {
  /// Claims that have no volume, by the driver that is to make it.
  public static final Index<Claim> UNBOUND_BY_DRIVER =
      new Index<>(
          Kinds.CLAIM,
          "unbound, by driver",
          claim ->
              claim.volumeName().isEmpty() ? asked(claim).stream().toList() : List.<String>of());

  /// The same, by the claim that their volume is to be a copy of.
  public static final Index<Claim> UNBOUND_BY_SOURCE =
      new Index<>(
          Kinds.CLAIM,
          "unbound, by claim to copy",
          claim ->
              claim.volumeName().isEmpty()
                  ? claim.dataSource().stream()
                      .filter(source -> source.kind().equals(Source.CLAIM_KIND))
                      .map(source -> source.key().toString())
                      .toList()
                  : List.of());

  /// All claims by whom they ask or may have begun with.
  static final Index<Claim> BY_NAME = new Index<>(Kinds.CLAIM, "asked driver", Asking::names);

  private Asking() {}

  /// Which driver is to make the claim's volume; empty: nobody has been asked. The annotation of
  /// these days comes before that of earlier ones, even if it names another (PROV-10).
  public static Optional<String> asked(Claim claim) {
    return claim
        .meta()
        .annotation(Annotations.STORAGE_PROVISIONER)
        .or(() -> claim.meta().annotation(Annotations.BETA_STORAGE_PROVISIONER));
  }

  /// Whom it asks; and everybody, if another may have begun: what has begun is not read, only
  /// searched for a name.
  static List<String> names(Claim claim) {
    var names = new ArrayList<String>(2);
    asked(claim).ifPresent(names::add);
    claim
        .meta()
        .annotation(Annotations.PROVISIONING_INTENT)
        .filter(begun -> names.isEmpty() || !begun.contains(names.getFirst()))
        .ifPresent(_ -> names.add(Dispatch.EVERYBODY));
    return names;
  }
}
