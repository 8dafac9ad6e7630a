package dev.berth.driver.serve;

import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Topology;
import dev.berth.driver.spi.Capacity;
import dev.berth.driver.spi.Cloning;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.Expansion;
import dev.berth.driver.spi.GroupSnapshots;
import dev.berth.driver.spi.Health;
import dev.berth.driver.spi.Listing;
import dev.berth.driver.spi.Located;
import dev.berth.driver.spi.Modification;
import dev.berth.driver.spi.NodeExpansion;
import dev.berth.driver.spi.NodeHealth;
import dev.berth.driver.spi.NodePublishing;
import dev.berth.driver.spi.NodeStaging;
import dev.berth.driver.spi.NodeStats;
import dev.berth.driver.spi.OnNode;
import dev.berth.driver.spi.Publishing;
import dev.berth.driver.spi.SecretKeys;
import dev.berth.driver.spi.SecretKeys.Call;
import dev.berth.driver.spi.SnapshotMetadata;
import dev.berth.driver.spi.Snapshots;
import dev.berth.driver.spi.StorageHealth;
import dev.berth.driver.spi.Volumes;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The capabilities of a driver, each with the object that implements it.
public final class Parts {
  private static final List<Class<?>> CAPABILITIES =
      List.of(
          Volumes.class,
          Cloning.class,
          Publishing.class,
          Listing.class,
          Capacity.class,
          Expansion.class,
          Modification.class,
          Health.class,
          Snapshots.class,
          GroupSnapshots.class,
          SnapshotMetadata.class,
          OnNode.class,
          NodeStaging.class,
          NodePublishing.class,
          NodeStats.class,
          NodeHealth.class,
          StorageHealth.class,
          NodeExpansion.class,
          Located.class);

  /// What makes no sense without the other, or is asked for by its service alone (CAP-08).
  private record Need(Class<?> capability, Class<?> need) {}

  private static final List<Need> NEEDS =
      List.of(
          new Need(Cloning.class, Volumes.class),
          new Need(Publishing.class, Volumes.class),
          new Need(Publishing.class, OnNode.class),
          new Need(Listing.class, Volumes.class),
          new Need(Capacity.class, Volumes.class),
          new Need(Expansion.class, Volumes.class),
          new Need(Modification.class, Volumes.class),
          new Need(Health.class, Listing.class),
          new Need(Snapshots.class, Volumes.class),
          new Need(GroupSnapshots.class, Snapshots.class),
          new Need(SnapshotMetadata.class, Snapshots.class),
          new Need(NodeStaging.class, NodePublishing.class),
          new Need(NodePublishing.class, OnNode.class),
          new Need(NodeStats.class, OnNode.class),
          new Need(NodeHealth.class, NodeStats.class),
          new Need(StorageHealth.class, OnNode.class),
          new Need(NodeExpansion.class, OnNode.class));

  private final Map<Class<?>, Object> parts = new HashMap<>();
  private final SecretKeys secretKeys;

  private Parts(SecretKeys secretKeys) {
    this.secretKeys = secretKeys;
  }

  /// Finds what a driver implements.
  ///
  /// @throws IllegalArgumentException if a capability is there twice or without one that it needs
  public static Parts of(Driver driver) {
    var found = new Parts(driver.secretKeys());
    for (var part : driver.parts())
      for (var capability : CAPABILITIES)
        if (capability.isInstance(part)) found.add(capability, part);
    for (var need : NEEDS) found.checkNeed(need.capability(), need.need());
    found.find(Located.class).map(Located::topologyKeys).ifPresent(Parts::checkKeys);
    return found;
  }

  /// TOP-03.
  private static void checkKeys(Set<String> keys) {
    for (var key : keys)
      if (!Fields.isTopology(Topology.of(key, "x")))
        throw new IllegalArgumentException("topology key %s is malformed".formatted(key));
    var prefixes = keys.stream().map(key -> key.replaceFirst("[^/]*$", "")).distinct().count();
    var names = keys.stream().map(key -> key.toLowerCase(Locale.ROOT)).distinct().count();
    if (prefixes > 1 || names < keys.size())
      throw new IllegalArgumentException(
          "topology keys %s: they need one prefix, and differ by more than case".formatted(keys));
  }

  private void add(Class<?> capability, Object part) {
    var other = parts.put(capability, part);
    if (other != null && !other.equals(part))
      throw new IllegalArgumentException(
          "two parts of the driver are %s: %s and %s"
              .formatted(
                  capability.getSimpleName(),
                  other.getClass().getSimpleName(),
                  part.getClass().getSimpleName()));
  }

  private void checkNeed(Class<?> capability, Class<?> need) {
    if (parts.containsKey(capability) && !parts.containsKey(need))
      throw new IllegalArgumentException(
          "the driver is %s but not %s"
              .formatted(capability.getSimpleName(), need.getSimpleName()));
  }

  public boolean has(Class<?> capability) {
    return parts.containsKey(capability);
  }

  public <T> Optional<T> find(Class<T> capability) {
    return Optional.ofNullable(parts.get(capability)).map(capability::cast);
  }

  /// For people: `Volumes, Listing, OnNode`.
  public String words() {
    return CAPABILITIES.stream()
        .filter(this::has)
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", "));
  }

  Existing existing() {
    return new Existing(this);
  }

  Outgoing outgoing() {
    return new Outgoing(this);
  }

  /// The secrets of a call (SEC-05).
  ///
  /// @throws Refusal INVALID if a key is malformed, UNAUTHENTICATED if the driver needs more
  Secrets secrets(Call call, Map<String, String> given) {
    // Not repeated: it may be a value.
    if (!given.keySet().stream().allMatch(SecretKeys::isKey))
      throw Refusal.invalid("secrets: a key is not of letters, digits, '-', '_' and '.'");
    var missing = secretKeys.missing(call, given.keySet());
    if (missing.isPresent())
      throw new Refusal(
          Refusal.Reason.UNAUTHENTICATED,
          "%s needs the secret %s; add it to the Secret that the class or volume names for this call"
              .formatted(call, String.join(", ", missing.get())));
    return new Secrets(given);
  }

  /// @throws Refusal NOT_SUPPORTED if the driver has no such capability
  <T> T require(Class<T> capability) {
    return find(capability)
        .orElseThrow(() ->
            new Refusal(
                Refusal.Reason.NOT_SUPPORTED,
                "this driver does not support " + capability.getSimpleName()));
  }
}
