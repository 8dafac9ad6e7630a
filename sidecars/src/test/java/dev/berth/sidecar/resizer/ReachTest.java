package dev.berth.sidecar.resizer;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.EXPAND_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.MODIFY_VOLUME;
import static dev.berth.csi.v1.PluginCapability.Service.Type.CONTROLLER_SERVICE;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.driver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.sidecar.SidecarDeciders;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.part.Part;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.part.Standing;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a driver that can do this or that is asked for.
class ReachTest {
  private static DriverFacts onNodes(Set<PluginCapability.Service.Type> plugin) {
    return new DriverFacts(
        DRIVER,
        "1",
        plugin,
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(NodeServiceCapability.RPC.Type.EXPAND_VOLUME),
        Optional.empty());
  }

  private static Standing standing(DriverFacts driver) {
    return SidecarDeciders.of(driver, SidecarOptions.DEFAULT).parts().stream()
        .filter(part -> part.sidecar() == Sidecar.RESIZER)
        .map(Part::standing)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theControllerComesBeforeTheNodes() { // RSZ-02
    assertThat(Reach.of(driver(EXPAND_VOLUME))).contains(Reach.CONTROLLER);
    assertThat(Reach.of(onNodes(Set.of(CONTROLLER_SERVICE)))).contains(Reach.NODE);
    assertThat(Reach.of(driver())).isEmpty();
  }

  @Test
  void withoutAControllerServiceThereIsNothingToDo() { // RSZ-01
    assertThat(Reach.of(onNodes(Set.of()))).isEmpty();
  }

  @Test
  void eachIsDoneWithoutTheOther() { // RSZ-04
    assertThat(standing(driver(EXPAND_VOLUME))).isEqualTo(Standing.on("EXPAND_VOLUME"));
    assertThat(standing(driver(MODIFY_VOLUME))).isEqualTo(Standing.on("MODIFY_VOLUME"));
    assertThat(standing(driver()))
        .isEqualTo(Standing.off("the driver lacks EXPAND_VOLUME and MODIFY_VOLUME"));
  }
}
