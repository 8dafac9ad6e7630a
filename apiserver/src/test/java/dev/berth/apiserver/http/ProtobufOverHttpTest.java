package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.proto.Protobuf;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// As client-go's typed clients speak (API-14, API-15).
class ProtobufOverHttpTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  /// As sidecars accept.
  private static final String SIDECARS = Protobuf.MEDIA_TYPE + ", */*";

  private RunningServer server;
  private RestClient client;

  @BeforeEach
  void start(@TempDir Path home) throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_2);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private HttpResponse<byte[]> send(String method, String path, byte[] body, String... headers)
      throws IOException, InterruptedException {
    var request = client.request(path, headers).method(method, BodyPublishers.ofByteArray(body));
    return client.client().send(request.build(), BodyHandlers.ofByteArray());
  }

  private static ObjectNode json(String text) throws IOException {
    return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
  }

  private static String type(HttpResponse<?> answer) {
    return answer.headers().firstValue("Content-Type").orElse("");
  }

  private static ObjectNode lease(String holder) throws IOException {
    return json(
        """
        {'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'metadata': {'name': 'leader'},
         'spec': {'holderIdentity': '%s', 'leaseDurationSeconds': 15, 'leaseTransitions': 0,
                  'renewTime': '2026-01-02T03:04:05.600000Z'}}
        """
            .formatted(holder));
  }

  /// API-14, API-138: the life of a leader's Lease, its first request and all that follow.
  @Test
  void aLeaseIsHeldInProtobuf() throws Exception {
    var made =
        send(
            "POST",
            LEASES,
            Protobuf.encode(lease("a")),
            "Content-Type",
            Protobuf.MEDIA_TYPE,
            "Accept",
            SIDECARS);
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(type(made)).isEqualTo(Protobuf.MEDIA_TYPE);
    var held = Protobuf.decode(made.body(), "", "");
    assertThat(held.at("/spec")).isEqualTo(lease("a").get("spec"));

    held.withObject("/spec").put("holderIdentity", "b");
    var put =
        send(
            "PUT",
            LEASES + "/leader",
            Protobuf.encode(held),
            "Content-Type",
            Protobuf.MEDIA_TYPE,
            "Accept",
            SIDECARS);
    assertThat(put.statusCode()).isEqualTo(200);
    assertThat(client.get(LEASES + "/leader").json().at("/spec")).isEqualTo(lease("b").get("spec"));

    var stale =
        send(
            "PUT",
            LEASES + "/leader",
            Protobuf.encode(held),
            "Content-Type",
            Protobuf.MEDIA_TYPE,
            "Accept",
            SIDECARS);
    var status = Protobuf.decode(stale.body(), "", "");
    assertThat(stale.statusCode()).isEqualTo(409);
    assertThat(status.path("reason").asText()).isEqualTo("Conflict");
    assertThat(status.at("/details/kind").asText()).isEqualTo("leases");
  }

  /// API-15: options of a deletion come as objects do, under any group.
  @Test
  void optionsOfADeletionComeInProtobuf() throws Exception {
    client.send("POST", LEASES, lease("a").toString());
    var options =
        json(
            "{'apiVersion': 'coordination.k8s.io/v1', 'kind': 'DeleteOptions',"
                + " 'preconditions': {'uid': 'another'}}");
    var refused =
        send(
            "DELETE",
            LEASES + "/leader",
            Protobuf.encode(options),
            "Content-Type",
            Protobuf.MEDIA_TYPE);
    assertThat(refused.statusCode()).isEqualTo(409);
    options.remove("preconditions");
    var deleted =
        send(
            "DELETE",
            LEASES + "/leader",
            Protobuf.encode(options),
            "Content-Type",
            Protobuf.MEDIA_TYPE);
    assertThat(deleted.statusCode()).isEqualTo(200);
  }

  /// API-13, API-16: lists, and lists of metadata alone.
  @Test
  void listsComeInProtobuf() throws Exception {
    client.send("POST", LEASES, lease("a").toString());
    var list = Protobuf.decode(get(LEASES, SIDECARS).body(), "", "");
    assertThat(list.path("kind").asText()).isEqualTo("LeaseList");
    assertThat(list.at("/items/0/spec")).isEqualTo(lease("a").get("spec"));
    assertThat(list.path("metadata")).isEqualTo(client.get(LEASES).json().path("metadata"));

    var partial = Protobuf.MEDIA_TYPE + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    var metadata = Protobuf.decode(get(LEASES, partial).body(), "", "");
    assertThat(metadata.path("kind").asText()).isEqualTo("PartialObjectMetadataList");
    assertThat(metadata.at("/items/0/metadata/name").asText()).isEqualTo("leader");
  }

  private HttpResponse<byte[]> get(String path, String accept) throws Exception {
    return client
        .client()
        .send(client.request(path, "Accept", accept).build(), BodyHandlers.ofByteArray());
  }

  /// API-16: each event has its length before it.
  @Test
  void watchesComeInFrames() throws Exception {
    client.send("POST", LEASES, lease("a").toString());
    var request =
        client.request(
            LEASES + "?watch=1&resourceVersion=0&allowWatchBookmarks=true",
            "Accept",
            Protobuf.MEDIA_TYPE + ";stream=watch," + Protobuf.MEDIA_TYPE);
    var answer = client.client().send(request.build(), BodyHandlers.ofInputStream());
    assertThat(type(answer)).isEqualTo(Protobuf.MEDIA_TYPE + ";stream=watch");
    try (var events = new DataInputStream(answer.body())) {
      assertThat(next(events).path("type").asText()).isEqualTo("ADDED");
      var patch = "{\"spec\": {\"holderIdentity\": \"b\"}}";
      client.send(
          "PATCH", LEASES + "/leader", patch, "Content-Type", "application/merge-patch+json");
      var event = next(events);
      while (event.path("type").asText().equals("BOOKMARK")) event = next(events);
      assertThat(event.path("type").asText()).isEqualTo("MODIFIED");
      assertThat(event.at("/object/kind").asText()).isEqualTo("Lease");
      assertThat(event.at("/object/spec")).isEqualTo(lease("b").get("spec"));
    }
  }

  private static JsonNode next(DataInputStream events) throws Exception {
    var bytes = ((InputStream) events).readNBytes(events.readInt());
    return Protobuf.event(bytes);
  }

  /// API-13, API-14: custom kinds have no protobuf, and those who take JSON too get that.
  @Test
  void customKindsAreJson() throws Exception {
    var definition =
        """
        {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'CustomResourceDefinition',
         'metadata': {'name': 'cakes.example.com'},
         'spec': {'group': 'example.com', 'scope': 'Cluster',
          'names': {'plural': 'cakes', 'kind': 'Cake'},
          'versions': [{'name': 'v1', 'served': true, 'storage': true, 'schema':
            {'openAPIV3Schema': {'type': 'object', 'properties': {
              'spec': {'type': 'object', 'additionalProperties': true}}}}}]}}
        """;
    var made =
        send(
            "POST",
            DEFINITIONS,
            Protobuf.encode(json(definition)),
            "Content-Type",
            Protobuf.MEDIA_TYPE);
    assertThat(made.statusCode()).isEqualTo(201);
    var cakes = "/apis/example.com/v1/cakes";
    assertThat(get(cakes, Protobuf.MEDIA_TYPE).statusCode()).isEqualTo(406);
    assertThat(type(get(cakes, SIDECARS))).isEqualTo("application/json");
    var metadata = Protobuf.MEDIA_TYPE + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    assertThat(Protobuf.decode(get(cakes, metadata).body(), "", "").path("kind").asText())
        .isEqualTo("PartialObjectMetadataList");
    var refused =
        send("POST", cakes, Protobuf.encode(lease("a")), "Content-Type", Protobuf.MEDIA_TYPE);
    assertThat(refused.statusCode()).isEqualTo(415);
  }

  /// API-14: bytes that are no object.
  @Test
  void brokenBodiesAreRefused() throws Exception {
    for (var body : new String[] {"", "{}", "k8s\0", "k8s\0garbage"}) {
      var answer =
          send("POST", LEASES, body.getBytes("UTF-8"), "Content-Type", Protobuf.MEDIA_TYPE);
      assertThat(answer.statusCode()).as(body).isEqualTo(400);
    }
    var other =
        send(
            "POST",
            LEASES,
            Protobuf.encode(json("{'apiVersion': 'v1', 'kind': 'Pod'}")),
            "Content-Type",
            Protobuf.MEDIA_TYPE);
    assertThat(other.statusCode()).isEqualTo(400);
  }

  /// API-18: clients that had sent CBOR send JSON after that.
  @Test
  void cborIsNotSpoken() throws Exception {
    var sent = send("POST", LEASES, new byte[] {1}, "Content-Type", "application/cbor");
    assertThat(sent.statusCode()).isEqualTo(415);
    assertThat(get(LEASES, "application/cbor").statusCode()).isEqualTo(406);
    assertThat(type(get(LEASES, "application/cbor, application/json;q=0.9")))
        .isEqualTo("application/json");
  }
}
