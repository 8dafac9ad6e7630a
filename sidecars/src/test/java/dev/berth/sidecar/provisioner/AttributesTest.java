package dev.berth.sidecar.provisioner;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CLONE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.MODIFY_VOLUME;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.SnapshotObjects;
import dev.berth.sidecar.testing.Tree;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Volumes that are created with the attributes of a class, on the real API and the real loop.
class AttributesTest {
  private static final DriverFacts COPIER =
      driver(CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT, CLONE_VOLUME, MODIFY_VOLUME);

  private final Bench bench = SnapshotObjects.install(new Bench());

  @AfterEach
  void close() {
    bench.close();
  }

  private void run() {
    run(ProvisionerOptions.DEFAULT);
  }

  private void run(ProvisionerOptions options) {
    bench.run(maker(options));
  }

  private Bench.Maker maker(ProvisionerOptions options) {
    return (api, events) -> Provisioner.of(COPIER, options).controller(bench.means(api, events));
  }

  private CreateVolumeRequest request() {
    return bench.driver().requestOf(bench.volumeName());
  }

  private long creations() {
    return bench.driver().calls().stream().filter(call -> call.startsWith("CreateVolume")).count();
  }

  private static Tree attributes(String driver) {
    return Tree.of(
            """
            {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttributesClass",
             "parameters": {"iops": "9"}}
            """)
        .named("gold")
        .with(driver, "driverName");
  }

  private static Tree golden() {
    return claim().with("gold", "spec", "volumeAttributesClassName");
  }

  @Test
  void aVolumeIsCreatedWithItsAttributes() { // PROV-38, PROV-102
    bench.create(storageClass(), attributes(DRIVER), golden());
    run();

    assertThat(request().getMutableParamsMap()).isEqualTo(Map.of("iops", "9"));
    assertThat(bench.get(Kinds.VOLUME, bench.volumeName()).attributesClassName()).isEqualTo("gold");
  }

  @Test
  void attributesOfAnotherDriverAreRefused() { // PROV-38
    bench.create(storageClass(), attributes("other.example"), golden());
    run();

    assertThat(creations()).isZero();
    assertThat(bench.events())
        .last()
        .asString()
        .contains("is for driver other.example which does not match driver name disk.example");
  }

  @Test
  void attributesThatAreNotThereAreWaitedFor() { // PROV-38
    bench.create(storageClass(), golden());
    run();
    assertThat(creations()).isZero();
    assertThat(bench.events()).last().asString().contains("\"gold\" not found");

    bench.create(attributes(DRIVER));
    bench.pass(Duration.ofSeconds(1));
    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  @Test
  void attributesAreLeftOutIfTheyAreSwitchedOff() { // PROV-39
    bench.create(storageClass(), golden());
    run(ProvisionerOptions.DEFAULT.with(EnumSet.noneOf(Feature.class)));

    assertThat(request().getMutableParamsMap()).isEmpty();
    assertThat(bench.get(Kinds.VOLUME, bench.volumeName()).attributesClassName()).isEmpty();
  }

  @Test
  void attributesAreThoseOfTheFirstRequest() { // PROV-113
    bench.driver().losesAnswer();
    bench.create(storageClass(), attributes(DRIVER), golden());
    run();
    bench.delete(Resources.ATTRIBUTES_CLASSES, "gold");
    bench.pass(Duration.ofSeconds(1));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    assertThat(bench.driver().calls()).allMatch(call -> call.startsWith("CreateVolume")).hasSize(2);
  }
}
