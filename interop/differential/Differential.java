package differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/// Sends the same requests to a real kube-apiserver and to Berth and compares the answers field by
/// field: status, headers that clients read, bodies. What a server makes up (uids, revisions, times)
/// is compared by its shape. A difference that `differences.txt` does not name with its reason fails
/// the run, and so does a line there that nothing differs by any more.
///
///     java -cp 'build/lib/*' interop/differential/Differential.java \
///       REAL TOKEN BERTH TOKEN FOLDER REPORT [ONLY]
///
/// FOLDER has the requests: README.md there says how they are written down. REPORT is written: every
/// difference with its request and both answers. ONLY is a regular expression of rows to run.
final class Differential {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private final Server real;
  private final Server berth;
  private final Allowances allowances;
  private final Pattern only;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> report = new ArrayList<>();
  private int rows;
  private int failed;
  private int allowed;

  private Differential(Server real, Server berth, Allowances allowances, Pattern only) {
    this.real = real;
    this.berth = berth;
    this.allowances = allowances;
    this.only = only;
  }

  public static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[4]);
    var differential =
        new Differential(
            new Server(arguments[0], arguments[1]),
            new Server(arguments[2], arguments[3]),
            new Allowances(folder.resolve("differences.txt")),
            Pattern.compile(arguments.length > 6 ? arguments[6] : ""));
    boolean same = differential.run(folder);
    Files.write(Path.of(arguments[5]), differential.report);
    System.exit(same ? 0 : 1);
  }

  private boolean run(Path folder) throws Exception {
    var matrix = Row.all(folder.resolve("matrix.txt"));
    for (var sample : samples(folder.resolve("kinds.yaml"))) {
      var title = sample.path("kind").asText();
      if (matrix.stream().anyMatch(row -> only.matcher(title + ": " + row.title()).find()))
        runSample(title, sample, matrix);
    }
    try (var files = Files.newDirectoryStream(folder, "*.txt")) {
      var names = new TreeSet<Path>();
      files.forEach(names::add);
      for (var file : names) {
        var name = file.getFileName().toString().replace(".txt", "");
        if (List.of("matrix", "differences").contains(name)) continue;
        var found = Row.all(file);
        if (found.stream().noneMatch(row -> only.matcher(name + ": " + row.title()).find())) continue;
        enter(name);
        for (var row : found) run(name, row);
      }
    }
    boolean whole = only.pattern().isEmpty();
    var unused = whole ? allowances.unused() : List.<Integer>of();
    for (int line : unused)
      System.out.println("differences.txt, line " + line + ": nothing differs by it");
    System.out.printf(
        "api-differential: %d requests, %d answered alike, %d differ as known, %d differ%n",
        rows, rows - failed - allowed, allowed, failed);
    return failed == 0 && unused.isEmpty();
  }

  /// A namespace of its own with what controllers, of which the real server has none, put there.
  private void enter(String name) throws Exception {
    var namespace = "d-" + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    var within = "/api/v1/namespaces/" + namespace;
    for (var server : List.of(real, berth)) {
      server.values.clear();
      server.values.put("ns", namespace);
      server.send(
          "POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
      server.send("POST", within + "/serviceaccounts", "{\"metadata\":{\"name\":\"default\"}}");
      server.send(
          "POST",
          within + "/configmaps?fieldManager=kube-apiserver",
          "{\"metadata\":{\"name\":\"kube-root-ca.crt\"},"
              + "\"data\":{\"ca.crt\":\"-----BEGIN CERTIFICATE-----\"}}");
    }
  }

  private void runSample(String title, ObjectNode sample, List<Row> matrix) throws Exception {
    enter("kind-" + title);
    var resource = resource(sample);
    if (resource.isEmpty()) throw new IllegalStateException("no such kind: " + sample);
    for (var server : List.of(real, berth)) {
      var values = server.values;
      var version = sample.path("apiVersion").asText();
      boolean namespaced = resource.get().path("namespaced").asBoolean();
      var collection =
          (version.contains("/") ? "/apis/" : "/api/")
              + version
              + (namespaced ? "/namespaces/" + values.get("ns") : "")
              + "/"
              + resource.get().path("name").asText();
      var name = sample.path("metadata").path("name").asText();
      values.put("collection", collection);
      values.put("name", name);
      values.put("object", collection + "/" + name);
      values.put("kind", title);
      values.put("apiVersion", version);
      values.put("sample", server.filled(JSON.writeValueAsString(sample)));
    }
    for (var row : matrix) run(title, row);
  }

  /// The real server's description of a sample's resource.
  private Optional<JsonNode> resource(ObjectNode sample) throws Exception {
    var version = sample.path("apiVersion").asText();
    var list = real.send("GET", (version.contains("/") ? "/apis/" : "/api/") + version, "").body;
    for (var each : list.path("resources"))
      if (each.path("kind").equals(sample.path("kind"))
          && !each.path("name").asText().contains("/")) return Optional.of(each);
    return Optional.empty();
  }

  // One request.

  private void run(String file, Row row) throws Exception {
    var title = file + ": " + row.title();
    rows++;
    var asked = threads.submit(() -> real.send(row));
    var found = berth.send(row);
    var expected = asked.get();
    record(file, row, expected);
    if (row.method().equals("POST") && row.path().equals(DEFINITIONS)) establish(row);
    var differences = Difference.between(expected, found);
    if (differences.isEmpty()) return;
    var unknown = differences.stream().filter(it -> !allowances.allow(title, it)).toList();
    if (unknown.isEmpty()) {
      allowed++;
      return;
    }
    failed++;
    System.out.println(title + ": " + row.method() + " " + real.filled(row.path()));
    for (var it : unknown) System.out.println("    " + it);
    report.add("## " + title + "\n");
    report.add("    " + row.method() + " " + real.filled(row.path()));
    row.headers().forEach((name, value) -> report.add("    " + name + ": " + value));
    if (!row.body().isEmpty())
      for (var line : real.filled(row.body()).split("\n")) report.add("    " + line);
    report.add("");
    for (var it : unknown) report.add("- " + it);
    report.add("\nreal:  `" + expected.shown() + "`\n\nberth: `" + found.shown() + "`\n");
  }

  /// Waits until both servers serve a kind that has just been defined.
  private void establish(Row row) throws Exception {
    var name = YAML.readTree(row.body()).at("/metadata/name").asText();
    for (var server : List.of(real, berth))
      for (int tries = 0; tries < 100; tries++) {
        var conditions = server.send("GET", DEFINITIONS + "/" + name, "").body.at("/status/conditions");
        boolean established = false;
        for (var condition : conditions)
          established |=
              condition.path("type").asText().equals("Established")
                  && condition.path("status").asText().equals("True");
        if (established) break;
        Thread.sleep(50);
      }
  }

  /// With RECORD, a folder, keeps what the real server says of each sample.
  private static void record(String kind, Row row, Answer answer) throws IOException {
    var folder = System.getenv("RECORD");
    if (folder == null || !row.title().startsWith("read")) return;
    if (row.title().equals("read")) Files.write(Path.of(folder, kind + ".json"), answer.bytes);
    if (row.title().equals("read in protobuf"))
      Files.write(Path.of(folder, kind + ".pb"), answer.bytes);
  }

  private static List<ObjectNode> samples(Path file) throws IOException {
    try (MappingIterator<ObjectNode> all =
        YAML.readerFor(ObjectNode.class).readValues(file.toFile())) {
      return all.readAll();
    }
  }
}
