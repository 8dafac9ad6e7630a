package dev.berth.cli.stack;

import dev.berth.csi.registrar.Registrar;
import dev.berth.driver.DriverServer;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.BareMetalDriver;
import dev.berth.driver.baremetal.BareMetalOptions;
import dev.berth.driver.baremetal.manager.loopback.LoopbackManager;
import dev.berth.kube.cache.Caches;
import dev.berth.node.layout.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// The bare-metal driver of one node, over drives that are files, and its registrar.
final class LocalDrives implements AutoCloseable {
  private final Closing closing = new Closing();
  private final Path socket;
  private final Registrar registrar;

  private LocalDrives(NodeStack.Plan plan, Path file, Layout layout, Caches caches)
      throws IOException, InterruptedException {
    var images = plan.home().drives().images();
    socket = layout.driver(BareMetalDriver.NAME).resolve("csi.sock");
    try {
      Files.createDirectories(socket.getParent());
      // Last of all: while the driver looks at its drives it attaches them again.
      closing.add(() -> LoopbackManager.detach(images, plan.name()));
      Set<Service> services =
          plan.controls() ? EnumSet.allOf(Service.class) : EnumSet.of(Service.NODE);
      Readiness.awaitNode(caches, plan.name()); // who it is, its addresses say (BM-04)
      var options = new BareMetalOptions(plan.name(), Optional.of(file), images, services);
      var driver = closing.add(BareMetalDriver.open(options, caches.api()));
      closing.add(DriverServer.start(socket, driver, DriverServer.Options.of(services)));
      registrar =
          closing.add(new Registrar(BareMetalDriver.NAME, layout.registry(), socket.toString()));
    } catch (Throwable failed) {
      closing.close();
      throw failed;
    }
  }

  /// Returns when the driver serves; the node agent does not know of it yet.
  static LocalDrives open(NodeStack.Plan plan, Path file, Layout layout, Caches caches)
      throws IOException, InterruptedException {
    return new LocalDrives(plan, file, layout, caches);
  }

  /// Lets the node agent know.
  void register() throws IOException {
    registrar.start();
  }

  Path socket() {
    return socket;
  }

  @Override
  public void close() {
    closing.close();
  }
}
