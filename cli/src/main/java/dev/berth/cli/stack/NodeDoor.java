package dev.berth.cli.stack;

import dev.berth.apiserver.http.PodLogs;
import dev.berth.apiserver.http.stream.PodStreams;
import dev.berth.kube.api.Api;
import dev.berth.kube.object.ObjectKey;
import dev.berth.node.pod.log.ContainerLogs;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import java.io.IOException;

/// The pods of one node, for who asks the node itself.
public final class NodeDoor {
  private final ContainerRuntime runtime;
  private final NodeLogs logs;

  public NodeDoor(Api api, String node, ContainerRuntime runtime, ContainerLogs logs) {
    this.runtime = runtime;
    this.logs = new NodeLogs(api);
    this.logs.add(node, runtime, logs);
  }

  /// What containers have written.
  public PodLogs logs() {
    return logs;
  }

  /// Programs and connections, as far as the runtime has no engine that carries them.
  public PodStreams streams() {
    return logs.streams();
  }

  public ContainerRuntime runtime() {
    return runtime;
  }

  /// The run of a container that goes on now.
  ///
  /// @throws IOException there is none; the message is for people
  public ContainerId running(ObjectKey pod, String container) throws IOException {
    return logs.nodeStreams().running(pod, container);
  }

  /// @throws IOException the pod is not on this node; the message is for people
  public String uid(ObjectKey pod) throws IOException {
    return logs.nodeStreams().uid(pod);
  }
}
