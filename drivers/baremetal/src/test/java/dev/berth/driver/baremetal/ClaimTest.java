package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiException;
import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.LocalVolume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// Two volumes never share a whole drive.
class ClaimTest {
  private static final String PLAN =
      """
      nodes:
      - nodeID: a
        drives: [{serialNumber: A, size: 32Mi}, {serialNumber: B, size: 32Mi}, {serialNumber: C, size: 32Mi}]
      """;

  /// BM-81: three controllers with caches of their own, ten claims at once, three drives.
  @Test
  void ofManyClaimsAtOnceEachThatIsMetHasADriveOfItsOwn() throws Exception {
    try (var world = BareMetalWorld.of(PLAN)) {
      var controllers =
          List.of(
              world.driver("a", Set.of(Service.values())),
              world.driver("", Set.of(Service.CONTROLLER)),
              world.driver("", Set.of(Service.CONTROLLER)));
      for (var serial : List.of("A", "B", "C")) world.drive(serial, it -> it.available());
      var calls = new ArrayList<Callable<Boolean>>();
      for (int i = 0; i < 10; i++) {
        var controller = controllers.get(i % controllers.size());
        var name = "pvc-" + i;
        calls.add(() -> {
          try {
            create(controller, name, 1, mount("ext4"));
            return true;
          } catch (CsiException refused) {
            assertThat(refused.code().name())
                .as(refused.getMessage())
                .isEqualTo("RESOURCE_EXHAUSTED");
            return false;
          }
        });
      }
      int made = 0;
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (var outcome : threads.invokeAll(calls)) if (outcome.get()) made++;
      }
      assertThat(made).isEqualTo(3);
      var volumes = world.all(BareMetalKinds.VOLUME);
      assertThat(volumes).hasSize(3).allMatch(LocalVolume::made);
      assertThat(new HashSet<>(volumes.stream().map(LocalVolume::location).toList())).hasSize(3);
    }
  }
}
