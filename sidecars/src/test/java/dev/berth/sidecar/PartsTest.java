package dev.berth.sidecar;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_CAPACITY;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.onNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.name.LeaseNames;
import dev.berth.sidecar.attacher.Attacher;
import dev.berth.sidecar.attacher.AttacherOptions;
import dev.berth.sidecar.capacity.CapacityOptions;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Supposition;
import dev.berth.sidecar.part.Part;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.part.Standing;
import dev.berth.sidecar.part.Work;
import dev.berth.sidecar.testing.StoppedTime;
import dev.berth.sidecar.testing.World;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// ONE-11, ONE-13, ONE-18: what the sidecars of a driver are made of.
class PartsTest {
  private static final DriverFacts INCAPABLE = new DriverFacts(PLAIN.name(), Set.of(), Set.of());

  @Test
  void whatPartsReadCanBeCached() {
    for (var driver : Set.of(PLAIN, INCAPABLE))
      for (var part : SidecarDeciders.of(driver, SidecarOptions.DEFAULT).parts())
        assertThat(DriverSidecars.KINDS).containsAll(part.kinds());
  }

  @Test
  void aSidecarIsOnePartAndItsConcernsShareItsLease() {
    var parts = SidecarDeciders.of(PLAIN, SidecarOptions.DEFAULT).parts();
    assertThat(parts).extracting(Part::sidecar).doesNotHaveDuplicates();
    for (var part : parts)
      for (var work : part.works())
        assertThat(work.concern().role().lease()).hasValue(part.sidecar().lease(PLAIN.name()));
  }

  /// ATT-26: said once, as a sidecar's standing is when it starts.
  @Test
  void anAttacherWithNothingToDoSaysWhatWouldSpareIt() {
    assertThat(Attacher.part(driver(CREATE_DELETE_VOLUME), AttacherOptions.DEFAULT).standing())
        .isEqualTo(
            Standing.on(
                "only says yes, for want of PUBLISH_UNPUBLISH_VOLUME; with attachRequired: false in"
                    + " CSIDriver disk.example nobody would ask it"));
  }

  /// ATT-90, RSZ-08: by one rule for every name.
  @Test
  void leasesAreUpstreams() {
    assertThat(Arrays.stream(Sidecar.values()).map(each -> each.lease("disk.example_")))
        .containsExactly(
            "disk-example-X",
            "external-attacher-leader-disk-example-X",
            "external-resizer-disk-example-X",
            "external-snapshotter-leader-disk-example-X",
            "external-health-monitor-leader-disk-example-X");
    assertThat(Arrays.stream(Sidecar.values()).map(each -> each.leaseTeller("disk.example")))
        .containsExactly(
            "disk.example",
            "external-attacher-leader-disk.example",
            "external-resizer-disk-example",
            "external-snapshotter-leader-disk.example",
            "external-health-monitor-leader-disk.example");
    assertThat(LeaseNames.clean("Node.1")).isEqualTo("Node-1"); // no lower-casing
  }

  /// ONE-22, ATT-15, ATT-92, RSZ-94: as a scrape of upstream's sidecars shows them; what upstream
  /// has no queue for, or one of the same name, has one of its own.
  @Test
  void queuesAreUpstreams() {
    var capacity =
        new CapacityOptions(
            "shop",
            Optional.empty(),
            CapacityOptions.CENTRAL,
            true,
            Duration.ofMinutes(1),
            1,
            Duration.ofSeconds(10));
    var driver = Supposition.of("d.example", World.of().snapshot());
    var able = EnumSet.copyOf(driver.controller());
    able.add(GET_CAPACITY);
    var parts =
        SidecarDeciders.of(
                new DriverFacts(
                    driver.name(),
                    "",
                    driver.plugin(),
                    Set.of(),
                    able,
                    driver.groups(),
                    Set.of(),
                    Optional.empty()),
                SidecarOptions.DEFAULT.with(capacity))
            .parts();
    assertThat(parts.stream().flatMap(part -> part.works().stream()).map(Work::queue))
        .containsExactly(
            "claims",
            "volumes",
            "cloning-protection",
            "snapshot-protection",
            "csistoragecapacity",
            "csi-attacher-va",
            "csi-snapshotter-content",
            "csi-snapshotter-groupsnapshotcontent",
            "d.example-pvc",
            "d.example-modify",
            "health");
  }

  @Test
  void anIdentityNamesTheNodeItIsFor() { // PROV-07
    assertThat(DriverLoops.identity(PLAIN, new StoppedTime()))
        .matches("[0-9]{13}-[0-9]{1,4}-" + Pattern.quote(DRIVER));
    assertThat(DriverLoops.identity(onNode("node-1", "here"), new StoppedTime()))
        .matches("[0-9]{13}-[0-9]{1,4}-" + Pattern.quote(DRIVER) + "-node-1");
  }

  /// ONE-21, PROV-180, RSZ-09: tools filter on them.
  @Test
  void eventsNameTheirSourceAsUpstreams() {
    assertThat(Arrays.stream(Sidecar.values()).map(each -> each.eventSource("d.example", "h_1")))
        .containsExactly(
            "d.example_h_1",
            "external-attacher d.example",
            "external-resizer d.example",
            "csi-snapshotter d.example",
            "csi-pv-monitor-controller-d.example");
    assertThat(new HashSet<>(Arrays.asList(Sidecar.values())))
        .allSatisfy(each -> assertThat(Sidecar.titled(each.title())).hasValue(each));
  }
}
