package dev.berth.sidecar;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_CAPACITY;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.sidecar.testing.Objects.driver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.testing.Balancer;
import dev.berth.sidecar.testing.Tree;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// CD-02: what a driver's object promises and the driver, or who runs beside it, does not keep.
final class MisfitsTest {
  private static final DriverFacts PUBLISHING =
      driver(CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME);
  private static final DriverFacts ALWAYS_THERE = driver(CREATE_DELETE_VOLUME, GET_CAPACITY);

  private static CsiDriver object(String spec) {
    return Kinds.CSI_DRIVER.read().apply(Tree.of("{\"spec\": {%s}}".formatted(spec)).json());
  }

  private static List<String> told(Optional<CsiDriver> object, DriverFacts driver) {
    return Misfits.of(object, driver, SidecarOptions.DEFAULT);
  }

  private static List<String> withoutAttacher(Optional<CsiDriver> object, DriverFacts driver) {
    return Misfits.of(
        object,
        driver,
        SidecarOptions.DEFAULT.choosing(EnumSet.complementOf(EnumSet.of(Sidecar.ATTACHER))));
  }

  @Test
  void whatFitsIsNotTold() {
    assertThat(told(Optional.of(object("\"attachRequired\": true")), PUBLISHING)).isEmpty();
    assertThat(told(Optional.of(object("\"attachRequired\": false")), ALWAYS_THERE)).isEmpty();
    assertThat(told(Optional.empty(), PUBLISHING)).isEmpty();
    assertThat(told(Optional.empty(), ALWAYS_THERE)).isEmpty(); // our attacher says yes
  }

  @Test
  void podsWaitForAnAttacherThatIsNotThere() {
    assertThat(withoutAttacher(Optional.empty(), PUBLISHING)).isEmpty();
    assertThat(withoutAttacher(Optional.empty(), ALWAYS_THERE))
        .singleElement()
        .asString()
        .startsWith("there is no CSIDriver, so attachRequired is true, and the driver lacks");
    assertThat(withoutAttacher(Optional.of(object("")), ALWAYS_THERE))
        .singleElement()
        .asString()
        .startsWith("attachRequired is true, and the driver lacks PUBLISH_UNPUBLISH_VOLUME");
  }

  @Test
  void volumesAreNeverAttached() {
    assertThat(told(Optional.of(object("\"attachRequired\": false")), PUBLISHING))
        .containsExactly(
            "attachRequired is false, and the driver has PUBLISH_UNPUBLISH_VOLUME: its"
                + " ControllerPublishVolume is never called");
  }

  @Test
  void podsWaitForCapacityThatNobodyTells() {
    var object = Optional.of(object("\"storageCapacity\": true"));
    assertThat(told(object, ALWAYS_THERE))
        .singleElement()
        .asString()
        .contains("(--enable-capacity is not given)");
    assertThat(told(object, PUBLISHING))
        .singleElement()
        .asString()
        .contains("(the driver lacks GET_CAPACITY)");
    var attacherAlone = SidecarOptions.DEFAULT.choosing(EnumSet.of(Sidecar.ATTACHER));
    assertThat(Misfits.of(object, PUBLISHING, attacherAlone)).isEmpty();
  }

  @Test
  void inlineVolumesAreNotTold() {
    var both = "\"volumeLifecycleModes\": [\"Persistent\", \"Ephemeral\"], \"podInfoOnMount\": ";
    assertThat(told(Optional.of(object(both + "false")), PUBLISHING))
        .singleElement()
        .asString()
        .contains("podInfoOnMount is false");
    assertThat(told(Optional.of(object(both + "true")), PUBLISHING)).isEmpty();
    // who knows nothing but inline volumes need not be told
    assertThat(told(Optional.of(object("\"volumeLifecycleModes\": [\"Ephemeral\"]")), PUBLISHING))
        .isEmpty();
  }

  @Test
  void aBalancersPageSaysNothingOfTheObject() throws Exception {
    var withoutAttacher =
        SidecarOptions.DEFAULT.choosing(EnumSet.complementOf(EnumSet.of(Sidecar.ATTACHER)));
    try (var balancer = new Balancer()) {
      assertThat(Misfits.of(Optional.empty(), ALWAYS_THERE, withoutAttacher)).isNotEmpty();
      assertThat(Misfits.read(balancer.api(), ALWAYS_THERE, withoutAttacher)).isEmpty();
    }
  }
}
