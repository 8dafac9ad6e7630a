import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.proto.Protobuf;
import dev.berth.apiserver.proto.UnreadableException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// Sends the same requests to a real kube-apiserver and to Berth and compares the answers field by
/// field: status, headers that clients read, bodies. What a server makes up (uids, revisions, times)
/// is compared by its shape. A difference that `differences.txt` does not name with its reason fails
/// the run, and so does a line there that nothing differs by any more.
///
///     java -cp 'build/lib/*' interop/ApiDifferential.java REAL TOKEN BERTH TOKEN FOLDER REPORT [ONLY]
///
/// FOLDER has the requests: README.md there says how they are written down. REPORT is written: every
/// difference with its request and both answers. ONLY is a regular expression of rows to run.
final class ApiDifferential {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String PROTOBUF = Protobuf.MEDIA_TYPE;

  /// The headers of answers that clients read.
  private static final List<String> HEADERS =
      List.of("Content-Type", "Allow", "Retry-After", "Warning", "WWW-Authenticate", "Vary");

  private final Server real;
  private final Server berth;
  private final List<Allowance> allowances;
  private final Pattern only;
  private final List<String> report = new ArrayList<>();
  private int rows;
  private int failed;
  private int allowed;

  private ApiDifferential(Server real, Server berth, List<Allowance> allowances, Pattern only) {
    this.real = real;
    this.berth = berth;
    this.allowances = allowances;
    this.only = only;
  }

  public static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[4]);
    var differential =
        new ApiDifferential(
            new Server(arguments[0], arguments[1]),
            new Server(arguments[2], arguments[3]),
            allowances(folder.resolve("differences.txt")),
            Pattern.compile(arguments.length > 6 ? arguments[6] : ""));
    boolean same = differential.run(folder);
    Files.write(Path.of(arguments[5]), differential.report);
    System.exit(same ? 0 : 1);
  }

  private boolean run(Path folder) throws Exception {
    var matrix = rows(folder.resolve("matrix.txt"));
    for (var sample : samples(folder.resolve("kinds.yaml"))) {
      var title = sample.path("kind").asText();
      if (matrix.stream().anyMatch(row -> only.matcher(title + ": " + row.title).find()))
        runSample(title, sample, matrix);
    }
    try (var files = Files.newDirectoryStream(folder, "*.txt")) {
      var names = new TreeSet<Path>();
      files.forEach(names::add);
      for (var file : names) {
        var name = file.getFileName().toString().replace(".txt", "");
        if (List.of("matrix", "differences").contains(name)) continue;
        var found = rows(file);
        if (found.stream().noneMatch(row -> only.matcher(name + ": " + row.title).find())) continue;
        enter(name);
        for (var row : found) run(name, row);
      }
    }
    boolean whole = only.pattern().isEmpty();
    for (var allowance : allowances)
      if (whole && !allowance.used)
        System.out.println("differences.txt, line " + allowance.line + ": nothing differs by it");
    System.out.printf(
        "api-differential: %d requests, %d answered alike, %d differ as known, %d differ%n",
        rows, rows - failed - allowed, allowed, failed);
    return failed == 0 && !(whole && allowances.stream().anyMatch(it -> !it.used));
  }

  /// A namespace of its own with what controllers, of which the real server has none, put there.
  private void enter(String name) throws Exception {
    var namespace = "d-" + name.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    for (var server : List.of(real, berth)) {
      server.values.clear();
      server.values.put("ns", namespace);
      server.send(
          "POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
      server.send(
          "POST",
          "/api/v1/namespaces/" + namespace + "/serviceaccounts",
          "{\"metadata\":{\"name\":\"default\"}}");
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
    var title = file + ": " + row.title;
    rows++;
    Answer expected = real.send(row);
    Answer found = berth.send(row);
    record(file, row, expected);
    var differences = new ArrayList<Difference>();
    compare("", expected.normal(), found.normal(), differences);
    if (differences.isEmpty()) return;
    var unknown = differences.stream().filter(it -> !allowed(title, it)).toList();
    if (unknown.isEmpty()) {
      allowed++;
      return;
    }
    failed++;
    System.out.println(title + ": " + row.method + " " + real.filled(row.path));
    for (var it : unknown) System.out.println("    " + it);
    report.add("## " + title + "\n");
    report.add("    " + row.method + " " + real.filled(row.path));
    row.headers.forEach((name, value) -> report.add("    " + name + ": " + value));
    if (!row.body.isEmpty())
      for (var line : real.filled(row.body).split("\n")) report.add("    " + line);
    report.add("");
    for (var it : unknown) report.add("- " + it);
    report.add("\nreal:  `" + expected.shown() + "`\n\nberth: `" + found.shown() + "`\n");
  }

  /// With RECORD, a folder, keeps what the real server says of each sample.
  private static void record(String kind, Row row, Answer answer) throws IOException {
    var folder = System.getenv("RECORD");
    if (folder == null || !row.title.startsWith("read")) return;
    if (row.title.equals("read")) Files.write(Path.of(folder, kind + ".json"), answer.bytes);
    if (row.title.equals("read in protobuf"))
      Files.write(Path.of(folder, kind + ".pb"), answer.bytes);
  }

  private boolean allowed(String title, Difference difference) {
    boolean found = false;
    for (var allowance : allowances)
      if (allowance.row.matcher(title).find()
          && allowance.path.matcher(difference.path).matches()) {
        allowance.used = true;
        found = true;
      }
    return found;
  }

  /// A known difference.
  private static final class Allowance {
    final Pattern row;
    final Pattern path;
    final int line;
    boolean used;

    Allowance(Pattern row, Pattern path, int line) {
      this.row = row;
      this.path = path;
      this.line = line;
    }
  }

  private static List<Allowance> allowances(Path file) throws IOException {
    var all = new ArrayList<Allowance>();
    int number = 0;
    for (var line : Files.readAllLines(file)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) continue;
      var words = line.split(" \\| ", 3);
      if (words.length < 3) throw new IllegalStateException(file + ": no reason: " + line);
      all.add(
          new Allowance(
              Pattern.compile(words[0].strip()), Pattern.compile(words[1].strip()), number));
    }
    return all;
  }

  private record Difference(String path, JsonNode expected, JsonNode found) {
    @Override
    public String toString() {
      return path + ": real " + cut(expected) + ", berth " + cut(found);
    }

    private static String cut(JsonNode node) {
      var text = node.isMissingNode() ? "has none" : node.toString();
      return text.length() > 600 ? text.substring(0, 600) + "…" : text;
    }
  }

  private static void compare(String path, JsonNode expected, JsonNode found, List<Difference> to) {
    if (expected.equals(found)) return;
    if (expected.isObject() && found.isObject()) {
      var names = new TreeSet<String>();
      expected.fieldNames().forEachRemaining(names::add);
      found.fieldNames().forEachRemaining(names::add);
      for (var name : names)
        compare(path + "/" + name, expected.path(name), found.path(name), to);
    } else if (expected.isArray() && found.isArray() && expected.size() == found.size()) {
      for (int i = 0; i < expected.size(); i++)
        compare(path + "/" + i, expected.get(i), found.get(i), to);
    } else {
      to.add(new Difference(path, expected, found));
    }
  }

  // What is asked, as the files have it.

  /// @param save name of a value to keep, by the JSON pointer of where it is found
  private record Row(
      String title,
      String method,
      String path,
      Map<String, String> headers,
      Map<String, String> save,
      String body) {}

  private static List<Row> rows(Path file) throws IOException {
    var rows = new ArrayList<Row>();
    for (var part : ("\n" + Files.readString(file)).split("\n### ")) {
      var lines = part.lines().toList();
      if (lines.size() < 2 || rows.isEmpty() && part.isBlank() || lines.getFirst().isBlank())
        continue;
      if (lines.getFirst().startsWith("#")) continue;
      var request = lines.get(1).split(" ", 2);
      var headers = new LinkedHashMap<String, String>();
      var save = new LinkedHashMap<String, String>();
      int at = 2;
      for (; at < lines.size() && !lines.get(at).isBlank(); at++) {
        var header = lines.get(at).split(": *", 2);
        if (header[0].equals("Save")) {
          var words = header[1].split(" ");
          save.put(words[0], words[1]);
        } else headers.put(header[0], header.length > 1 ? header[1] : "");
      }
      var body =
          lines.stream().skip(at).collect(Collectors.joining("\n")).strip();
      rows.add(new Row(lines.getFirst(), request[0], request[1], headers, save, body));
    }
    return rows;
  }

  private static List<ObjectNode> samples(Path file) throws IOException {
    try (MappingIterator<ObjectNode> all =
        YAML.readerFor(ObjectNode.class).readValues(file.toFile())) {
      return all.readAll();
    }
  }

  // Whom is asked, and what is answered.

  private static final class Server {
    private static final Pattern VALUE = Pattern.compile("\\$\\{([a-zA-Z0-9]+)}");

    final Map<String, String> values = new HashMap<>();
    private final HttpClient client;
    private final URI url;
    private final String token;

    Server(String url, String token) throws Exception {
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
      this.client = 
          HttpClient.newBuilder().sslContext(context).version(HttpClient.Version.HTTP_1_1).build();
      this.url = URI.create(url);
      this.token = token;
    }

    String filled(String text) {
      return VALUE
          .matcher(text)
          .replaceAll(
              found ->
                  Matcher.quoteReplacement(
                      values.getOrDefault(found.group(1), found.group())));
    }

    Answer send(String method, String path, String body) throws Exception {
      return send(new Row("", method, path, Map.of(), Map.of(), body));
    }

    Answer send(Row row) throws Exception {
      var request = HttpRequest.newBuilder(url.resolve(filled(row.path)));
      request.timeout(Duration.ofSeconds(60));
      var type = row.headers.getOrDefault("Content-Type", "");
      boolean known = false;
      for (var header : row.headers.entrySet()) {
        known |= header.getKey().equals("Authorization");
        if (!header.getValue().isEmpty())
          request.header(header.getKey(), filled(header.getValue()));
      }
      if (!known) request.header("Authorization", "Bearer " + token);
      var text = filled(row.body);
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      if (!text.isEmpty() && type.startsWith(PROTOBUF) && !text.startsWith("raw "))
        bytes = Protobuf.encode((ObjectNode) YAML.readTree(text));
      else if (text.startsWith("raw ")) bytes = text.substring(4).getBytes(StandardCharsets.UTF_8);
      else if (!text.isEmpty() && !row.headers.containsKey("Content-Type")) {
        request.header("Content-Type", "application/json");
        bytes = JSON.writeValueAsBytes(YAML.readTree(text));
      }
      request.method(
          row.method,
          bytes.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes));
      Answer answer;
      try {
        answer = new Answer(sent(request.build()));
      } catch (IOException unanswered) {
        return new Answer(unanswered);
      }
      keep(row, answer.body);
      return answer;
    }

    /// Once more if the connection was ended that an earlier request had used.
    private HttpResponse<byte[]> sent(HttpRequest request) throws Exception {
      try {
        return client.send(request, BodyHandlers.ofByteArray());
      } catch (IOException ended) {
        return client.send(request, BodyHandlers.ofByteArray());
      }
    }

    private void keep(Row row, JsonNode body) {
      var metadata = body.path("metadata");
      if (metadata.has("uid")) {
        values.put("uid", metadata.path("uid").asText());
        values.put("rv", metadata.path("resourceVersion").asText());
      } else if (metadata.has("resourceVersion"))
        values.put("listrv", metadata.path("resourceVersion").asText());
      if (metadata.has("continue")) values.put("continue", metadata.path("continue").asText());
      row.save.forEach((name, pointer) -> values.put(name, body.at(pointer).asText()));
    }
  }

  private static final class Answer {
    final int status;
    final Map<String, String> headers = new TreeMap<>();
    final byte[] bytes;
    final JsonNode body;

    Answer(HttpResponse<byte[]> response) throws IOException, UnreadableException {
      status = response.statusCode();
      for (var name : HEADERS) {
        var values = response.headers().allValues(name);
        if (!values.isEmpty()) headers.put(name, String.join(", ", values));
      }
      bytes = response.body();
      body = read(headers.getOrDefault("Content-Type", ""), response.body());
    }

    /// The connection ended instead.
    Answer(IOException unanswered) {
      status = 0;
      bytes = new byte[0];
      body = TextNode.valueOf(unanswered.toString());
    }

    private static JsonNode read(String type, byte[] body)
        throws IOException, UnreadableException {
      if (type.startsWith(PROTOBUF + ";stream=watch")) return Events.read(body);
      if (type.startsWith(PROTOBUF)) return Protobuf.decode(body, "", "");
      var text = new String(body, StandardCharsets.UTF_8);
      if (type.startsWith("application/yaml")) return YAML.readTree(body);
      if (!type.startsWith("application/json")) return TextNode.valueOf(text);
      try (MappingIterator<JsonNode> all = JSON.readerFor(JsonNode.class).readValues(body)) {
        var documents = all.readAll();
        if (documents.size() == 1) return documents.getFirst();
        return JsonNodeFactory.instance.arrayNode().addAll(documents);
      } catch (JsonProcessingException broken) {
        return TextNode.valueOf(text);
      }
    }

    /// Without what a server makes up.
    JsonNode normal() {
      var tree = JsonNodeFactory.instance.objectNode();
      tree.put("status", status);
      headers.forEach(tree::put);
      tree.set("body", normal("", body));
      return tree;
    }

    String shown() {
      var text = status + " " + headers + " " + body;
      return text.length() > 4000 ? text.substring(0, 4000) + "…" : text;
    }

    private static final Pattern UID =
        Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern TIME =
        Pattern.compile("2\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");

    private static JsonNode normal(String name, JsonNode node) {
      switch (node) {
        case ObjectNode object -> {
          var tree = JsonNodeFactory.instance.objectNode();
          for (var field : object.properties())
            tree.set(field.getKey(), normal(field.getKey(), field.getValue()));
          return tree;
        }
        case ArrayNode array -> {
          var tree = JsonNodeFactory.instance.arrayNode();
          for (var each : array) tree.add(normal(name, each));
          return tree;
        }
        case TextNode text -> {
          var made = text.asText();
          if (name.equals("resourceVersion") && !made.isEmpty()) return TextNode.valueOf("<rv>");
          if (name.equals("continue") && !made.isEmpty()) return TextNode.valueOf("<continue>");
          made = UID.matcher(made).replaceAll("<uid>");
          made = TIME.matcher(made).replaceAll(found -> found.group(1) == null ? "<time>" : "<microtime>");
          return TextNode.valueOf(made);
        }
        default -> {
          // 1 and 1.0 are the same to every client.
          return node.isNumber() && node.asDouble() == node.asLong()
              ? LongNode.valueOf(node.asLong())
              : node;
        }
      }
    }
  }

  /// Protobuf as Berth reads and writes it: that the real server takes what is written, and that
  /// what it answers reads as its JSON does, is part of what is compared.
  private static final class Events {
    private Events() {}

    static JsonNode read(byte[] body) throws UnreadableException {
      var events = JsonNodeFactory.instance.arrayNode();
      for (int at = 0; at < body.length; ) {
        int length = ByteBuffer.wrap(body, at, Integer.BYTES).getInt();
        at += Integer.BYTES;
        events.add(Protobuf.event(Arrays.copyOfRange(body, at, at + length)));
        at += length;
      }
      return events;
    }
  }

  /// Both servers are ours, on this machine.
  private static final class Trusting extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
