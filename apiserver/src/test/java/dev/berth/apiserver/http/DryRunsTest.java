package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-23, API-118: a dry run leaves the pod where it is, wherever it is asked for.
class DryRunsTest {
  private static final String POD = "/api/v1/namespaces/default/pods/web";

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

  private static RestClient.Reply send(String method, String path, String yaml) throws Exception {
    return client.send(
        method, path, World.yaml(yaml).toString(), "Content-Type", "application/json");
  }

  /// `kubectl drain --dry-run=server` says it in the Eviction.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST   | /eviction            | {metadata: {name: web}, deleteOptions: {dryRun: [All]}}         | 201
          POST   | /eviction            | {metadata: {name: web}, deleteOptions: {dryRun: [All, All]}}    | 201
          POST   | /eviction?dryRun=All | {metadata: {name: web}}                                         | 201
          POST   | /eviction?dryRun=All | {metadata: {name: web}, deleteOptions: {gracePeriodSeconds: 0}} | 201
          POST   | /eviction?dryRun=All | {metadata: {name: web}, deleteOptions: {dryRun: [All]}}         | 201
          POST   | /eviction?dryRun=All | {metadata: {name: web}, deleteOptions: {dryRun: []}}            | 201
          POST   | /eviction            | {metadata: {name: web}, deleteOptions: {dryRun: [Some]}}        | 422
          POST   | /eviction            | {metadata: {name: web}, deleteOptions: {dryRun: All}}           | 400
          POST   | /eviction            | {metadata: {name: web}, deleteOptions: {dryRun: true}}          | 400
          POST   | /eviction            | {metadata: {name: web}, deleteOptions: {dryRun: [1]}}           | 400
          DELETE | ''                   | {dryRun: [All]}                                                 | 200
          DELETE | ''                   | {dryRun: All}                                                   | 400
          DELETE | ''                   | {dryRun: [true]}                                                | 400
          """)
  void thePodStays(String method, String path, String body, int code) throws Exception {
    send(
        "POST",
        "/api/v1/namespaces/default/pods",
        "{metadata: {name: web}, spec: {containers: [{name: c, image: i}]}}");
    var reply = send(method, POD + path, body);
    assertThat(reply.status()).as(reply.text()).isEqualTo(code);
    var pod = client.get(POD);
    assertThat(pod.status()).isEqualTo(200);
    assertThat(pod.json().at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
  }
}
