package dev.berth.cli.stack;

import dev.berth.apiserver.http.stream.PodStreams;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.node.pod.log.ContainerLogs;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ExecSpec;
import dev.berth.node.runtime.Execution;
import dev.berth.node.runtime.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/// Programs and connections on the node that a pod runs on.
final class NodeStreams implements PodStreams {
  private final Api api;
  private final Map<String, Node> nodes = new ConcurrentHashMap<>();

  /// What a node has for it.
  private record Node(ContainerRuntime runtime, ContainerLogs logs) {}

  /// A pod on its node.
  private record Place(Node node, String podUid) {}

  NodeStreams(Api api) {
    this.api = api;
  }

  void add(String node, ContainerRuntime runtime, ContainerLogs logs) {
    nodes.put(node, new Node(runtime, logs));
  }

  @Override
  public Process exec(ObjectKey pod, String container, List<String> command, boolean tty)
      throws IOException {
    var place = place(pod);
    var id = running(place, pod, container);
    try {
      return new Executed(
          place
              .node()
              .runtime()
              .exec(
                  id, new ExecSpec(command, tty ? ExecSpec.Terminal.OWN : ExecSpec.Terminal.NONE)));
    } catch (RefusedException refused) {
      throw new IOException(refused.getMessage(), refused);
    }
  }

  @Override
  public Process attach(ObjectKey pod, String container) throws IOException {
    var place = place(pod);
    running(place, pod, container);
    var fromNow = new ContainerLogs.Part(false, true, OptionalLong.of(0), OptionalLong.empty());
    return new Attached(
        place.node().logs().open(pod.namespace(), pod.name(), place.podUid(), container, fromNow));
  }

  @Override
  public SocketChannel connect(ObjectKey pod, int port) throws IOException {
    var place = place(pod);
    try {
      return place.node().runtime().connect(place.podUid(), port);
    } catch (RuntimeException engine) {
      throw new IOException(engine.getMessage(), engine);
    }
  }

  /// The run of a container that goes on now.
  ContainerId running(ObjectKey pod, String container) throws IOException {
    return running(place(pod), pod, container);
  }

  String uid(ObjectKey pod) throws IOException {
    return place(pod).podUid();
  }

  private Place place(ObjectKey key) throws IOException {
    try {
      var pod = api.get(Resources.PODS, key);
      var node = nodes.get(Json.text(pod.path("spec"), "nodeName"));
      if (node == null)
        throw new IOException("pod \"" + key.name() + "\" is on no node that is up");
      return new Place(node, Json.text(pod.path("metadata"), "uid"));
    } catch (ApiException gone) {
      throw new IOException(gone.getMessage(), gone);
    }
  }

  private static ContainerId running(Place place, ObjectKey pod, String container)
      throws IOException {
    return place.node().runtime().list().stream()
        .filter(each -> each.id().podUid().equals(place.podUid()))
        .filter(each -> each.id().name().equals(container))
        .filter(each -> each.state() instanceof ContainerState.Running)
        .map(each -> each.id())
        .max(Comparator.comparingInt(ContainerId::attempt))
        .orElseThrow(() ->
            new IOException(
                "container \"%s\" of pod \"%s\" is not running".formatted(container, pod.name())));
  }

  /// A program that was started.
  private record Executed(Execution execution) implements Process {
    @Override
    public OutputStream input() {
      return execution.input();
    }

    @Override
    public InputStream output() {
      return execution.output();
    }

    @Override
    public InputStream error() {
      return execution.error();
    }

    @Override
    public void resize(int columns, int rows) {
      execution.resize(columns, rows);
    }

    @Override
    public int await() throws InterruptedException {
      return execution.await();
    }

    @Override
    public void close() {
      execution.close();
    }
  }
}
