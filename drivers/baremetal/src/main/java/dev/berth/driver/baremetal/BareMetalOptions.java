package dev.berth.driver.baremetal;

import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.manager.base.Consent;
import dev.berth.linux.check.Pace;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// How a bare-metal driver is set up.
///
/// @param node name of the Kubernetes Node; of no meaning without the node service
/// @param drives where a node's drives come from; without the node service no drive is looked at
/// @param pools folder below which drives are mounted that several volumes share (BM-210)
/// @param services what is served
/// @param pace how often volumes are looked after
public record BareMetalOptions(
    String node, DriveSource drives, Path pools, Set<Service> services, Pace pace) {
  /// In the folder that a kubelet gives a driver, which a driver's pod has mounted.
  public static final Path POOLS = Path.of("/var/lib/kubelet/plugins/csi-baremetal/pools");

  public BareMetalOptions {
    services = Set.copyOf(services);
  }

  /// With drives that are files, beside which the shared ones are mounted.
  ///
  /// @param loopback which there are; empty: the machine's own disks instead, none of which volumes
  ///   may have before a person says so
  /// @param images folder for those files
  public BareMetalOptions(
      String node, Optional<Path> loopback, Path images, Set<Service> services, Pace pace) {
    this(
        node,
        loopback
            .<DriveSource>map(file -> new DriveSource.Loopback(file, images))
            .orElse(new DriveSource.Machine(Consent.NONE)),
        loopback.isPresent() ? images.resolve("pools") : POOLS,
        services,
        pace);
  }

  /// [BareMetalOptions] with the usual pace.
  public BareMetalOptions(
      String node, Optional<Path> loopback, Path images, Set<Service> services) {
    this(node, loopback, images, services, Pace.USUAL);
  }
}
