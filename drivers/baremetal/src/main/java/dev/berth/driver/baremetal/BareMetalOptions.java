package dev.berth.driver.baremetal;

import dev.berth.driver.DriverServer.Service;
import dev.berth.linux.check.Pace;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// How a bare-metal driver is set up.
///
/// @param node name of the Kubernetes Node; of no meaning without the node service
/// @param loopback file of drives that are files; empty: there are no other back ends yet
/// @param images folder for those files
/// @param services what is served; without the node service no drive is looked at
/// @param pace how often volumes are looked after
public record BareMetalOptions(
    String node, Optional<Path> loopback, Path images, Set<Service> services, Pace pace) {
  public BareMetalOptions(
      String node, Optional<Path> loopback, Path images, Set<Service> services) {
    this(node, loopback, images, services, Pace.USUAL);
  }

  public BareMetalOptions {
    services = Set.copyOf(services);
    if (services.contains(Service.NODE) && loopback.isEmpty())
      throw new IllegalArgumentException(
          "--loopback FILE is missing: drives that are files are the only ones yet");
  }
}
