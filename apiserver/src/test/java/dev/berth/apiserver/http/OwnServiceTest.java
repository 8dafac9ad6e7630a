package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.StoredResources;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The service `kubernetes`, by which programs find the server (API-01).
class OwnServiceTest {
  private static final String SERVICE = "/api/v1/namespaces/default/services/kubernetes";
  private static final String SLICE =
      "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
  private static final String ENDPOINTS = "/api/v1/namespaces/default/endpoints/kubernetes";

  @TempDir private Path home;

  @Test
  void itLeadsToTheServerAsUpstreamsDoes() throws Exception {
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      int port = server.url().getPort();
      var service = client.get(SERVICE).json();
      assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("10.96.0.1");
      assertThat(service.at("/spec/ports"))
          .isEqualTo(
              World.yaml(
                      "ports: [{name: https, protocol: TCP, port: 443, targetPort: %d}]"
                          .formatted(port))
                  .path("ports"));
      assertThat(service.at("/metadata/labels/provider").asText()).isEqualTo("kubernetes");
      var slice = client.get(SLICE).json();
      assertThat(slice.path("endpoints").toString())
          .isEqualTo("[{\"addresses\":[\"127.0.0.1\"],\"conditions\":{\"ready\":true}}]");
      assertThat(slice.at("/ports/0/port").asInt()).isEqualTo(port);
      assertThat(slice.path("metadata").path("labels").path("kubernetes.io/service-name").asText())
          .isEqualTo("kubernetes");
      var endpoints = client.get(ENDPOINTS).json();
      assertThat(endpoints.at("/subsets/0/addresses/0/ip").asText()).isEqualTo("127.0.0.1");
      assertThat(endpoints.at("/subsets/0/ports/0/port").asInt()).isEqualTo(port);
    }
  }

  @Test
  void eachOfItsPartsComesBackWithItsAddress() throws Exception {
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      for (var path : new String[] {SERVICE, SLICE, ENDPOINTS}) {
        var before = client.get(path).json();
        assertThat(client.send("DELETE", path, "").status()).isEqualTo(200);
        var old = before.at("/metadata/uid");
        var after = until(client, path, it -> it.has("metadata") && !uid(it).equals(old));
        assertThat(content(after)).isEqualTo(content(before));
      }
    }
  }

  private static JsonNode uid(JsonNode object) {
    return object.at("/metadata/uid");
  }

  private static JsonNode until(RestClient client, String path, Predicate<JsonNode> wanted) {
    return Awaitility.await()
        .until(
            () -> client.get(path).json(),
            it -> !it.path("kind").asText().equals("Status") && wanted.test(it));
  }

  @Test
  void whatSomebodyChangesIsPutRight() throws Exception {
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      for (var path : new String[] {SERVICE, SLICE, ENDPOINTS}) {
        var before = content(client.get(path).json());
        var edit =
            switch (path) {
              case SERVICE -> "{spec: {ports: [{name: https, port: 444, targetPort: 1}]}}";
              case SLICE -> "{endpoints: [], ports: []}";
              default -> "{subsets: null, metadata: {labels: null}}";
            };
        assertThat(patched(client, path, edit)).isNotEqualTo(before);
        until(client, path, it -> content(it).equals(before));
      }
    }
  }

  /// What the server does not ask for is its user's.
  @Test
  void whatSomebodyAddsStays() throws Exception {
    try (var server = RunningServer.in(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      patched(client, SLICE, "{metadata: {labels: {mine: 'yes'}}, ports: []}");
      var righted = until(client, SLICE, it -> it.path("ports").size() == 1);
      assertThat(righted.at("/metadata/labels/mine").asText()).isEqualTo("yes");
    }
  }

  private static JsonNode patched(RestClient client, String path, String patch) throws Exception {
    var answer =
        client.send(
            "PATCH",
            path,
            World.yaml(patch).toString(),
            "Content-Type",
            "application/merge-patch+json");
    assertThat(answer.status()).isEqualTo(200);
    return content(answer.json());
  }

  /// A slice's family is for life: one of another takes its place.
  @Test
  void itFollowsTheServerToAnotherFamily() throws Exception {
    try (var api = EmbeddedApiServer.start(new MemoryStore())) {
      OwnEndpoint.publish(api, new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 6443));
      OwnEndpoint.publish(api, new InetSocketAddress(InetAddress.ofLiteral("fd00::1"), 6443));
      var key = ObjectKey.of("default", "kubernetes");
      var slice = api.state().get(StoredResources.ENDPOINT_SLICES, key).orElseThrow().object();
      assertThat(slice.path("addressType").asText()).isEqualTo("IPv6");
      assertThat(slice.at("/endpoints/0/addresses/0").asText()).isEqualTo("fd00:0:0:0:0:0:0:1");
    }
  }

  private static JsonNode content(JsonNode object) {
    var content = object.deepCopy();
    if (content.get("metadata") instanceof ObjectNode meta)
      meta.retain("name", "namespace", "labels");
    return content;
  }

  @Test
  void itFollowsTheServerToAnotherPort() throws Exception {
    int first;
    try (var server = RunningServer.onDisk(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      first = server.url().getPort();
      assertThat(portOfSlice(client)).isEqualTo(first);
    }
    try (var holder = new ServerSocket(first, 1, InetAddress.getLoopbackAddress());
        var server = RunningServer.onDisk(home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      int second = server.url().getPort();
      assertThat(second).isNotEqualTo(holder.getLocalPort());
      assertThat(portOfSlice(client)).isEqualTo(second);
      assertThat(client.get(SERVICE).json().at("/spec/ports/0/targetPort").asInt())
          .isEqualTo(second);
      assertThat(client.get(ENDPOINTS).json().at("/subsets/0/ports/0/port").asInt())
          .isEqualTo(second);
    }
  }

  private static int portOfSlice(RestClient client) throws IOException, InterruptedException {
    return client.get(SLICE).json().at("/ports/0/port").asInt();
  }

  /// Loopback is nobody else's: who is to be reached from everywhere says an address of the
  /// machine's.
  @Test
  void aServerForEverybodySaysWhereOthersFindIt() throws Exception {
    try (var server = RunningServer.at(InetAddress.ofLiteral("0.0.0.0"), home);
        var client = new RestClient(server, HttpClient.Version.HTTP_2)) {
      var said = client.get(SLICE).json().at("/endpoints/0/addresses/0").asText();
      assertThat(own()).contains(said);
    }
  }

  @Test
  void aServerWithoutAWayOutSaysAnAddressOfTheMachine() throws Exception {
    var loopback = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 9);
    assertThat(own()).contains(OwnEndpoint.outward(loopback).getHostAddress());
  }

  /// The machine's addresses that others can use.
  private static List<String> own() throws IOException {
    var own =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(each -> !each.isLoopbackAddress())
            .map(InetAddress::getHostAddress)
            .toList();
    assumeThat(own).isNotEmpty();
    return own;
  }
}
