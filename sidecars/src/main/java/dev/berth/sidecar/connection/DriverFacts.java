package dev.berth.sidecar.connection;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER;
import static dev.berth.csi.v1.PluginCapability.Service.Type.CONTROLLER_SERVICE;
import static dev.berth.csi.v1.PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE;
import static dev.berth.csi.v1.PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS;

import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.GroupControllerServiceCapability;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.PluginCapability;
import dev.berth.kube.model.Volume;
import dev.berth.volume.request.Writers;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// What a driver says of itself, asked for once per connection.
///
/// @param name of the driver, as classes, volumes and attachments name it
/// @param version as the vendor counts; may be empty
/// @param plugin what the plugin as a whole can do
/// @param growth when its volumes can grow
/// @param controller what its controller service can do; empty without that service
/// @param groups what its group controller service can do; empty without that service
/// @param node what its node service can do, where the controller's socket serves one and its
///   controller does not expand volumes itself; empty otherwise
/// @param own whose volumes are taken care of; empty: all nodes'
public record DriverFacts(
    String name,
    String version,
    Set<PluginCapability.Service.Type> plugin,
    Set<PluginCapability.VolumeExpansion.Type> growth,
    Set<ControllerServiceCapability.RPC.Type> controller,
    Set<GroupControllerServiceCapability.RPC.Type> groups,
    Set<NodeServiceCapability.RPC.Type> node,
    Optional<OwnNode> own) {
  public DriverFacts {
    if (name.isEmpty()) throw new IllegalArgumentException("the driver gave an empty name");
    plugin = Set.copyOf(plugin);
    growth = Set.copyOf(growth);
    controller = Set.copyOf(controller);
    groups = Set.copyOf(groups);
    node = Set.copyOf(node);
  }

  /// A driver without groups, of which no more is known.
  public DriverFacts(
      String name,
      Set<PluginCapability.Service.Type> plugin,
      Set<ControllerServiceCapability.RPC.Type> controller) {
    this(name, "", plugin, Set.of(), controller, Set.of(), Set.of(), Optional.empty());
  }

  /// Whether the volume is one to be taken care of here.
  public boolean serves(Volume volume) {
    return own.map(it -> it.reaches(volume)).orElse(true);
  }

  /// Whether what is to be done on this node is to be done here.
  ///
  /// @param node name of the Node
  public boolean servesNode(String node) {
    return own.map(it -> it.name().equals(node)).orElse(true);
  }

  /// Whether it creates and deletes volumes.
  public boolean provisions() {
    return can(CREATE_DELETE_VOLUME);
  }

  /// Whether attaching to a node needs its controller.
  public boolean publishes() {
    return can(PUBLISH_UNPUBLISH_VOLUME);
  }

  /// Whether some of its volumes cannot be reached from some nodes.
  public boolean hasTopology() {
    return plugin.contains(VOLUME_ACCESSIBILITY_CONSTRAINTS);
  }

  /// The same driver, if nobody is to ask where its volumes are.
  public DriverFacts withoutTopology() {
    var less = new HashSet<>(plugin);
    less.remove(VOLUME_ACCESSIBILITY_CONSTRAINTS);
    return new DriverFacts(name, version, less, growth, controller, groups, node, own);
  }

  /// How finely its controller is told of access modes.
  public Writers writers() {
    return Writers.of(can(SINGLE_NODE_MULTI_WRITER));
  }

  /// Whether it has a controller service that has this capability.
  public boolean can(ControllerServiceCapability.RPC.Type capability) {
    return plugin.contains(CONTROLLER_SERVICE) && controller.contains(capability);
  }

  /// Whether it has a group controller service that has this capability.
  public boolean can(GroupControllerServiceCapability.RPC.Type capability) {
    return plugin.contains(GROUP_CONTROLLER_SERVICE) && groups.contains(capability);
  }
}
