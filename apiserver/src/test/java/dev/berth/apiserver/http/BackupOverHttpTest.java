package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.backup.BackupFile;
import dev.berth.apiserver.tls.Identity;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A backup holds every Secret: who may do everything gets it, and nobody else (API-145).
class BackupOverHttpTest {
  @TempDir private Path folder;

  @Test
  void whoMayDoEverythingGetsAllOfOneMoment() throws Exception {
    try (var server = RunningServer.in(folder)) {
      var file = folder.resolve("backup.gz");
      var answer = ask(server, Identity.ADMIN, "GET", BodyHandlers.ofFile(file));
      assertThat(answer.statusCode()).isEqualTo(200);
      var summary = new BackupFile(file).check();
      assertThat(summary.revision()).isEqualTo(server.api().revision());
      assertThat(summary.objects()).isPositive();
    }
  }

  @Test
  void nobodyElseDoes() throws Exception {
    try (var server = RunningServer.in(folder)) {
      var node = new Identity("system:node:node-1", List.of("system:nodes"));
      assertThat(ask(server, node, "GET", BodyHandlers.ofString()).statusCode()).isEqualTo(403);
      assertThat(ask(server, Identity.ADMIN, "POST", BodyHandlers.ofString()).statusCode())
          .isEqualTo(405);
    }
  }

  private static <T> HttpResponse<T> ask(
      RunningServer server, Identity who, String method, HttpResponse.BodyHandler<T> body)
      throws Exception {
    try (var client =
        HttpClient.newBuilder().sslContext(server.credentials().clientContext(who)).build()) {
      URI uri = server.url().resolve("/berth/backup");
      var request = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
      return client.send(request.build(), body);
    }
  }
}
