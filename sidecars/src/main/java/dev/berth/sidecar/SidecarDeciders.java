package dev.berth.sidecar;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CLONE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_CAPACITY;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.MODIFY_VOLUME;

import dev.berth.kube.loop.Concern;
import dev.berth.sidecar.attacher.Attacher;
import dev.berth.sidecar.capacity.Capacities;
import dev.berth.sidecar.capacity.CapacityOptions;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.health.HealthMonitor;
import dev.berth.sidecar.modifier.Modifier;
import dev.berth.sidecar.modifier.ModifierOptions;
import dev.berth.sidecar.modifier.ModifierOptions.Gate;
import dev.berth.sidecar.part.Part;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.part.Standing;
import dev.berth.sidecar.part.Work;
import dev.berth.sidecar.protection.CloneProtection;
import dev.berth.sidecar.protection.SnapshotProtection;
import dev.berth.sidecar.provisioner.Feature;
import dev.berth.sidecar.provisioner.Provisioner;
import dev.berth.sidecar.provisioner.ProvisionerOptions;
import dev.berth.sidecar.reclaimer.Reclaimer;
import dev.berth.sidecar.resizer.Reach;
import dev.berth.sidecar.resizer.Resizer;
import dev.berth.sidecar.resizer.ResizerOptions;
import dev.berth.sidecar.snapshotter.Snapshotter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the sidecars of one driver do: every part, and with it every decider of theirs. Who acts
/// runs all of them, who explains asks all of them.
public record SidecarDeciders(List<Part> parts) {
  public SidecarDeciders {
    parts = List.copyOf(parts);
  }

  /// @param driver as it says of itself, or is supposed to be
  public static SidecarDeciders of(DriverFacts driver, SidecarOptions options) {
    return new SidecarDeciders(
        List.of(
            provisioner(driver, options.provisioner(), options.capacity()),
            Attacher.part(driver, options.attacher()),
            Snapshotter.part(driver, options.snapshotter()),
            resizer(driver, options.resizer(), options.modifier()),
            HealthMonitor.part(driver, options.health())));
  }

  private static Part provisioner(
      DriverFacts facts, ProvisionerOptions options, Optional<CapacityOptions> capacity) {
    var driver = options.has(Feature.TOPOLOGY) ? facts : facts.withoutTopology(); // PROV-80
    var standing =
        driver.provisions()
            ? Standing.on("CREATE_DELETE_VOLUME")
            : Standing.on("refuses claims, for want of CREATE_DELETE_VOLUME");
    var works = new ArrayList<Work>();
    // PROV-169
    boolean publishes = capacity.isPresent() && driver.can(GET_CAPACITY);
    var room = Capacities.room();
    works.add(
        new Work(
            "claims",
            Provisioner.of(driver, options, className -> Capacities.refresh(room, className)),
            options.pace()));
    works.add(
        new Work(
            "volumes", Reclaimer.of(driver, options.timeout(), options.metrics()), options.pace()));
    if (driver.can(CLONE_VOLUME))
      works.add(new Work("cloning-protection", CloneProtection.of(driver), options.pace()));
    if (driver.can(CREATE_DELETE_SNAPSHOT))
      works.add(new Work("snapshot-protection", SnapshotProtection.of(driver), options.pace()));
    if (!publishes) return new Part(Sidecar.PROVISIONER, standing, works, List.of());
    works.add(
        Work.polling(
            "csistoragecapacity",
            Capacities.of(driver, capacity.get(), room, options.metrics().room()),
            options.pace()));
    return new Part(Sidecar.PROVISIONER, standing, works, List.of(room));
  }

  /// Upstream's resizer does both, each without the other (RSZ-04).
  private static Part resizer(
      DriverFacts driver, ResizerOptions resizer, ModifierOptions modifier) {
    var works = new ArrayList<Work>();
    var why = new ArrayList<String>();
    Reach.of(driver)
        .ifPresent(reach -> {
          works.add(
              new Work(driver.name() + "-pvc", Resizer.of(driver, reach, resizer), resizer.pace()));
          why.add(
              switch (reach) {
                case CONTROLLER -> "EXPAND_VOLUME";
                case NODE -> "EXPAND_VOLUME of the node service";
              });
        });
    if (driver.can(MODIFY_VOLUME) && modifier.gate() == Gate.ON) {
      works.add(
          new Work(driver.name() + "-modify", Modifier.of(driver, modifier), modifier.pace()));
      why.add("MODIFY_VOLUME");
    }
    var standing =
        works.isEmpty()
            ? Standing.off("the driver lacks EXPAND_VOLUME and MODIFY_VOLUME")
            : Standing.on(String.join(", ", why));
    return new Part(Sidecar.RESIZER, standing, works, List.of());
  }

  /// Of all parts that are on, in the order of a volume's life.
  public List<Concern<Means, ?, ?, ?>> all() {
    return parts.stream()
        .filter(Part::isOn)
        .flatMap(part -> part.works().stream())
        .<Concern<Means, ?, ?, ?>>map(Work::concern)
        .toList();
  }
}
