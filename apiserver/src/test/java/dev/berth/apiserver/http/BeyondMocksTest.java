package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.apiserver.http.RestClient.Reply;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What tests against Fabric8's mock server cannot find out, and those against this one can
/// (API-150): a program that passes there and fails here presumes what no cluster does.
@Timeout(60)
class BeyondMocksTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String MERGE = "application/merge-patch+json";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private static Path home;
  private static RunningServer server;
  private static RestClient client;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_1_1);
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @Test
  void patchesOfEachTypeAreAnsweredWithTheObject() throws Exception {
    create("patched");
    for (var type : new String[] {MERGE, "application/strategic-merge-patch+json"}) {
      var reply = patch("patched", "{\"data\":{\"a\":\"1\"}}", type);
      assertThat(reply.status()).as(type).isEqualTo(200);
      assertThat(reply.json().path("data").path("a").asText()).isEqualTo("1");
    }
    var applied =
        client.send(
            "PATCH",
            MAPS + "/applied?fieldManager=me",
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"applied\"}}",
            "Content-Type",
            "application/apply-patch+yaml");
    assertThat(applied.status()).isEqualTo(201);
  }

  @Test
  void whatIsMissingIsSaidByAStatus() throws Exception {
    var reply = client.get(MAPS + "/missing");
    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.json().path("details").path("name").asText()).isEqualTo("missing");
    assertThat(reply.json().path("message").asText()).isEqualTo("configmaps \"missing\" not found");
  }

  @Test
  void aGeneratedNameHasFiveCharactersMore() throws Exception {
    var made = client.send("POST", MAPS, "{\"metadata\":{\"generateName\":\"made-\"}}");
    assertThat(made.json().path("metadata").path("name").asText()).matches("made-[a-z0-9]{5}");
  }

  @Test
  void aDeletionHasPreconditions() throws Exception {
    create("held");
    var other = client.send("DELETE", MAPS + "/held", "{\"preconditions\":{\"uid\":\"other\"}}");
    assertThat(other.status()).isEqualTo(409);
    assertThat(client.get(MAPS + "/held").status()).isEqualTo(200);
  }

  /// And a deletion has a revision of its own, from which a client goes on.
  @Test
  void aWatchShowsWhatCameAfterItsRevision() throws Exception {
    var before = create("watched").json().path("metadata").path("resourceVersion").asText();
    patch("watched", "{\"data\":{\"a\":\"1\"}}", MERGE);
    client.send("DELETE", MAPS + "/watched", "");
    var path = MAPS + "?watch=1&fieldSelector=metadata.name%3Dwatched&resourceVersion=" + before;
    try (var lines =
        client.client().send(client.request(path).build(), BodyHandlers.ofLines()).body()) {
      var events = lines.limit(2).map(BeyondMocksTest::read).toList();
      assertThat(events)
          .extracting(event -> event.path("type").asText())
          .containsExactly("MODIFIED", "DELETED");
      assertThat(revision(events.getLast())).isGreaterThan(revision(events.getFirst()));
    }
  }

  /// Nor does a list come whole to who asks for a page, or a Table to nobody.
  @Test
  void listsHavePagesAndColumns() throws Exception {
    create("page-a");
    create("page-b");
    var page = client.get(MAPS + "?limit=1").json();
    assertThat(page.path("items")).hasSize(1);
    var next = page.path("metadata").path("continue").asText();
    assertThat(client.get(MAPS + "?continue=" + next).json().path("items")).isNotEmpty();
    var table = client.get(MAPS, "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
    assertThat(table.json().path("kind").asText()).isEqualTo("Table");
  }

  @Test
  void whatIsWrongIsRefusedAndWhatIsLeftOutIsFilledIn() throws Exception {
    var path = "/apis/storage.k8s.io/v1/storageclasses";
    var wrong = client.send("POST", path, "{\"metadata\":{\"name\":\"none\"}}");
    assertThat(wrong.status()).isEqualTo(422);
    var made = client.send("POST", path, "{\"metadata\":{\"name\":\"a\"},\"provisioner\":\"a.b\"}");
    assertThat(made.json().path("volumeBindingMode").asText()).isEqualTo("Immediate");
  }

  private static Reply create(String name) throws Exception {
    return client.send("POST", MAPS, "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
  }

  private static Reply patch(String name, String patch, String type) throws Exception {
    return client.send("PATCH", MAPS + "/" + name, patch, "Content-Type", type);
  }

  private static JsonNode read(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new AssertionError(line, e);
    }
  }

  private static long revision(JsonNode event) {
    return event.path("object").path("metadata").path("resourceVersion").asLong();
  }
}
