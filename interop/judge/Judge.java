package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import differential.Allowances;
import differential.Difference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;

/// Plays each scenario twice, with Kubernetes' own sidecar and with Berth's, on a kube-apiserver each, and compares
/// what the driver was asked, what objects and events there are then, and what was written on the way. A difference
/// that `differences.txt` does not name with its reason fails the run, and so does a line there that nothing differs
/// by any more.
///
///     java -cp 'build/lib/*' interop/judge/Judge.java THEIRS OURS WORK FOLDER REPORT BERTH ONLY [NAME=PROGRAM...]
///
/// THEIRS and OURS are URLs of API servers, whose audit logs are WORK/theirs.audit and WORK/ours.audit.
final class Judge {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String OWN = "berth.dev/";

  public static void main(String[] arguments) throws Exception {
    var work = Path.of(arguments[2]);
    var folder = Path.of(arguments[3]);
    var berth = Path.of(arguments[5]);
    var only = Pattern.compile(arguments[6]);
    var peers = new HashMap<String, String>();
    for (int n = 7; n < arguments.length; n++)
      peers.put(arguments[n].split("=", 2)[0], arguments[n].split("=", 2)[1]);
    var theirs = side("theirs", arguments[0], work, peers);
    var ours = side("ours", arguments[1], work, Map.of());
    var allowances = new Allowances(folder.resolve("differences.txt"));
    var scenarios =
        Scenario.all(folder).stream()
            .filter(each -> only.matcher(each.title()).find())
            .toList();
    var skipped = scenarios.stream().filter(each -> !theirs.has(each.program())).toList();
    int width = Integer.parseInt(System.getenv().getOrDefault("WIDTH", "6"));
    var places = new Semaphore(width);
    var report = new ArrayList<String>();
    int failed = 0;
    int allowed = 0;
    int played = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var pairs = new ArrayList<java.util.concurrent.Future<List<JsonNode>>>();
      var order = scenarios.stream().filter(each -> theirs.has(each.program())).toList();
      for (var scenario : order)
        pairs.add(
            threads.submit(() -> {
              places.acquire();
              try {
                return play(scenario, theirs, ours, berth, threads);
              } finally {
                places.release();
              }
            }));
      for (int n = 0; n < order.size(); n++) {
        var scenario = order.get(n);
        var both = pairs.get(n).get();
        played++;
        // Among many others a program may be too slow for a scenario: once more, then.
        if (!alike(scenario, both, allowances)) both = again(scenario, theirs, ours, berth, threads);
        var differences = Difference.between(judged(both.get(0)), judged(both.get(1)));
        var id = scenario.tree().path("spec").asText();
        if (both.get(0).has("broken")) {
          failed++;
          System.out.println(scenario.title() + ", theirs: " + both.get(0).get("broken") + " exit " + both.get(0).path("exit"));
          continue;
        }
        if (scenario.tree().path("show").asBoolean() || System.getenv("SHOW") != null)
          System.out.println(scenario.title() + ", theirs: " + both.get(0).toPrettyString());
        if (both.get(0).has("unreached"))
          System.out.println(scenario.title() + ": upstream does not come to " + both.get(0).get("unreached"));
        if (differences.isEmpty()) continue;
        var unknown = differences.stream().filter(it -> !allowances.allow(scenario.title(), it)).toList();
        if (unknown.isEmpty()) {
          allowed++;
          continue;
        }
        failed++;
        System.out.println(scenario.title() + (id.isEmpty() ? "" : " (" + id + ")") + ", " + scenario.token());
        for (var it : unknown) System.out.println("    " + it.toString().replace("real ", "\n        theirs ").replace(", berth ", "\n        ours   "));
        report.add("## " + scenario.title() + " " + id + "\n");
        for (var it : unknown) report.add("- " + it);
        report.add("\ntheirs:\n\n```\n" + both.get(0).toPrettyString() + "\n```\n");
        report.add("ours:\n\n```\n" + both.get(1).toPrettyString() + "\n```\n");
      }
    }
    Side.stopAll();
    Files.write(Path.of(arguments[4]), report);
    var unused = only.pattern().isEmpty() && skipped.isEmpty() ? allowances.unused() : List.<Integer>of();
    for (int line : unused) System.out.println("differences.txt, line " + line + ": nothing differs by it");
    if (!skipped.isEmpty())
      System.out.printf("not played, as upstream's program is not there: %d scenarios%n", skipped.size());
    System.out.printf(
        "scenarios: %d played, %d alike, %d differ as known, %d differ%n",
        played, played - failed - allowed, allowed, failed);
    System.out.flush();
    // A thread that is still at something does not hold this up.
    Runtime.getRuntime().halt(failed == 0 && unused.isEmpty() ? 0 : 1);
  }

  private static boolean alike(Scenario scenario, List<JsonNode> both, Allowances allowances) {
    return !both.get(0).has("broken")
        && !both.get(0).has("unreached")
        && Difference.between(judged(both.get(0)), judged(both.get(1))).stream()
            .allMatch(it -> allowances.allow(scenario.title(), it));
  }

  private static List<JsonNode> play(
      Scenario scenario, Side theirs, Side ours, Path berth, java.util.concurrent.ExecutorService threads)
      throws Exception {
    var sides = new ArrayList<Callable<JsonNode>>();
    for (var side : List.of(theirs, ours)) sides.add(() -> new Play(scenario, side, berth).run());
    var both = threads.invokeAll(sides);
    return List.of(both.get(0).get(), both.get(1).get());
  }

  private static List<JsonNode> again(
      Scenario scenario, Side theirs, Side ours, Path berth, java.util.concurrent.ExecutorService threads)
      throws Exception {
    var other = new Scenario(scenario.title(), scenario.token().replace('k', 'q'), scenario.program(), scenario.flags(), scenario.tree());
    return play(other, theirs, ours, berth, threads);
  }

  /// Without what is shown, and not judged.
  private static JsonNode judged(JsonNode found) {
    var tree = ((ObjectNode) found).deepCopy();
    tree.remove("bodies");
    for (var part : List.of("calls", "writes", "events", "objects"))
      if (!tree.has(part)) tree.set(part, JsonNodeFactory.instance.objectNode());
    for (var kind : tree.path("objects").properties())
      for (var object : kind.getValue().properties())
        if (object.getValue().path("metadata") instanceof ObjectNode metadata) {
          var own = own(metadata);
          if (!own.isEmpty()) tree.withObject("/own").set(kind.getKey() + " " + object.getKey(), own);
        }
    return tree;
  }

  /// What an object has of Berth's own, which is taken out.
  private static ArrayNode own(ObjectNode metadata) {
    var own = JsonNodeFactory.instance.arrayNode();
    for (var part : List.of("annotations", "finalizers")) {
      var kept = metadata.path(part).isArray() ? JsonNodeFactory.instance.arrayNode() : JsonNodeFactory.instance.objectNode();
      if (kept instanceof ArrayNode list)
        for (var each : metadata.path(part)) (each.asText().startsWith(OWN) ? own : list).add(each);
      else
        for (var each : metadata.path(part).properties())
          if (each.getKey().startsWith(OWN)) own.add(each.getKey());
          else ((ObjectNode) kept).set(each.getKey(), each.getValue());
      if (kept.isEmpty()) metadata.remove(part);
      else metadata.set(part, kept);
    }
    return own;
  }

  private static Side side(String name, String url, Path work, Map<String, String> peers) throws Exception {
    return new Side(name, new Cluster(url), new Writes(work.resolve(name + ".audit")), work, peers);
  }

  private Judge() {}
}
