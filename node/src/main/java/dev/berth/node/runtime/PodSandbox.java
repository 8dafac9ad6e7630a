package dev.berth.node.runtime;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What all containers of a pod share, as a container engine makes it before the first of them.
///
/// @param namespace of the pod
/// @param name of the pod
/// @param network whose interfaces and addresses its containers see
/// @param pid whose processes they see
/// @param ipc whose shared memory and message queues they see
/// @param dns how they resolve names; empty: as the machine does
/// @param privileged whether one of them is
/// @param labels of the pod
/// @param handler of the pod's RuntimeClass; empty: the engine's own choice
/// @param cgroupParent control group below which all of the pod's are; empty: the engine's choice
public record PodSandbox(
    String namespace,
    String name,
    Share network,
    Share pid,
    Share ipc,
    Optional<Dns> dns,
    boolean privileged,
    Map<String, String> labels,
    String handler,
    String cgroupParent) {
  /// Of an agent that says nothing of it.
  static final PodSandbox UNKNOWN =
      new PodSandbox(
          "",
          "",
          Share.WITH_NODE,
          Share.NOTHING,
          Share.IN_POD,
          Optional.empty(),
          false,
          Map.of(),
          "",
          "");

  /// With whom a container has something in common.
  public enum Share {
    NOTHING,
    IN_POD,
    WITH_NODE
  }

  /// The lines of its `resolv.conf`.
  public record Dns(List<String> servers, List<String> searches, List<String> options) {
    public Dns {
      servers = List.copyOf(servers);
      searches = List.copyOf(searches);
      options = List.copyOf(options);
    }
  }

  public PodSandbox {
    labels = Map.copyOf(labels);
  }
}
