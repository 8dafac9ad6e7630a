package dev.berth.driver.disk;

import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.disk.controller.Policy;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// How a disk driver is set up.
///
/// @param pools folders for volumes, made if they are new; at least one
/// @param node name of the node, which is also CSI's node id
/// @param zone where the node is; empty: all nodes with the same first pool are in one zone
/// @param maxVolumes how many volumes the node takes; 0: no limit
/// @param policy how much is promised to volumes
/// @param services what is served; without the node service the node is neither made known nor
///   touched
public record DiskOptions(
    List<Path> pools,
    String node,
    String zone,
    int maxVolumes,
    Policy policy,
    Set<Service> services) {
  static final int USUAL_MAX_VOLUMES = 256;
  private static final Pattern NODE =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,190}[A-Za-z0-9])?");
  private static final Pattern ZONE =
      Pattern.compile("|[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

  public DiskOptions {
    pools = List.copyOf(pools);
    services = Set.copyOf(services);
    if (pools.isEmpty()) throw new IllegalArgumentException("a disk driver needs a pool");
    if (!NODE.matcher(node).matches())
      throw new IllegalArgumentException(
          "--node '%s': use letters, digits, '-', '_' and '.', at most 192".formatted(node));
    if (!ZONE.matcher(zone).matches())
      throw new IllegalArgumentException(
          "--zone '%s': use letters, digits, '-', '_' and '.', at most 63".formatted(zone));
    if (maxVolumes < 0)
      throw new IllegalArgumentException(
          "--max-volumes %d is below 0; 0 is no limit".formatted(maxVolumes));
  }

  public static DiskOptions of(List<Path> pools, String node) {
    return new DiskOptions(
        pools, node, "", USUAL_MAX_VOLUMES, Policy.USUAL, Set.of(Service.values()));
  }

  public DiskOptions withZone(String zone) {
    return new DiskOptions(pools, node, zone, maxVolumes, policy, services);
  }

  public DiskOptions withMaxVolumes(int maxVolumes) {
    return new DiskOptions(pools, node, zone, maxVolumes, policy, services);
  }

  public DiskOptions with(Policy policy) {
    return new DiskOptions(pools, node, zone, maxVolumes, policy, services);
  }

  public DiskOptions with(Set<Service> services) {
    return new DiskOptions(pools, node, zone, maxVolumes, policy, services);
  }
}
