package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What was seen of one scenario on one side.
final class Sight {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern OTHERS = Pattern.compile("\\b[kq]\\d{3}z\\b");

  private final Scenario scenario;
  private final Side side;
  private final Cluster cluster;
  private final String token;
  private final int port;
  private final Map<String, String> uids;
  private final ObjectNode found;

  /// @param uids what each is of, which grows
  /// @param found gets it
  Sight(Scenario scenario, Side side, int port, Map<String, String> uids, ObjectNode found) {
    this.scenario = scenario;
    this.side = side;
    this.cluster = side.cluster();
    this.token = scenario.token();
    this.port = port;
    this.uids = uids;
    this.found = found;
  }

  /// What the program says over HTTP.
  void http(JsonNode it) throws Exception {
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

  boolean reachable(String path) {
    try (var client = HttpClient.newHttpClient()) {
      client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(), BodyHandlers.ofString());
      return true;
    } catch (Exception refused) {
      return false;
    }
  }

  List<JsonNode> events() throws Exception {
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

  /// @param driver the calls of which are told; null: none was there
  void observe(ScriptedDriver driver) throws Exception {
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
