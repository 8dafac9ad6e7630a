package dev.berth.sidecar.dispatch;

import dev.berth.kube.cache.Dispatch;
import dev.berth.kube.cache.Index;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.sidecar.source.Source;
import dev.berth.volume.Intended;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

  /// Whether the claim asks the driver for its volume, or may have begun with it.
  public static boolean concerns(Claim claim, String driver) {
    var names = names(claim);
    return names.contains(driver)
        || names.contains(Dispatch.EVERYBODY)
            && claim
                .meta()
                .annotation(Annotations.PROVISIONING_INTENT)
                .filter(begun -> begun.contains(driver))
                .isPresent();
  }

  /// Whom it asks; and everybody, if another may have begun: somebody else has been asked since
  /// (PROV-191).
  static List<String> names(Claim claim) {
    var asked = asked(claim);
    var begun = claim.meta().annotation(Annotations.PROVISIONING_INTENT);
    if (begun.isEmpty() || asked.isPresent() && hasBegun(asked.get(), begun.get(), claim))
      return asked.stream().toList();
    return Stream.concat(asked.stream(), Stream.of(Dispatch.EVERYBODY)).toList();
  }

  /// Its name may be a part of another's, so what has begun is read where it stands there.
  private static boolean hasBegun(String driver, String begun, Claim claim) {
    return begun.contains(driver) && Intended.driver(claim).filter(driver::equals).isPresent();
  }
}
