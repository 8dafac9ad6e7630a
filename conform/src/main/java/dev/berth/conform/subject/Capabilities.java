package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;

import com.google.protobuf.Message;
import com.google.protobuf.ProtocolMessageEnum;
import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Ability;
import dev.berth.conform.trial.DeviationException;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.SkipException;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.GroupControllerServiceCapability;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeServiceCapability;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/// Whether what is advertised is there, and nothing else.
final class Capabilities {
  /// A call and what has to be advertised for it: one of these.
  private record Gate(MethodDescriptor<?, ?> rpc, Set<Ability> abilities) {
    Gate(MethodDescriptor<?, ?> rpc, Ability... abilities) {
      this(rpc, Set.of(abilities));
    }
  }

  private static final List<Gate> CONTROLLER =
      List.of(
          new Gate(Rpcs.CREATE_VOLUME, Ability.CREATE_DELETE_VOLUME),
          new Gate(Rpcs.DELETE_VOLUME, Ability.CREATE_DELETE_VOLUME),
          new Gate(Rpcs.CONTROLLER_PUBLISH_VOLUME, Ability.PUBLISH_UNPUBLISH_VOLUME),
          new Gate(Rpcs.CONTROLLER_UNPUBLISH_VOLUME, Ability.PUBLISH_UNPUBLISH_VOLUME),
          new Gate(Rpcs.LIST_VOLUMES, Ability.LIST_VOLUMES),
          new Gate(Rpcs.GET_CAPACITY, Ability.GET_CAPACITY),
          new Gate(Rpcs.CREATE_SNAPSHOT, Ability.CREATE_DELETE_SNAPSHOT),
          new Gate(Rpcs.DELETE_SNAPSHOT, Ability.CREATE_DELETE_SNAPSHOT),
          new Gate(Rpcs.LIST_SNAPSHOTS, Ability.LIST_SNAPSHOTS),
          new Gate(Rpcs.GET_SNAPSHOT, Ability.GET_SNAPSHOT),
          new Gate(Rpcs.CONTROLLER_EXPAND_VOLUME, Ability.EXPAND_VOLUME),
          new Gate(Rpcs.CONTROLLER_MODIFY_VOLUME, Ability.MODIFY_VOLUME),
          new Gate(Rpcs.CONTROLLER_GET_VOLUME, Ability.GET_VOLUME),
          new Gate(
              Rpcs.CONTROLLER_GET_VOLUME_HEALTH,
              Ability.GET_VOLUME_HEALTH,
              Ability.LIST_VOLUME_HEALTH),
          new Gate(Rpcs.CONTROLLER_LIST_VOLUME_HEALTH, Ability.LIST_VOLUME_HEALTH));

  private static final List<Gate> NODE =
      List.of(
          new Gate(Rpcs.NODE_STAGE_VOLUME, Ability.STAGE_UNSTAGE_VOLUME),
          new Gate(Rpcs.NODE_UNSTAGE_VOLUME, Ability.STAGE_UNSTAGE_VOLUME),
          new Gate(
              Rpcs.NODE_GET_VOLUME_STATS, Ability.GET_VOLUME_STATS, Ability.NODE_VOLUME_CONDITION),
          new Gate(Rpcs.NODE_EXPAND_VOLUME, Ability.NODE_EXPAND_VOLUME),
          new Gate(Rpcs.NODE_GET_VOLUME_HEALTH, Ability.NODE_GET_VOLUME_HEALTH),
          new Gate(Rpcs.NODE_GET_STORAGE_HEALTH, Ability.GET_STORAGE_HEALTH));

  static List<Check> checks() {
    return List.of(
        check(
                "capability.controller",
                "Controller capabilities are ones that CSI defines",
                "ControllerGetCapabilities: each capability is an RPC type that the specification"
                    + " defines; UNKNOWN is none")
            .covers("SAN-04")
            .needs(Ability.CONTROLLER_SERVICE)
            .asks(
                "list no capability that CSI does not define",
                trial ->
                    known(
                        trial,
                        trial
                            .ok(
                                Rpcs.CONTROLLER_GET_CAPABILITIES,
                                ControllerGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList()
                            .stream()
                            .map(ControllerServiceCapability::getRpc)
                            .map(ControllerServiceCapability.RPC::getType)
                            .toList())),
        check(
                "capability.node",
                "Node capabilities are ones that CSI defines",
                "NodeGetCapabilities: a Node Plugin MUST implement it; each capability is an RPC"
                    + " type that the specification defines")
            .covers("SAN-83")
            .needs(Ability.NODE_SERVICE)
            .asks(
                "list no capability that CSI does not define",
                trial ->
                    known(
                        trial,
                        trial
                            .ok(
                                Rpcs.NODE_GET_CAPABILITIES,
                                NodeGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList()
                            .stream()
                            .map(NodeServiceCapability::getRpc)
                            .map(NodeServiceCapability.RPC::getType)
                            .toList())),
        check(
                "capability.group",
                "Group controller capabilities are ones that CSI defines, and there is one",
                "GroupControllerGetCapabilities: a plugin that implements GroupController MUST"
                    + " implement it; csi-sanity asks for a list that is not empty")
            .covers("SAN-77")
            .needs(Ability.GROUP_CONTROLLER_SERVICE)
            .asks("advertise CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT", Capabilities::groups),
        check(
                "capability.controller-kept",
                "What the controller advertises is implemented",
                "ControllerGetCapabilities: a plugin MUST implement the RPCs of the capabilities"
                    + " that it reports")
            .needs(Ability.CONTROLLER_SERVICE)
            .asks("implement the call, or do not advertise it", trial -> kept(trial, CONTROLLER)),
        check(
                "capability.controller-only",
                "What the controller does not advertise answers UNIMPLEMENTED",
                "Error Scheme: UNIMPLEMENTED, if the call is not implemented or disabled in the"
                    + " plugin's current mode; so before its fields are looked at")
            .needs(Ability.CONTROLLER_SERVICE)
            .asks(
                "look at the capability before the fields, and answer UNIMPLEMENTED",
                trial -> only(trial, CONTROLLER)),
        check(
                "capability.node-kept",
                "What the node advertises is implemented",
                "NodeGetCapabilities: a plugin MUST implement the RPCs of the capabilities that it"
                    + " reports")
            .needs(Ability.NODE_SERVICE)
            .asks("implement the call, or do not advertise it", trial -> kept(trial, NODE)),
        check(
                "capability.node-only",
                "What the node does not advertise answers UNIMPLEMENTED",
                "Error Scheme: UNIMPLEMENTED, if the call is not implemented or disabled in the"
                    + " plugin's current mode; so before its fields are looked at")
            .needs(Ability.NODE_SERVICE)
            .asks(
                "look at the capability before the fields, and answer UNIMPLEMENTED",
                trial -> only(trial, NODE)),
        check(
                "capability.implied",
                "Capabilities that need others come with them",
                "ControllerServiceCapability: LIST_VOLUMES_PUBLISHED_NODES needs"
                    + " PUBLISH_UNPUBLISH_VOLUME; VOLUME_CONDITION says how volumes that are listed"
                    + " or got are; LIST_VOLUME_HEALTH needs GET_VOLUME_HEALTH;"
                    + " SINGLE_NODE_MULTI_WRITER stands on both services")
            .needs(Ability.CONTROLLER_SERVICE)
            .asks("advertise what the capability needs, or leave it out", Capabilities::implied));
  }

  private static void known(Trial trial, List<? extends ProtocolMessageEnum> types) {
    for (var type : types)
      trial.require(Wire.isKnown(type), "only capabilities that CSI defines", types);
  }

  private static void groups(Trial trial) {
    var types =
        trial
            .ok(
                Rpcs.GROUP_CONTROLLER_GET_CAPABILITIES,
                GroupControllerGetCapabilitiesRequest.getDefaultInstance())
            .getCapabilitiesList()
            .stream()
            .map(GroupControllerServiceCapability::getRpc)
            .map(GroupControllerServiceCapability.RPC::getType)
            .toList();
    trial.require(!types.isEmpty(), "a capability", "none");
    known(trial, types);
  }

  private static void kept(Trial trial, List<Gate> gates) {
    var advertised =
        gates.stream()
            .filter(gate -> gate.abilities.stream().anyMatch(trial.advertised()::has))
            .toList();
    if (advertised.isEmpty()) throw new SkipException("nothing is advertised");
    for (var gate : advertised)
      if (codeOfEmpty(trial, gate.rpc) == Status.Code.UNIMPLEMENTED)
        throw new DeviationException(
            "any answer but UNIMPLEMENTED", "%s is advertised".formatted(gate.abilities));
  }

  private static void only(Trial trial, List<Gate> gates) {
    var absent =
        gates.stream()
            .filter(gate -> gate.abilities.stream().noneMatch(trial.advertised()::has))
            .toList();
    if (absent.isEmpty()) throw new SkipException("every capability is advertised");
    for (var gate : absent) {
      var code = codeOfEmpty(trial, gate.rpc);
      if (code != Status.Code.UNIMPLEMENTED)
        throw new DeviationException(
            "UNIMPLEMENTED",
            "%s answered %s, and %s is not advertised"
                .formatted(gate.rpc.getBareMethodName(), code, gate.abilities));
    }
  }

  /// An empty request is refused by every call that changes something.
  @SuppressWarnings("unchecked") // a method's marshaller makes that method's messages
  private static Status.Code codeOfEmpty(Trial trial, MethodDescriptor<?, ?> rpc) {
    var method = (MethodDescriptor<Message, Message>) rpc;
    var empty = method.parseRequest(InputStream.nullInputStream());
    return trial.send(method, empty).code();
  }

  private static void implied(Trial trial) {
    var has = trial.advertised();
    trial.require(
        !has.has(Ability.LIST_VOLUMES_PUBLISHED_NODES) || has.has(Ability.PUBLISH_UNPUBLISH_VOLUME),
        "PUBLISH_UNPUBLISH_VOLUME beside LIST_VOLUMES_PUBLISHED_NODES",
        "it is missing");
    trial.require(
        !has.has(Ability.PUBLISH_READONLY) || has.has(Ability.PUBLISH_UNPUBLISH_VOLUME),
        "PUBLISH_UNPUBLISH_VOLUME beside PUBLISH_READONLY",
        "it is missing");
    trial.require(
        !has.has(Ability.VOLUME_CONDITION)
            || has.has(Ability.LIST_VOLUMES)
            || has.has(Ability.GET_VOLUME),
        "LIST_VOLUMES or GET_VOLUME beside VOLUME_CONDITION",
        "both are missing");
    trial.require(
        !has.has(Ability.LIST_VOLUME_HEALTH) || has.has(Ability.GET_VOLUME_HEALTH),
        "GET_VOLUME_HEALTH beside LIST_VOLUME_HEALTH",
        "it is missing");
    if (has.has(Ability.NODE_SERVICE))
      trial.require(
          has.has(Ability.SINGLE_NODE_MULTI_WRITER)
              == has.has(Ability.NODE_SINGLE_NODE_MULTI_WRITER),
          "SINGLE_NODE_MULTI_WRITER on controller and node alike",
          "it is on one of them only");
    trial.require(
        !has.has(Ability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT)
            || has.has(Ability.GROUP_CONTROLLER_SERVICE),
        "GROUP_CONTROLLER_SERVICE beside the group controller's capability",
        "it is missing");
  }

  private Capabilities() {}
}
