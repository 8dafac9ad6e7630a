package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One scenario on one side: what is done, and what was seen then.
final class Play {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern HOLE = Pattern.compile("<(T|ns|driver|port|reg|(uid|pv|at):[^<>]+)>");
  private static final Pattern OTHERS = Pattern.compile("\\b[kq]\\d{3}z\\b");
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
  }

  /// Everything that was seen.
  JsonNode run() throws Exception {
    var tree = scenario.tree();
    var doing = "";
    try {
      cluster.create(object("{kind: Namespace, metadata: {name: <T>}}"));
      cluster.create(object("{kind: Namespace, metadata: {name: <T>-other}}"));
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
      observe();
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
    var facts = JSON.readTree(filled(scenario.tree().path("driver").toString()));
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
    for (var flag : scenario.flags()) flags.add(filled(flag));
    var environment = new HashMap<String, String>();
    scenario.tree().path("environment").properties()
        .forEach(each -> environment.put(each.getKey(), filled(each.getValue().asText())));
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
    var it = word.equals("until") ? raw.get(word) : JSON.readTree(filled(raw.get(word).toString()));
    switch (word) {
      case "create" -> create(whole((ObjectNode) it));
      case "node" -> node(it);
      case "class" -> create(Templates.of("class", it, token, driverName));
      case "claim", "volume", "attachment", "secret", "snapshot", "content", "snapshotclass", "pod", "attributes" ->
          create(Templates.of(word, it, token, driverName));
      case "bound" -> bound(it);
      case "release" -> release(it.asText());
      case "patch" -> {
        for (var each : it.properties()) cluster.patch(each.getKey(), token, "", each.getValue());
      }
      case "status" -> {
        for (var each : it.properties()) cluster.patch(each.getKey(), token, "/status", each.getValue());
      }
      case "delete" -> {
        for (var each : it.isArray() ? it : JSON.createArrayNode().add(it)) delete(each.asText());
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
      case "http" -> http(it);
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

  private String filled(String text) {
    return HOLE.matcher(text).replaceAll(hole -> Matcher.quoteReplacement(value(hole.group(1))));
  }

  private String value(String hole) {
    try {
      if (hole.equals("T") || hole.equals("ns")) return token;
      if (hole.equals("driver")) return driverName;
      if (hole.equals("port")) return "" + port;
      if (hole.equals("reg")) return Files.createDirectories(side.work().resolve(side.name() + token)).toString();
      var parts = hole.split(":", 3);
      return switch (parts[0]) {
        case "uid" -> cluster.get(parts[1], token).at("/metadata/uid").asText();
        case "pv" -> {
          for (var each : cluster.list("pv", ""))
            if (each.at("/spec/claimRef/namespace").asText().equals(token)
                && each.at("/spec/claimRef/name").asText().equals(parts[1]))
              yield each.at("/metadata/name").asText();
          yield "none";
        }
        default -> cluster.get(parts[1], token).at(parts[2]).asText();
      };
    } catch (Exception unknown) {
      throw new IllegalStateException(hole, unknown);
    }
  }

  private ObjectNode object(String yaml) throws Exception {
    return (ObjectNode) new com.fasterxml.jackson.dataformat.yaml.YAMLMapper().readTree(filled(yaml));
  }

  private ObjectNode whole(ObjectNode object) {
    var word = Cluster.word(object);
    var metadata = object.withObject("/metadata");
    if (List.of("pvc", "vs", "vgs", "secret", "pod", "lease").contains(word) && !metadata.has("namespace"))
      metadata.put("namespace", token);
    return object;
  }

  private ObjectNode create(ObjectNode object) throws Exception {
    var made = cluster.create(object);
    know(made);
    return made;
  }

  private void know(JsonNode made) {
    uids.put(
        made.at("/metadata/uid").asText(),
        Cluster.word(made) + "/" + made.at("/metadata/name").asText().replace(token, "T"));
  }

  /// A node with the driver on it.
  private void node(JsonNode it) throws Exception {
    var name = token + "-" + it.path("name").asText("n1");
    if (!it.path("absent").asBoolean()) {
      var node = object("{kind: Node, metadata: {name: " + name + "}}");
      ((ObjectNode) node.get("metadata")).set("labels", it.path("labels").isMissingNode() ? JSON.createObjectNode() : it.path("labels"));
      create(node);
    }
    if (it.path("bare").asBoolean()) return;
    var entry = JSON.createObjectNode().put("name", driverName).put("nodeID", it.path("id").asText("id-of-" + it.path("name").asText("n1")));
    if (it.has("keys")) entry.set("topologyKeys", it.get("keys"));
    var csi = object("{kind: CSINode, metadata: {name: " + name + "}, spec: {drivers: []}}");
    ((com.fasterxml.jackson.databind.node.ArrayNode) csi.at("/spec/drivers")).add(entry);
    create(csi);
  }

  /// What the PV controller does when it binds.
  private void bound(JsonNode it) throws Exception {
    var claim = it.path("claim").asText(it.asText("data"));
    var volume = it.has("volume") ? it.get("volume").asText() : value("pv:" + claim);
    var pv = cluster.get("pv/" + volume, "");
    var of = cluster.get("pvc/" + claim, token);
    if (pv.at("/spec/claimRef/uid").isMissingNode()) {
      var ref = JSON.createObjectNode();
      ref.putObject("spec").putObject("claimRef").put("kind", "PersistentVolumeClaim").put("apiVersion", "v1")
          .put("namespace", token).put("name", claim).put("uid", of.at("/metadata/uid").asText());
      cluster.patch("pv/" + volume, "", "", ref);
    }
    cluster.patch("pvc/" + claim, token, "", JSON.readTree("{\"spec\":{\"volumeName\":\"" + volume + "\"}}"));
    cluster.patch("pv/" + volume, "", "/status", JSON.readTree("{\"status\":{\"phase\":\"Bound\"}}"));
    var status = JSON.createObjectNode();
    status.put("phase", "Bound");
    status.set("accessModes", pv.at("/spec/accessModes"));
    status.set("capacity", it.has("capacity") ? JSON.createObjectNode().set("storage", it.get("capacity")) : pv.at("/spec/capacity"));
    cluster.patch("pvc/" + claim, token, "/status", JSON.createObjectNode().set("status", status));
  }

  /// The claim goes, and what the PV controller then does.
  private void release(String claim) throws Exception {
    var volume = value("pv:" + claim);
    delete("pvc/" + claim);
    cluster.patch("pv/" + volume, "", "/status", JSON.readTree("{\"status\":{\"phase\":\"Released\"}}"));
  }

  /// Without what protects objects in use, which is kube-controller-manager's.
  private void delete(String of) throws Exception {
    cluster.delete(of, token);
    var rest = cluster.get(of, token).at("/metadata/finalizers");
    for (int n = 0; n < rest.size(); n++)
      if (rest.get(n).asText().matches("kubernetes.io/(pvc|pv|vac)-protection"))
        try {
          cluster.patch(of, token, "",
              JSON.readTree("[{\"op\":\"test\",\"path\":\"/metadata/finalizers/%d\",\"value\":%s},{\"op\":\"remove\",\"path\":\"/metadata/finalizers/%d\"}]".formatted(n, rest.get(n), n)));
        } catch (IllegalStateException changed) {
          delete(of); // a sidecar has taken off its own meanwhile
          return;
        }
  }

  private void http(JsonNode it) throws Exception {
    var path = it.path("path").asText(it.asText());
    var only = Pattern.compile(it.path("only").asText(""));
    var into = found.withObject("/http").putObject(path.isEmpty() ? "/" : path + it.path("as").asText());
    try (var client = HttpClient.newHttpClient()) {
      var answer =
          client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(), BodyHandlers.ofString());
      into.put("status", answer.statusCode());
      var lines = into.putArray("body");
      answer.body().lines().filter(line -> only.matcher(line).find())
          .map(line -> it.path("numbers").asBoolean(true) ? line : line.replaceFirst(" [^ ]*$", ""))
          .sorted().forEach(lines::add);
    } catch (java.io.IOException refused) {
      into.put("status", "refused");
    }
  }

  /// Keeps an object as it is now.
  private void look(String of) throws Exception {
    var looks = found.withObject("/looks");
    looks.set(looks.size() + " " + of, cluster.get(filled(of), token));
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
            case "event" -> events().stream().anyMatch(event -> event.path("reason").asText().equals(it.asText()));
            case "there" -> !cluster.get(filled(it.asText()), token).isEmpty();
            case "gone" -> cluster.get(filled(it.asText()), token).isEmpty();
            case "is" -> {
              boolean all = true;
              for (var what : it.properties()) {
                var parts = filled(what.getKey()).split(" ");
                var now = cluster.get(parts[0], token).at(parts[1]);
                var wanted = what.getValue();
                all &= wanted.isNull() ? now.isMissingNode()
                    : wanted.isTextual() ? !now.isMissingNode() && now.toString().contains(filled(wanted.asText())) : now.equals(wanted);
              }
              yield all;
            }
            case "file" -> Files.exists(Path.of(filled(it.asText())));
            case "ended" -> program.ended().isPresent();
            case "capacities" -> capacities() >= it.asInt();
            case "http" -> reachable(it.asText());
            case "within" -> true;
            default -> throw new IllegalArgumentException("no such condition: " + each.getKey());
          };
      if (!so) return false;
    }
    return true;
  }

  private boolean reachable(String path) {
    try (var client = HttpClient.newHttpClient()) {
      client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(), BodyHandlers.ofString());
      return true;
    } catch (Exception refused) {
      return false;
    }
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

  // What is seen.

  private List<JsonNode> events() throws Exception {
    var events = new ArrayList<JsonNode>();
    for (var event : cluster.list("event", "")) {
      var about = event.path("involvedObject");
      // The common controller looks at every scenario's snapshots.
      if (!Side.SHARED.contains(scenario.program())
          && Side.SHARED.contains(event.at("/source/component").asText())) continue;
      if (event.toString().contains(token) || uids.containsKey(about.path("uid").asText()))
        events.add(event);
    }
    return events;
  }

  private void observe() throws Exception {
    var objects = found.putObject("objects");
    for (var word : List.of("pvc", "pv", "va", "vs", "vsc", "vgs", "vgsc", "csisc"))
      for (var each : cluster.list(word, "")) {
        if (!each.toString().contains(token)) continue;
        uids.put(each.at("/metadata/uid").asText(), word + "/" + each.at("/metadata/name").asText().replace(token, "T"));
        var name = each.at("/metadata/name").asText();
        // Names that the server makes up say nothing of the object.
        if (word.equals("csisc"))
          name = each.path("nodeTopology").toString() + " " + each.path("storageClassName").asText();
        var kept = ((ObjectNode) each).deepCopy();
        if (word.equals("csisc")) kept.withObject("/metadata").remove(List.of("name", "generateName"));
        objects.withObject("/" + word).set(name, kept);
      }
    var told = new TreeMap<String, ObjectNode>();
    for (var event : events()) {
      var about = event.path("involvedObject");
      var title = "%s/%s %s".formatted(about.path("kind").asText(), about.path("name").asText(), event.path("reason").asText());
      var entry = told.computeIfAbsent(title, made -> JSON.createObjectNode());
      entry.put("type", event.path("type").asText());
      entry.put("component", event.at("/source/component").asText(event.path("reportingComponent").asText()));
      entry.withObject("/messages").put(event.path("message").asText(), true);
    }
    var events = found.putObject("events");
    told.forEach((title, entry) -> {
      var messages = JSON.createArrayNode();
      var sorted = new java.util.TreeSet<String>();
      entry.path("messages").fieldNames().forEachRemaining(sorted::add);
      sorted.forEach(messages::add);
      entry.set("messages", messages);
      events.set(title, entry);
    });
    var calls = found.putObject("calls");
    if (driver != null)
      for (var call : driver.calls(scenario.tree().path("introduction").asBoolean()))
        once(calls.withArray(pointer(ScriptedDriver.subject(call.method(), call.request()))), call(call));
    writes();
  }

  private static ObjectNode call(ScriptedDriver.Call call) {
    var tree = JSON.createObjectNode();
    tree.put("method", call.method());
    tree.set("request", call.request());
    tree.put("answer", call.answer());
    return tree;
  }

  /// What was written, by object: each verb with its outcome, in order.
  private void writes() throws Exception {
    var writes = found.putObject("writes");
    var bodies = found.putArray("bodies");
    for (var entry : side.writes().of(token)) {
      var about = entry.path("objectRef");
      var resource = about.path("resource").asText();
      if (List.of("events", "leases", "selfsubjectaccessreviews").contains(resource)) continue;
      if (entry.path("requestObject").toString().contains("berth.dev/")) continue; // `own` tells of them
      var name = about.path("name").asText();
      var within = about.path("namespace").asText();
      boolean foreign = OTHERS.matcher(name).find() && !name.contains(token);
      if (!within.isEmpty() && !within.equals(token) && !within.equals("default") || foreign) continue; // another scenario's
      var sub = about.path("subresource").asText();
      var title = resource + (sub.isEmpty() ? "" : "/" + sub);
      var line = JSON.createObjectNode();
      line.put("verb", entry.path("verb").asText());
      line.put("code", entry.at("/responseStatus/code").asInt());
      if (!name.isEmpty() && !resource.equals("csistoragecapacities")) line.put("name", name);
      once(writes.withArray(pointer(title)), line);
      bodies.add(entry.path("verb").asText() + " " + title + " " + name + " " + entry.at("/responseStatus/code") + ": " + entry.path("requestObject"));
    }
  }

  private static String pointer(String name) {
    return "/" + name.replace("~", "~0").replace("/", "~1");
  }

  /// Adds it, or counts the last one that is the same: again and again is as often as it happened to be.
  private static void once(com.fasterxml.jackson.databind.node.ArrayNode to, ObjectNode entry) {
    if (!to.isEmpty() && to.get(to.size() - 1) instanceof ObjectNode last) {
      var bare = last.deepCopy();
      bare.remove("again");
      if (bare.equals(entry)) {
        last.put("again", true);
        return;
      }
    }
    to.add(entry);
  }
}
