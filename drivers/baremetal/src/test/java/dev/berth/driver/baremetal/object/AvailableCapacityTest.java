package dev.berth.driver.baremetal.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Selector;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The object that tells of a drive's room, on a real server.
class AvailableCapacityTest {
  /// BM-160: the drives of a node that is taken away for good are deleted by hand, and nobody is
  /// left there who would take back what was told of them.
  @Test
  void itGoesWithItsDrive() throws Exception {
    try (var server = EmbeddedApiServer.start(new MemoryStore())) {
      var api = new LocalApi(server, Runnable::run);
      BareMetalKinds.install(api);
      var identity = new DriveIdentity("V", "P", "S");
      var drive =
          BareMetalKinds.DRIVE
              .read()
              .apply(
                  api.create(
                      BareMetalKinds.DRIVES, Drive.draft(identity, DriveType.HDD, 100, "n", true)));
      api.create(BareMetalKinds.CAPACITIES, AvailableCapacity.draft(drive, "HDD", 100));
      api.delete(BareMetalKinds.DRIVES, drive.meta().key(), DeleteOptions.uid(drive.meta().uid()));
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() ->
              assertThat(api.list(BareMetalKinds.CAPACITIES, "", Selector.ALL).items()).isEmpty());
    }
  }
}
