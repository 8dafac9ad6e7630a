package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.berth.cli.command.Berth;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whoever may read nothing is told what he would have to be allowed (XPL-04, XPL-11).
@ResourceLock(Resources.SYSTEM_ERR)
class ExplainRefusedTest {
  private static final String REFUSAL =
      "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"Forbidden\",\"code\":403,\"message\":\"it"
          + " is forbidden: User \\\"jane\\\" cannot list resource\"}";

  @TempDir private Path folder;
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        request -> {
          var body = REFUSAL.getBytes(StandardCharsets.UTF_8);
          request.getResponseHeaders().set("Content-Type", "application/json");
          request.sendResponseHeaders(403, body.length);
          request.getResponseBody().write(body);
          request.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @ParameterizedTest
  @CsvSource({
    "drive/HDD0001, --resource=drives.csi-baremetal.dell.com",
    "pod/web, --resource=pods",
    "driver/disk.berth.dev, there is no driver disk.berth.dev: no CSIDriver",
    "csidriver.storage.k8s.io/disk.berth.dev, there is no driver disk.berth.dev: no CSIDriver",
    "csidrivers.v1.storage.k8s.io/disk.berth.dev, there is no driver disk.berth.dev: no CSIDriver"
  })
  void isToldWhichRightIsMissing(String subject, String words) throws IOException {
    var kubeconfig =
        Files.writeString(
            folder.resolve("kubeconfig"),
            "clusters: [{name: c, cluster: {server: \"http://127.0.0.1:%d\"}}]%n"
                    .formatted(server.getAddress().getPort())
                + "users: [{name: u, user: {token: t}}]\n"
                + "contexts: [{name: c, context: {cluster: c, user: u}}]\ncurrent-context: c\n");
    var told = new ByteArrayOutputStream();
    var before = System.err;
    int exitCode;
    System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
    try {
      exitCode = Berth.run("explain", subject, "--kubeconfig", kubeconfig.toString());
    } finally {
      System.setErr(before);
    }
    var text = told.toString(StandardCharsets.UTF_8);
    assertThat(text).contains(words).contains("to be given the right: kubectl", "--user=jane");
    assertThat(exitCode).as(text).isEqualTo(3);
  }
}
