package dev.berth.sidecar.provisioner;

import dev.berth.kube.loop.Pace;
import dev.berth.sidecar.write.LifeMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// How volumes are named, placed and described; upstream's flags of these names.
///
/// @param namePrefix what volume names start with; not empty
/// @param uidLength how many characters of the claim's UID a volume's name ends in, without dashes;
///   -1: all, with dashes
/// @param strictTopology a claim with a selected node gets a volume of that node's segment only,
///   instead of preferably
/// @param immediateTopology a claim without a selected node is told all segments of the cluster,
///   instead of none
/// @param defaultFsType for classes that name none; empty: the driver chooses
/// @param extraCreateMetadata the driver is told the names of claim and volume
/// @param readOnlyPublish volumes for `ReadOnlyMany` alone are attached read-only
/// @param timeout how long creating or deleting a volume may take
/// @param pace how often failures are tried again, and how many claims, and how many volumes, are
///   worked on at the same time
/// @param taking how long one that runs beside its driver on each node waits before it takes a
///   claim that waits for no pod; empty: it takes none
/// @param features what it is told to do
/// @param metrics one object for all drivers of a process
public record ProvisionerOptions(
    String namePrefix,
    int uidLength,
    boolean strictTopology,
    boolean immediateTopology,
    String defaultFsType,
    boolean extraCreateMetadata,
    boolean readOnlyPublish,
    Duration timeout,
    Pace pace,
    Optional<Taking> taking,
    Set<Feature> features,
    LifeMetrics metrics) {
  /// As upstream's without a flag.
  public static final Set<Feature> USUAL =
      Set.of(Feature.KEEP_VOLUME_MODE, Feature.ATTRIBUTES_CLASSES, Feature.TOPOLOGY);

  public static final ProvisionerOptions DEFAULT =
      new ProvisionerOptions(
          "pvc",
          -1,
          false,
          true,
          "",
          false,
          false,
          Duration.ofSeconds(10),
          Pace.SIDECAR,
          Optional.of(Taking.USUAL),
          USUAL,
          new LifeMetrics(new PrometheusRegistry()));

  private static final int LONGEST = 32;

  /// Upstream waits as long, whatever `--retry-interval-max` says.
  private static final Duration HOPELESS = Duration.ofMinutes(5);

  public ProvisionerOptions {
    features = Set.copyOf(features);
    if (namePrefix.isEmpty()) throw new IllegalArgumentException("volume name prefix is empty");
    if (uidLength != -1 && (uidLength < 1 || uidLength > LONGEST))
      throw new IllegalArgumentException(
          "volume name UUID length is %d; give 1 to %d, or -1 for all"
              .formatted(uidLength, LONGEST));
  }

  public ProvisionerOptions with(Set<Feature> others) {
    return new ProvisionerOptions(
        namePrefix,
        uidLength,
        strictTopology,
        immediateTopology,
        defaultFsType,
        extraCreateMetadata,
        readOnlyPublish,
        timeout,
        pace,
        taking,
        others,
        metrics);
  }

  /// The same, but claims that wait for no pod are left to others.
  ProvisionerOptions takingNone() {
    return new ProvisionerOptions(
        namePrefix,
        uidLength,
        strictTopology,
        immediateTopology,
        defaultFsType,
        extraCreateMetadata,
        readOnlyPublish,
        timeout,
        pace,
        Optional.empty(),
        features,
        metrics);
  }

  public ProvisionerOptions counting(LifeMetrics others) {
    return new ProvisionerOptions(
        namePrefix,
        uidLength,
        strictTopology,
        immediateTopology,
        defaultFsType,
        extraCreateMetadata,
        readOnlyPublish,
        timeout,
        pace,
        taking,
        features,
        others);
  }

  /// How long a request that was refused as hopeless is not made again (PROV-120).
  Duration pause() {
    var longest = pace.retry().max();
    return longest.compareTo(HOPELESS) > 0 ? longest : HOPELESS;
  }

  public boolean has(Feature feature) {
    return features.contains(feature);
  }

  /// Name of the volume for a claim, for the driver and of the PersistentVolume (PROV-30).
  String volumeName(String claimUid) {
    if (uidLength == -1) return namePrefix + "-" + claimUid;
    var plain = claimUid.replace("-", "");
    return namePrefix + "-" + plain.substring(0, Math.min(uidLength, plain.length()));
  }
}
