package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Path;
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
        var after = client.get(path).json();
        assertThat(after.at("/metadata/uid")).isNotEqualTo(before.at("/metadata/uid"));
        assertThat(content(after)).isEqualTo(content(before));
      }
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
      var own =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .map(InetAddress::getHostAddress)
              .toList();
      assertThat(own).contains(said);
    }
  }
}
