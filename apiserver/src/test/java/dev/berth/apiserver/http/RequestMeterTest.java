package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `/metrics` says of requests, under upstream's names (API-136).
class RequestMeterTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir private Path folder;

  @Test
  void everyRequestIsCountedByWhatItAskedAndGot() throws Exception {
    try (var server = RunningServer.in(folder);
        var client = new RestClient(server, Version.HTTP_2)) {
      client.send("POST", MAPS, "{\"metadata\":{\"name\":\"a\"}}");
      client.send("POST", MAPS, "{\"metadata\":{\"name\":\"a\"}}");
      client.get(MAPS);
      client.get(MAPS + "/a");
      client.send("DELETE", MAPS, "");
      var watch =
          client
              .client()
              .send(client.request(MAPS + "?watch=1").build(), BodyHandlers.ofInputStream());
      assertThat(watch.statusCode()).isEqualTo(200);
      var text = client.get("/metrics").text();
      assertThat(text)
          .contains("up 1\n")
          .contains(total(201, "namespace", "POST") + " 1\n")
          .contains(total(409, "namespace", "POST") + " 1\n")
          .contains(total(200, "namespace", "LIST") + " 1\n")
          .contains(total(200, "resource", "GET") + " 1\n")
          .contains(total(200, "namespace", "DELETECOLLECTION") + " 1\n")
          .contains("apiserver_longrunning_requests{" + labels("namespace", "WATCH") + "} 1\n")
          .contains("apiserver_storage_objects{resource=\"namespaces\"} ")
          .contains(
              "apiserver_request_duration_seconds_count{" + labels("resource", "GET") + "} 1\n")
          .contains(labels("resource", "GET") + ",le=\"+Inf\"} 1\n");
    }
  }

  private static String total(int code, String scope, String verb) {
    return "apiserver_request_total{code=\"%d\",%s}".formatted(code, labels(scope, verb));
  }

  private static String labels(String scope, String verb) {
    return "group=\"\",resource=\"configmaps\",scope=\"%s\",subresource=\"\",verb=\"%s\",version=\"v1\""
        .formatted(scope, verb);
  }

  @Test
  void whatNobodyServesIsOneLine() throws Exception {
    try (var server = RunningServer.in(folder);
        var client = new RestClient(server, Version.HTTP_2)) {
      for (var part : List.of("one", "two", "x%22%7D", "x%7D"))
        assertThat(client.get(MAPS + "/a/" + part).status()).isEqualTo(404);
      var lines = client.get("/metrics").text().lines().toList();
      assertThat(lines).noneMatch(line -> line.contains("one") && line.contains("subresource"));
      assertThat(lines).noneMatch(line -> line.contains("subresource=\"x"));
      assertThat(lines)
          .filteredOn(line -> line.contains("subresource=\"unserved\""))
          .filteredOn(line -> line.startsWith("apiserver_request_total"))
          .hasSize(1);
    }
  }
}
