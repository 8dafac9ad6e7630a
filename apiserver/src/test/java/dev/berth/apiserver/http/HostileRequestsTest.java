package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Requests that would harm a server that believes its clients. None is answered as a failure of
/// ours, and after each the next write is stored.
@Timeout(60)
class HostileRequestsTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String JSON = "application/json";
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final AtomicInteger count = new AtomicInteger();
  private static final String LONGEST = String.valueOf(Long.MAX_VALUE);

  @TempDir private static Path home;
  private static RunningServer server;
  private static RestClient client;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.onDisk(home);
    client = new RestClient(server, HttpClient.Version.HTTP_1_1);
    assertThat(client.send("POST", MAPS, named("target").toString()).status()).isEqualTo(201);
    createPod(named("free"), "");
    createPod(named("web"), "node-a");
  }

  private static void createPod(ObjectNode pod, String node) throws Exception {
    pod.putObject("spec")
        .put("nodeName", node)
        .put("terminationGracePeriodSeconds", Long.MAX_VALUE)
        .putArray("containers")
        .addObject()
        .put("name", "c")
        .put("image", "host");
    assertThat(client.send("POST", PODS, pod.toString()).status()).isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  /// One request and how it is answered.
  ///
  /// @param type of the body
  /// @param text found in the answer
  record Row(
      String what, String method, String path, String type, String body, int code, String text) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Row get(String path, int code, String text) {
    return new Row(path, "GET", path, JSON, "", code, text);
  }

  private static Row patch(String what, String operations, int code, String text) {
    return new Row(what, "PATCH", MAPS + "/target", JSON_PATCH, operations, code, text);
  }

  static final List<Row> rows =
      List.of(
          patch(
              "nested by copies",
              copies(
                  "{\"op\":\"copy\",\"from\":\"/metadata\",\"path\":\"/x\"},", "/x", "/x/x", 1005),
              422,
              "copy of /x: it does not exist"),
          patch("doubled by copies", copies("", "", "/x", 30), 200, "\"target\""),
          patch(
              "doubled by copies to a field that there is",
              copies("", "", "/data/x", 30),
              400,
              "data.x: expected a string, found what is at"),
          patch(
              "a field that there is not, as a value of the whole",
              "[{\"op\":\"add\",\"path\":\"\",\"value\":{\"metadata\":{\"name\":\"target\"},\"x\":1}}]",
              200,
              "\"target\""),
          new Row(
              "a copy to a field that there is not, strictly",
              "PATCH",
              MAPS + "/target?fieldValidation=Strict",
              JSON_PATCH,
              "[{\"op\":\"copy\",\"from\":\"/metadata\",\"path\":\"/x\"}]",
              422,
              "strict decoding error: unknown field \\\"x\\\""),
          new Row(
              "100,000 fields that nobody knows",
              "POST",
              MAPS + "?dryRun=All",
              "application/yaml",
              unknown(100_000, "unknown: 1\n"),
              201,
              "\"many\""),
          new Row(
              "fields that nobody knows, with names that are no header's",
              "POST",
              MAPS + "?dryRun=All",
              JSON,
              named("many").put("a\r\nSet-Cookie: b\u0000é\u20ac", 1).toString(),
              201,
              "\"many\""),
          new Row(
              "a name that is a text of a megabyte",
              "POST",
              MAPS,
              JSON,
              named("a.".repeat(500_000)).toString(),
              422,
              "must be no more than 253 characters"),
          get(PODS + "/web/log?sinceSeconds=" + LONGEST, 400, "there was no time"),
          get(PODS + "/web/log?sinceSeconds=0", 422, "sinceSeconds: Invalid value: 0"),
          get(PODS + "/web/log?sinceSeconds=-5", 422, "must be greater than 0"),
          get(PODS + "/web/log?sinceTime=yesterday", 400, "is no time"),
          get(PODS + "/web/log?sinceTime=2026-01-01T00:00:00Z&sinceSeconds=1", 400, "at most one"),
          get(PODS + "/web/log?tailLines=-1", 422, "must be greater than or equal to 0"),
          get(PODS + "/web/log?limitBytes=0", 422, "must be greater than 0"),
          get(PODS + "/web/log?tailLines=1e9", 400, "is no whole number"),
          get(PODS + "/web?resourceVersion=abc", 400, "not a whole number"),
          get(PODS + "?resourceVersion=abc", 400, "not a whole number"),
          get(PODS + "?resourceVersion=-1", 400, "not a whole number"),
          get(PODS + "?resourceVersion=99999999999999999999", 400, "not a whole number"),
          get(PODS + "?watch=1&resourceVersion=abc", 400, "not a whole number"),
          get(PODS + "?watch=1&timeoutSeconds=abc", 400, "is no whole number"),
          get(PODS + "?limit=99999999999999999999", 400, "is no whole number"),
          get(PODS + "?limit=" + LONGEST, 200, "PodList"),
          get(PODS + "?limit=-1", 200, "PodList"),
          get(PODS + "?continue=%00", 400, "continue key is not valid"),
          get(PODS + "?labelSelector=%00", 400, "BadRequest"),
          new Row(
              "a deletion after more seconds than there are",
              "DELETE",
              PODS + "/web?gracePeriodSeconds=" + LONGEST,
              JSON,
              "",
              200,
              "deletionTimestamp"),
          new Row(
              "a deletion after half a second",
              "DELETE",
              PODS + "/web",
              JSON,
              "{\"gracePeriodSeconds\":0.5}",
              400,
              "expected a whole number"),
          new Row(
              "a deletion after 10^30 seconds",
              "DELETE",
              PODS + "/web",
              JSON,
              "{\"gracePeriodSeconds\":1000000000000000000000000000000}",
              400,
              "expected a whole number"),
          new Row(
              "a binding with annotations that are none",
              "POST",
              PODS + "/free/binding",
              JSON,
              "{\"target\":{\"name\":\"a\"},\"metadata\":{\"annotations\":{\"a\":1}}}",
              400,
              "metadata.annotations has the wrong type"));

  @ParameterizedTest
  @FieldSource("rows")
  void isAnswered(Row row) throws Exception {
    var reply = client.send(row.method(), row.path(), row.body(), "Content-Type", row.type());
    assertThat(reply.status()).as(reply.text()).isEqualTo(row.code());
    assertThat(reply.text()).contains(row.text());
  }

  @AfterEach
  void theNextWriteIsStored() throws Exception {
    var next = named("next-" + count.incrementAndGet());
    var reply = client.send("POST", MAPS, next.toString());
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
  }

  @Test
  void warningsHaveABound() throws Exception {
    var body = unknown(1000, "unknown-field-of-a-manifest: 1\n");
    var reply = client.send("POST", MAPS + "?dryRun=All", body, "Content-Type", "application/yaml");
    var warnings = reply.response().headers().allValues("Warning");
    assertThat(warnings).hasSizeBetween(10, 100);
    assertThat(String.join("", warnings)).hasSizeLessThan(4096);
    assertThat(warnings.getFirst())
        .isEqualTo("299 - \"unknown field \\\"unknown-field-of-a-manifest0\\\"\"");
  }

  @Test
  void aLongNameIsCutShortInAWarning() throws Exception {
    var body = named("long").put("x".repeat(10_000), 1).toString();
    var reply = client.send("POST", MAPS + "?dryRun=All", body);
    assertThat(reply.header("Warning")).startsWith("299 - \"unknown field").hasSizeLessThan(1_100);
  }

  /// @param first operations before the copies
  private static String copies(String first, String from, String to, int times) {
    var copy = "{\"op\":\"copy\",\"from\":\"%s\",\"path\":\"%s\"}".formatted(from, to);
    return "[" + first + String.join(",", Collections.nCopies(times, copy)) + "]";
  }

  private static String unknown(int fields, String line) {
    var text = new StringBuilder("metadata: {name: many}\n");
    for (int i = 0; i < fields; i++) text.append(line.replace(":", i + ":"));
    return text.toString();
  }

  private static ObjectNode named(String name) {
    var object = JsonNodeFactory.instance.objectNode();
    object.putObject("metadata").put("name", name);
    return object;
  }
}
