package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// One scenario on one side: what is done, and what was seen then.
final class Play {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long PATIENCE = 20_000;

  /// What is often awaited.
  private static final Map<String, String> SHORT =
      Map.of(
          "made", "{\"there\": \"pv/pvc-<uid:pvc/data>\"}",
          "deleted", "{\"is\": {\"pv/<T>-pv /metadata/deletionTimestamp\": \"\"}}",
          "refused", "{\"event\": \"ProvisioningFailed\"}",
          "attached", "{\"is\": {\"va/<T>-va /status/attached\": true}}",
          "attachError", "{\"is\": {\"va/<T>-va /status/attachError/message\": \"\"}}",
          "detached", "{\"gone\": \"va/<T>-va\"}",
          "detachError", "{\"is\": {\"va/<T>-va /status/detachError/message\": \"\"}}");

  private final Scenario scenario;
  private final Side side;
  private final Path berth;
  private final Cluster cluster;
  private final String token;
  private final String driverName;
  private final Path socket;
  private final int port;
  private final Map<String, String> uids = new HashMap<>();
  private final ObjectNode found = JSON.createObjectNode();
  private final Stage stage;
  private final Sight sight;
  private ScriptedDriver driver;
  private Program program;

  Play(Scenario scenario, Side side, Path berth) throws Exception {
    this.scenario = scenario;
    this.side = side;
    this.berth = berth;
    this.cluster = side.cluster();
    this.token = scenario.token();
    this.driverName = scenario.tree().at("/driver/name").asText(token + ".csi.test");
    this.socket = side.work().resolve(side.name() + token + ".sock");
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    var folder = side.work().resolve(side.name() + token);
    this.stage = new Stage(cluster, token, driverName, port, folder, uids);
    this.sight = new Sight(scenario, side, port, uids, found);
  }

  /// Everything that was seen.
  JsonNode run() throws Exception {
    var tree = scenario.tree();
    var doing = "";
    try {
      cluster.create(stage.object("{kind: Namespace, metadata: {name: <T>}}"));
      cluster.create(stage.object("{kind: Namespace, metadata: {name: <T>-other}}"));
      if (!tree.path("driver").path("late").asBoolean()) listen();
      for (var step : tree.path("given")) {
        doing = step.toString();
        step(step);
      }
      if (Side.SHARED.contains(scenario.program())) side.share(scenario.program(), berth);
      else if (!tree.path("stopped").asBoolean()) {
        doing = "start";
        start();
        introduced();
      }
      for (var step : tree.path("do")) {
        doing = step.toString();
        step(step);
      }
      quiet(tree.path("quiet").asLong(800));
    } catch (Exception wrong) {
      found.put("broken", doing + ": " + wrong);
    } finally {
      if (program != null) {
        program.ended().ifPresent(code -> found.put("exit", code == 0 ? "0" : "not 0"));
        program.stop();
      }
      sight.observe(driver);
      if (driver != null) driver.close();
    }
    for (var each : tree.path("ignore")) cut(found, each.asText());
    return new Plain(uids, Files.readString(Path.of("/proc/sys/kernel/hostname")).strip()).of(found);
  }

  private static void cut(ObjectNode tree, String pointer) {
    int end = pointer.lastIndexOf('/');
    if (tree.at(pointer.substring(0, end)) instanceof ObjectNode parent)
      parent.remove(pointer.substring(end + 1));
  }

  // The sidecar and its driver.

  private void listen() throws Exception {
    var facts = JSON.readTree(stage.filled(scenario.tree().path("driver").toString()));
    driver = new ScriptedDriver(socket, driverName, scenario.program(), facts);
  }

  private void start() throws Exception {
    var flags = new ArrayList<String>();
    var config = side.work().resolve(side.name() + token + ".kubeconfig");
    cluster.kubeconfig(config, token);
    boolean plain = scenario.tree().path("plain").asBoolean();
    boolean node = List.of("livenessprobe", "node-driver-registrar").contains(scenario.program());
    flags.add("--csi-address=" + socket);
    if (!node) flags.add("--kubeconfig=" + config);
    if (!plain && !node && !scenario.program().equals("health-monitor")) {
      flags.add("--kube-api-qps=1000");
      flags.add("--kube-api-burst=1000");
      if (scenario.flags().stream().noneMatch(it -> it.contains("retry-interval-start")))
        flags.add("--retry-interval-start=250ms");
    }
    for (var flag : scenario.flags()) flags.add(stage.filled(flag));
    var environment = new HashMap<String, String>();
    scenario.tree().path("environment").properties()
        .forEach(each -> environment.put(each.getKey(), stage.filled(each.getValue().asText())));
    boolean apart = scenario.tree().path("apart").asBoolean() || !environment.isEmpty() || node;
    program =
        side.start(
            scenario.program(),
            flags,
            environment,
            side.work().resolve(side.name() + token + ".log"),
            apart,
            berth);
  }

  /// Waits until it has asked what the driver can, and a little longer, so that it watches what there is.
  private void introduced() throws Exception {
    if (driver == null) return;
    long end = System.currentTimeMillis() + PATIENCE;
    while (System.currentTimeMillis() < end && program.ended().isEmpty()) {
      if (driver.calls(true).stream().anyMatch(it -> it.method().equals("GetPluginInfo"))) {
        Thread.sleep(scenario.tree().path("do").isEmpty() ? 100 : 900);
        return;
      }
      Thread.sleep(50);
    }
  }

  // What is done.

  private void step(JsonNode raw) throws Exception {
    var word = raw.fieldNames().next();
    // Names in conditions are filled in whenever they are looked at.
    var it = word.equals("until") ? raw.get(word) : JSON.readTree(stage.filled(raw.get(word).toString()));
    switch (word) {
      case "create" -> stage.create(stage.whole((ObjectNode) it));
      case "node" -> stage.node(it);
      case "class" -> stage.create(Templates.of("class", it, token, driverName));
      case "claim", "volume", "attachment", "secret", "snapshot", "content", "snapshotclass", "pod", "attributes" ->
          stage.create(Templates.of(word, it, token, driverName));
      case "bound" -> stage.bound(it);
      case "release" -> stage.release(it.asText());
      case "patch" -> {
        for (var each : it.properties()) cluster.patch(each.getKey(), token, "", each.getValue());
      }
      case "status" -> {
        for (var each : it.properties()) cluster.patch(each.getKey(), token, "/status", each.getValue());
      }
      case "delete" -> {
        for (var each : it.isArray() ? it : JSON.createArrayNode().add(it)) stage.delete(each.asText());
      }
      case "answers" -> driver.script(it);
      case "until" -> until(it);
      case "quiet" -> quiet(it.asLong());
      case "sleep" -> Thread.sleep(it.asLong());
      case "listen" -> listen();
      case "deaf" -> driver.close();
      case "start" -> {
        start();
        introduced();
      }
      case "stop" -> program.stop();
      case "restart" -> {
        program.stop();
        start();
        introduced();
      }
      case "http" -> sight.http(it);
      case "register" -> found.set("registration", Kubelet.register(socketOf(), it.asText()));
      case "isfile" -> found.put("left", Files.exists(Path.of(it.asText())));
      case "unlink" -> Files.delete(Path.of(it.asText()));
      case "touch" -> Files.writeString(Path.of(it.asText()), "");
      case "leases" -> {
        var leases = found.putArray("leases");
        for (var each : cluster.list("lease", token))
          leases.addObject().put("name", each.at("/metadata/name").asText()).set("spec", each.get("spec"));
      }
      case "look" -> look(it.asText());
      default -> throw new IllegalArgumentException("no such step: " + word);
    }
  }

  private Path socketOf() {
    return side.work().resolve(side.name() + token).resolve(driverName + "-reg.sock");
  }

  /// Keeps an object as it is now.
  private void look(String of) throws Exception {
    var looks = found.withObject("/looks");
    looks.set(looks.size() + " " + of, cluster.get(stage.filled(of), token));
  }

  // What is awaited.

  private void until(JsonNode raw) throws Exception {
    var condition = raw.isTextual() ? JSON.readTree(SHORT.get(raw.asText())) : raw;
    long end = System.currentTimeMillis() + condition.path("within").asLong(PATIENCE);
    while (System.currentTimeMillis() < end) {
      if (holds(condition)) return;
      if (program != null && program.ended().isPresent()) break;
      Thread.sleep(80);
    }
    found.withArray("/unreached").add(condition);
  }

  private boolean holds(JsonNode condition) throws Exception {
    for (var each : condition.properties()) {
      var it = each.getValue();
      boolean so =
          switch (each.getKey()) {
            case "calls" -> {
              boolean all = true;
              for (var method : it.properties())
                all &= driver.calls(true).stream().filter(call -> call.method().equals(method.getKey())).count()
                    >= method.getValue().asInt();
              yield all;
            }
            case "event" -> sight.events().stream().anyMatch(event -> event.path("reason").asText().equals(it.asText()));
            case "there" -> !cluster.get(stage.filled(it.asText()), token).isEmpty();
            case "gone" -> cluster.get(stage.filled(it.asText()), token).isEmpty();
            case "is" -> {
              boolean all = true;
              for (var what : it.properties()) {
                var parts = stage.filled(what.getKey()).split(" ");
                var now = cluster.get(parts[0], token).at(parts[1]);
                var wanted = what.getValue();
                all &= wanted.isNull() ? now.isMissingNode()
                    : wanted.isTextual() ? !now.isMissingNode() && now.toString().contains(stage.filled(wanted.asText())) : now.equals(wanted);
              }
              yield all;
            }
            case "file" -> Files.exists(Path.of(stage.filled(it.asText())));
            case "ended" -> program.ended().isPresent();
            case "capacities" -> capacities() >= it.asInt();
            case "http" -> sight.reachable(it.asText());
            case "within" -> true;
            default -> throw new IllegalArgumentException("no such condition: " + each.getKey());
          };
      if (!so) return false;
    }
    return true;
  }

  private int capacities() throws Exception {
    int n = 0;
    for (var each : cluster.list("csisc", "")) if (each.toString().contains(token)) n++;
    return n;
  }

  /// Waits until nothing has happened for so many milliseconds.
  private void quiet(long wanted) throws Exception {
    long end = System.currentTimeMillis() + Math.max(6000, 2 * wanted);
    long since = System.nanoTime();
    int seen = -1;
    while (System.currentTimeMillis() < end) {
      int now = side.writes().of(token).size();
      if (now != seen) since = System.nanoTime();
      seen = now;
      long last = driver == null ? since : Math.max(since, driver.last());
      if (System.nanoTime() - last > wanted * 1_000_000) return;
      Thread.sleep(100);
    }
  }
}
