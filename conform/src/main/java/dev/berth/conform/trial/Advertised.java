package dev.berth.conform.trial;

import dev.berth.conform.trial.Ability.Where;
import dev.berth.csi.v1.ControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.csi.v1.GetPluginCapabilitiesRequest;
import dev.berth.csi.v1.GetPluginInfoRequest;
import dev.berth.csi.v1.GroupControllerGetCapabilitiesRequest;
import dev.berth.csi.v1.GroupControllerServiceCapability;
import dev.berth.csi.v1.NodeGetCapabilitiesRequest;
import dev.berth.csi.v1.NodeGetCapabilitiesResponse;
import dev.berth.csi.v1.NodeGetInfoRequest;
import dev.berth.csi.v1.NodeGetInfoResponse;
import dev.berth.csi.v1.NodeServiceCapability;
import dev.berth.csi.v1.PluginCapability;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Who the driver is and what it says that it can do.
///
/// @param driver name and version, for people
/// @param node what NodeGetInfo says; empty if it refuses
public record Advertised(
    String driver, Set<Ability> abilities, Optional<NodeGetInfoResponse> node) {
  public Advertised {
    abilities = Set.copyOf(abilities);
  }

  public boolean has(Ability ability) {
    return abilities.contains(ability);
  }

  /// Asks the driver.
  ///
  /// @throws IOException if nobody answers, at one of the sockets
  public static Advertised read(Line line, Settings settings) throws IOException {
    var sockets = settings.sockets();
    var info = line.send(Rpcs.GET_PLUGIN_INFO, GetPluginInfoRequest.getDefaultInstance());
    answered(info, "driver", sockets.controller(), settings.timeout());
    var driver =
        info.message().map(it -> it.getName() + " " + it.getVendorVersion()).orElse("nameless");

    var abilities = EnumSet.noneOf(Ability.class);
    abilities.addAll(ofPlugin(line));
    var controller =
        line.send(
            Rpcs.CONTROLLER_GET_CAPABILITIES,
            ControllerGetCapabilitiesRequest.getDefaultInstance());
    if (controller.code() == Status.Code.UNIMPLEMENTED)
      abilities.remove(Ability.CONTROLLER_SERVICE);
    else
      controller
          .message()
          .ifPresent(it ->
              abilities.addAll(
                  named(
                      Where.CONTROLLER,
                      it.getCapabilitiesList().stream()
                          .map(ControllerServiceCapability::getRpc)
                          .map(rpc -> rpc.getType().name()))));
    if (abilities.contains(Ability.GROUP_CONTROLLER_SERVICE)) abilities.addAll(ofGroups(line));
    var nodes =
        line.send(Rpcs.NODE_GET_CAPABILITIES, NodeGetCapabilitiesRequest.getDefaultInstance());
    // A socket that was named for it alone: without an answer every check of the node would be
    // skipped, and the run would seem to be well.
    if (!sockets.node().equals(sockets.controller()))
      answered(nodes, "Node service", sockets.node(), settings.timeout());
    abilities.addAll(ofNode(nodes));
    var node = line.send(Rpcs.NODE_GET_INFO, NodeGetInfoRequest.getDefaultInstance()).message();
    return new Advertised(driver, abilities, node);
  }

  /// The first call at a socket tells whether anybody is there. One who accepts connections and
  /// says nothing would otherwise be waited for in every single check.
  private static void answered(Answer<?> first, String who, Path socket, Duration patience)
      throws IOException {
    switch (first.code()) {
      case UNAVAILABLE ->
          throw new IOException("no %s answers: %s; is it running?".formatted(who, first.words()));
      case DEADLINE_EXCEEDED ->
          throw new IOException(
              "nobody answers at %s within %d s; is it the %s's socket, and is the %s at work?"
                  .formatted(socket, patience.toSeconds(), who, who));
      default -> {}
    }
  }

  private static Set<Ability> ofPlugin(Line line) {
    var answer =
        line.send(Rpcs.GET_PLUGIN_CAPABILITIES, GetPluginCapabilitiesRequest.getDefaultInstance());
    var capabilities =
        answer.message().map(it -> it.getCapabilitiesList()).orElse(List.<PluginCapability>of());
    return named(
        Where.PLUGIN,
        capabilities.stream()
            .map(it ->
                it.hasService()
                    ? it.getService().getType().name()
                    : it.getVolumeExpansion().getType().name()));
  }

  private static Set<Ability> ofGroups(Line line) {
    return line.send(
            Rpcs.GROUP_CONTROLLER_GET_CAPABILITIES,
            GroupControllerGetCapabilitiesRequest.getDefaultInstance())
        .message()
        .map(it -> it.getCapabilitiesList().stream().map(GroupControllerServiceCapability::getRpc))
        .map(rpcs -> named(Where.GROUP_CONTROLLER, rpcs.map(rpc -> rpc.getType().name())))
        .orElse(Set.of());
  }

  private static Set<Ability> ofNode(Answer<NodeGetCapabilitiesResponse> answer) {
    if (answer.code() == Status.Code.UNIMPLEMENTED || answer.code() == Status.Code.UNAVAILABLE)
      return Set.of();
    var abilities = EnumSet.of(Ability.NODE_SERVICE);
    answer
        .message()
        .map(it -> it.getCapabilitiesList().stream().map(NodeServiceCapability::getRpc))
        .ifPresent(
            rpcs -> abilities.addAll(named(Where.NODE, rpcs.map(rpc -> rpc.getType().name()))));
    return abilities;
  }

  /// Names that are no ability of ours are the business of the check of unknown ones.
  private static Set<Ability> named(Where where, Stream<String> names) {
    Collection<String> all = names.collect(Collectors.toSet());
    return Arrays.stream(Ability.values())
        .filter(ability -> ability.where() == where && all.contains(ability.wireName()))
        .collect(Collectors.toSet());
  }
}
