package dev.berth.controller.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Ports of the machine itself, which one pod at a time has (SCHED-06).
final class HostPorts {
  static final String TAKEN = "node(s) didn't have free ports for the requested pod ports";

  private static final String EVERY_ADDRESS = "0.0.0.0";

  private HostPorts() {}

  /// @param address of the machine's; [#EVERY_ADDRESS]: each of them
  private record HostPort(String address, String protocol, long number) {
    boolean excludes(HostPort other) {
      return number == other.number
          && protocol.equals(other.protocol)
          && (address.equals(other.address)
              || address.equals(EVERY_ADDRESS)
              || other.address.equals(EVERY_ADDRESS));
    }

    @Override
    public String toString() {
      return number + "/" + protocol;
    }
  }

  static Optional<Refusal> refusal(Wanted wanted, Host host) {
    var ports = of(wanted.pod());
    if (ports.isEmpty()) return Optional.empty();
    for (var pod : wanted.view().podsOn(host.name()))
      for (var taken : of(pod))
        for (var port : ports)
          if (port.excludes(taken)) return Optional.of(taken(wanted.pod(), pod, port, host));
    return Optional.empty();
  }

  private static Refusal taken(Pod pod, Pod holder, HostPort port, Host host) {
    return new Refusal(
        TAKEN,
        Wait.on(holder.ref()).since(pod.meta().created()),
        "%s no longer has port %s of node %s".formatted(holder.ref(), port, host.name()),
        "add a node, or create the pod again without hostPort");
  }

  private static List<HostPort> of(Pod pod) {
    boolean ofHost = pod.spec().path("hostNetwork").asBoolean();
    return containers(pod)
        .flatMap(container -> container.path("ports").valueStream())
        .flatMap(port -> of(port, ofHost).stream())
        .toList();
  }

  /// Init containers that stay beside the others have theirs as long as the pod goes on.
  private static Stream<JsonNode> containers(Pod pod) {
    return Stream.concat(
        pod.spec()
            .path("initContainers")
            .valueStream()
            .filter(it -> Json.text(it, "restartPolicy").equals("Always")),
        pod.spec().path("containers").valueStream());
  }

  /// In the machine's own network each port of a container is one of the machine's.
  private static Optional<HostPort> of(JsonNode port, boolean ofHost) {
    var named = Json.number(port, "hostPort").orElse(0);
    long number = named == 0 && ofHost ? Json.number(port, "containerPort").orElse(0) : named;
    if (number == 0) return Optional.empty();
    return Optional.of(
        new HostPort(
            Json.optionalText(port, "hostIP").filter(it -> !it.isEmpty()).orElse(EVERY_ADDRESS),
            Json.optionalText(port, "protocol").orElse("TCP"),
            number));
  }
}
