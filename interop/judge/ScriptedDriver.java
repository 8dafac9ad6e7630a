package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Message;
import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.socket.SocketServer;
import dev.berth.csi.socket.Takeover;
import dev.berth.csi.v1.ControllerGrpc;
import dev.berth.csi.v1.GroupControllerGrpc;
import dev.berth.csi.v1.IdentityGrpc;
import dev.berth.csi.v1.NodeGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A CSI driver on a Unix socket that answers as a scenario says, and writes down what it is asked.
final class ScriptedDriver implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /// Asked at the start, as often as one likes.
  private static final Set<String> INTRODUCTION =
      Set.of(
          "Probe",
          "GetPluginInfo",
          "GetPluginCapabilities",
          "ControllerGetCapabilities",
          "GroupControllerGetCapabilities",
          "NodeGetCapabilities",
          "NodeGetInfo");

  /// What a driver can that a scenario says nothing of.
  private static final Map<String, List<String>> USUAL =
      Map.of(
          "provisioner", List.of("CREATE_DELETE_VOLUME"),
          "attacher", List.of("PUBLISH_UNPUBLISH_VOLUME"),
          "resizer", List.of("EXPAND_VOLUME"),
          "snapshotter", List.of("CREATE_DELETE_SNAPSHOT", "LIST_SNAPSHOTS"));

  /// One call: what was asked, and how it was answered.
  record Call(String method, ObjectNode request, String answer, long at) {}

  private final String name;
  private final JsonNode facts;
  private final List<String> usual;
  private final Map<String, JsonNode> scripts = new HashMap<>();
  private final Map<String, Integer> asked = new HashMap<>();
  private final List<Call> calls = new ArrayList<>();
  private final SocketServer server;
  private volatile long last = System.nanoTime();

  /// @param facts `plugin`, `controller`, `node`, `group`: capabilities; `answers`: by method, a list of answers, the
  ///   last of which is given ever after
  ScriptedDriver(Path socket, String name, String program, JsonNode facts) throws Exception {
    this.name = name;
    this.facts = facts;
    this.usual = USUAL.getOrDefault(program, List.of());
    script(facts.path("answers"));
    server =
        SocketServer.start(
            new SocketPath(socket),
            Takeover.IF_DEAD,
            List.of(
                service(IdentityGrpc.getServiceDescriptor()),
                service(ControllerGrpc.getServiceDescriptor()),
                service(GroupControllerGrpc.getServiceDescriptor()),
                service(NodeGrpc.getServiceDescriptor())),
            List.of());
  }

  synchronized void script(JsonNode answers) {
    answers.properties().forEach(each -> {
      scripts.put(each.getKey(), each.getValue());
      asked.put(each.getKey(), 0);
    });
  }

  /// @param introduction whether those of the start are of interest, too
  synchronized List<Call> calls(boolean introduction) {
    return calls.stream()
        .filter(each -> introduction || !INTRODUCTION.contains(each.method))
        .toList();
  }

  /// When it was last asked something of interest, as [System#nanoTime()] counts.
  long last() {
    return last;
  }

  @Override
  public void close() {
    server.stop(Duration.ZERO);
  }

  @SuppressWarnings("unchecked")
  private ServerServiceDefinition service(ServiceDescriptor service) {
    var definition = ServerServiceDefinition.builder(service);
    for (var each : service.getMethods()) {
      var method = (MethodDescriptor<Message, Message>) each;
      var prototype =
          (Message) ((PrototypeMarshaller<?>) method.getResponseMarshaller()).getMessagePrototype();
      definition.addMethod(
          method,
          ServerCalls.asyncUnaryCall(
              (request, observer) -> answer(method.getBareMethodName(), request, prototype, observer)));
    }
    return definition.build();
  }

  private void answer(
      String method, Message request, Message prototype, StreamObserver<Message> observer) {
    var tree = Messages.tree(request);
    var script = next(method, tree);
    var word = script.isTextual() ? script.asText() : script.path("code").asText("ok");
    synchronized (this) {
      calls.add(new Call(method, tree, word, System.nanoTime()));
      if (!INTRODUCTION.contains(method)) last = System.nanoTime();
    }
    try {
      if (script.has("delay")) Thread.sleep(script.path("delay").asLong());
      if (word.equals("hang")) return;
      if (!word.equals("ok")) {
        var why = script.path("message").asText("scripted");
        observer.onError(Status.Code.valueOf(word).toStatus().withDescription(why).asRuntimeException());
        return;
      }
      var answer = Messages.with(prototype, JSON.valueToTree(standard(method, tree)));
      if (script.isObject()) {
        var fields = ((ObjectNode) script).deepCopy();
        fields.remove(List.of("code", "message", "delay"));
        var whole = Merge.into(Messages.tree(answer), fields);
        answer = Messages.with(prototype, whole);
      }
      observer.onNext(answer);
      observer.onCompleted();
    } catch (Exception broken) {
      broken.printStackTrace();
      observer.onError(Status.INTERNAL.withDescription("the script: " + broken).asRuntimeException());
    }
  }

  /// What is to be answered now: a word (`ok`, `hang`, a code of gRPC), or fields over the usual answer.
  private synchronized JsonNode next(String method, JsonNode request) {
    int n = asked.merge(method, 1, Integer::sum) - 1;
    var list = scripts.getOrDefault(method, JSON.valueToTree(List.of("ok")));
    if (list.isObject()) { // by what it is about, which contains the key
      var about = subject(method, request);
      for (var each : list.properties())
        if (about.contains(each.getKey())) {
          int m = asked.merge(method + " " + each.getKey(), 1, Integer::sum) - 1;
          return each.getValue().get(Math.min(m, each.getValue().size() - 1));
        }
      return JSON.valueToTree("ok");
    }
    return list.get(Math.min(n, list.size() - 1));
  }

  /// Which volume or snapshot a call is about; the method, if it is about none.
  static String subject(String method, JsonNode request) {
    for (var field : List.of("volume_id", "snapshot_id", "name", "group_snapshot_id")) {
      var value = request.path(field).asText();
      if (!value.isEmpty()) return value;
    }
    return method;
  }

  private JsonNode standard(String method, JsonNode request) {
    var answer = JsonNodeFactory.instance.objectNode();
    switch (method) {
      case "Probe" -> answer.putObject("ready").put("value", true);
      case "GetPluginInfo" -> answer.put("name", name).put("vendor_version", "1");
      case "GetPluginCapabilities" -> {
        var list = answer.putArray("capabilities");
        for (var each : words("plugin", "CONTROLLER_SERVICE"))
          if (each.equals("ONLINE") || each.equals("OFFLINE"))
            list.addObject().putObject("volume_expansion").put("type", each);
          else list.addObject().putObject("service").put("type", each);
      }
      case "ControllerGetCapabilities" -> rpcs(answer, "controller");
      case "GroupControllerGetCapabilities" -> rpcs(answer, "group");
      case "NodeGetCapabilities" -> rpcs(answer, "node");
      case "NodeGetInfo" -> answer.put("node_id", "node-own-id");
      case "CreateVolume" -> {
        var volume = answer.putObject("volume");
        volume.put("volume_id", "vol-" + request.path("name").asText());
        volume.put("capacity_bytes", request.at("/capacity_range/required_bytes").asLong());
        if (request.has("volume_content_source"))
          volume.set("content_source", request.get("volume_content_source"));
        var topology = request.at("/accessibility_requirements/preferred/0");
        if (!topology.isMissingNode()) volume.putArray("accessible_topology").add(topology);
      }
      case "GetCapacity" -> answer.put("available_capacity", 1L << 40);
      case "ControllerPublishVolume" ->
          answer.putObject("publish_context").put("device", "/dev/x");
      case "ControllerExpandVolume" ->
          answer
              .put("capacity_bytes", request.at("/capacity_range/required_bytes").asLong())
              .put("node_expansion_required", false);
      case "CreateSnapshot" ->
          answer.set(
              "snapshot",
              snapshot(
                  "snap-" + request.path("name").asText(),
                  request.path("source_volume_id").asText()));
      case "ListSnapshots" ->
          answer
              .putArray("entries")
              .addObject()
              .set("snapshot", snapshot(request.path("snapshot_id").asText(), "vol-1"));
      case "GetSnapshot" ->
          answer.set("snapshot", snapshot(request.path("snapshot_id").asText(), "vol-1"));
      case "CreateVolumeGroupSnapshot" -> {
        var group = answer.putObject("group_snapshot");
        group.put("group_snapshot_id", "group-" + request.path("name").asText());
        group.put("ready_to_use", true).putObject("creation_time").put("seconds", 1700000000L);
        var members = group.putArray("snapshots");
        for (var each : request.path("source_volume_ids"))
          members.add(
              snapshot("snap-of-" + each.asText(), each.asText())
                  .put("group_snapshot_id", "group-" + request.path("name").asText()));
      }
      case "GetVolumeGroupSnapshot" -> {
        var group = answer.putObject("group_snapshot");
        var id = request.path("group_snapshot_id").asText();
        group.put("group_snapshot_id", id);
        group.put("ready_to_use", true).putObject("creation_time").put("seconds", 1700000000L);
        var members = group.putArray("snapshots");
        for (var each : request.path("snapshot_ids"))
          members.add(snapshot(each.asText(), "vol-1").put("group_snapshot_id", id));
      }
      default -> {}
    }
    return answer;
  }

  private static ObjectNode snapshot(String id, String volume) {
    var snapshot = JsonNodeFactory.instance.objectNode();
    snapshot.put("snapshot_id", id).put("source_volume_id", volume).put("ready_to_use", true);
    snapshot.put("size_bytes", 1L << 30);
    snapshot.putObject("creation_time").put("seconds", 1700000000L).put("nanos", 5);
    return snapshot;
  }

  private void rpcs(ObjectNode answer, String which) {
    var list = answer.putArray("capabilities");
    for (var each : words(which)) list.addObject().putObject("rpc").put("type", each);
  }

  private List<String> words(String which, String... standard) {
    var list = facts.path(which);
    if (list.isMissingNode()) return which.equals("controller") ? usual : List.of(standard);
    var words = new ArrayList<String>();
    for (var each : list) words.add(each.asText());
    return words;
  }
}
