package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.fault.Breaking;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.process.DriverProcess;
import dev.berth.driver.process.HttpPlaces;
import dev.berth.driver.process.ProcessOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What the metrics of a driver's process show of drives and volumes.
class HealthFiguresTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// BM-203, of a drive that a person calls bad and a volume whose file system is shut down.
  @Test
  void drivesAndVolumesAreShownInFigures() throws Exception {
    var plan = "nodes: [{nodeID: a, driveCount: 1, drives: [{serialNumber: ONE, size: 64Mi}]}]\n";
    try (var world = BareMetalWorld.of(plan);
        var driver =
            BareMetalDriver.open(
                new BareMetalOptions(
                    "a", Optional.of(world.drives), world.folder("img"), Set.of(Service.values())),
                world.api)) {
      var socket = world.folder.resolve("driver.sock");
      var nobody = ProcessOptions.of(new SocketPath(socket));
      var options =
          new ProcessOptions(
              nobody.socket(),
              nobody.access(),
              nobody.services(),
              nobody.registry(),
              nobody.kubeletPath(),
              HttpPlaces.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
      try (var process = DriverProcess.start(driver, options);
          var connection = CsiConnection.open(socket)) {
        var drive = world.drive("ONE", it -> it.available());
        create(connection, "v", 1, mount("ext4"));
        world.stage(connection, "v", mount("ext4"));
        awaitLine(process, "berth_baremetal_drive_health{health=\"GOOD\",serial=\"ONE\"} 1.0");
        // BM-202
        awaitLine(process, "berth_baremetal_discovery_drives 1.0");
        awaitLine(process, "berth_baremetal_discovery_passes_total{result=\"failure\"} 0.0");
        awaitLine(process, "workqueue_adds_total{name=\"drive-keeper\"}");
        awaitLine(process, "csi_plugin_operations_seconds_count{");
        awaitLine(process, "berth_baremetal_drive_size_bytes{serial=\"ONE\"} 6.7108864E7");
        awaitLine(process, "berth_baremetal_drive_status{serial=\"ONE\",status=\"ONLINE\"} 1.0");
        awaitLine(process, "berth_baremetal_volume_uses_total{result=\"sound\"} 1.0");

        Breaking.shutDown(world.folder("stage-v"));
        world.annotate(BareMetalKinds.DRIVE, drive.meta().key(), "health", "bad");
        awaitLine(process, "berth_baremetal_drive_health{health=\"BAD\",serial=\"ONE\"} 1.0");
        awaitLine(process, "berth_baremetal_drive_usage{serial=\"ONE\",usage=\"RELEASING\"} 1.0");
        awaitLine(
            process,
            "berth_baremetal_volume_finding{reason=\"FileSystemShutDown\",volume=\"v\"} 1.0");
        world.unstage(connection, "v");
      }
    }
  }

  private static void awaitLine(DriverProcess process, String line) {
    await(line).atMost(PATIENCE).untilAsserted(() -> assertThat(shown(process)).contains(line));
  }

  private static String shown(DriverProcess process) throws Exception {
    var address = process.metrics().orElseThrow();
    try (var client = HttpClient.newHttpClient()) {
      var uri = URI.create("http://127.0.0.1:%d/metrics".formatted(address.getPort()));
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
  }
}
