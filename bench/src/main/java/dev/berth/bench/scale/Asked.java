package dev.berth.bench.scale;

import static dev.berth.csi.v1.PluginCapability.Service.Type.CONTROLLER_SERVICE;
import static dev.berth.csi.v1.PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS;

import dev.berth.controller.roster.Controllers;
import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.node.NodeDeciders;
import dev.berth.node.Presumption;
import dev.berth.sidecar.SidecarDeciders;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.connection.DriverFacts;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A decider, and by what it decides: each of the rooms' lists, those who act and who explain take
/// theirs from the same, so that a new one is measured without a word here.
///
/// @param known what it sees of a cluster
record Asked(Decider<?, ?, ?> decider, Function<Snapshot, Facts> known) {
  /// All of the controllers, of one driver that can do everything, and of a node's agent.
  static final List<Asked> ALL =
      Stream.of(controllers(), sidecars(), agent()).flatMap(it -> it).toList();

  private static Stream<Asked> controllers() {
    return Controllers.of(Controllers.Options.DEFAULT).concerns().stream().map(Asked::of);
  }

  private static Stream<Asked> sidecars() {
    var able =
        Arrays.stream(ControllerServiceCapability.RPC.Type.values())
            .filter(it -> it != ControllerServiceCapability.RPC.Type.UNRECOGNIZED)
            .collect(Collectors.toSet());
    var driver =
        new DriverFacts(
            World.DRIVER, Set.of(CONTROLLER_SERVICE, VOLUME_ACCESSIBILITY_CONSTRAINTS), able);
    return SidecarDeciders.of(driver, SidecarOptions.DEFAULT).all().stream().map(Asked::of);
  }

  /// Of a node with as many pods in any cluster.
  private static Stream<Asked> agent() {
    return NodeDeciders.of(World.OWN).all().stream()
        .map(each -> new Asked(each, objects -> Presumption.of(World.OWN, objects)));
  }

  private static Asked of(Concern<?, ?, ?, ?> concern) {
    return new Asked(concern.decider(), Facts::of);
  }
}
