package dev.berth.cli.stack;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.http.PodLogs;
import dev.berth.apiserver.http.stream.PodStreams;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.node.pod.log.ContainerLogs;
import dev.berth.node.runtime.ContainerRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Logs from the node that a pod runs on.
final class NodeLogs implements PodLogs {
  private final Api api;
  private final Map<String, ContainerLogs> nodes = new ConcurrentHashMap<>();

  private final NodeStreams streams;

  NodeLogs(Api api) {
    this.api = api;
    this.streams = new NodeStreams(api);
  }

  void add(String node, ContainerRuntime runtime, ContainerLogs logs) {
    nodes.put(node, logs);
    streams.add(node, runtime, logs);
  }

  @Override
  public PodStreams streams() {
    return streams;
  }

  NodeStreams nodeStreams() {
    return streams;
  }

  @Override
  public InputStream open(ObjectKey key, String container, Options options) throws IOException {
    try {
      var pod = api.get(Resources.PODS, key);
      refuseIfNeverStarted(pod, container);
      var logs = nodes.get(Json.text(pod.path("spec"), "nodeName"));
      if (logs == null)
        throw new UnavailableException("pod \"" + key.name() + "\" is on no node that is up");
      var part =
          new ContainerLogs.Part(
              options.previous(),
              options.follow(),
              options.tailLines(),
              options.limitBytes(),
              options.timestamps(),
              options.since());
      var uid = Json.text(pod.path("metadata"), "uid");
      return logs.open(key.namespace(), key.name(), uid, container, part);
    } catch (NoSuchFileException | ContainerLogs.TimelessException none) {
      throw new UnavailableException(String.valueOf(none.getMessage()));
    } catch (ApiException gone) {
      throw new UnavailableException(String.valueOf(gone.getMessage()));
    }
  }

  /// In the kubelet's words.
  private static void refuseIfNeverStarted(ObjectNode pod, String container)
      throws UnavailableException {
    var why = "ContainerCreating";
    for (var field :
        List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"))
      for (var status : pod.path("status").path(field)) {
        if (!Json.text(status, "name").equals(container)) continue;
        if (!Json.text(status, "containerID").isEmpty()) return;
        var reason = Json.text(status.path("state").path("waiting"), "reason");
        if (!reason.isEmpty()) why = reason;
      }
    throw new UnavailableException(
        "container \"%s\" in pod \"%s\" is waiting to start: %s"
            .formatted(container, Json.text(pod.path("metadata"), "name"), why));
  }
}
