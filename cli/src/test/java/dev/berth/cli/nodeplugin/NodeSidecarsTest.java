package dev.berth.cli.nodeplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.socket.SocketPath;
import dev.berth.csi.v1.NodeServiceCapability.RPC.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several drivers beside one process, each by itself.
class NodeSidecarsTest {
  @TempDir Path folder;

  private Kubelet kubelet;

  @BeforeEach
  void makeRegistry() throws IOException {
    kubelet = new Kubelet(Files.createDirectory(folder.resolve("r")));
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofMinutes(1));
  }

  private Path socket(String name) {
    return folder.resolve(name + ".sock");
  }

  private NodeSidecars sidecars(String... names) throws IOException {
    return NodeSidecars.start(
        new NodeSidecars.Options(
            Arrays.stream(names)
                .map(name ->
                    new NodeSidecars.Driver(
                        new SocketPath(socket(name)), "/plugins/" + name + "/csi.sock"))
                .toList(),
            kubelet.registry(),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Optional.of(Asked.anyPort()),
            "/metrics"));
  }

  private static Asked ask(NodeSidecars sidecars, String path)
      throws IOException, InterruptedException {
    return Asked.at(sidecars.address().orElseThrow(), path);
  }

  @Test
  void eachDriverIsShownAndAskedByItself() throws Exception { // ONE-26, LIV-06
    try (var a = ScriptedDriver.at(socket("a"), "a.example");
        var sidecars = sidecars("a", "b")) {
      soon().until(() -> kubelet.sees("a.example"));
      assertThat(kubelet.info("a.example").getEndpoint()).isEqualTo("/plugins/a/csi.sock");
      kubelet.answers("a.example", true, "");
      assertThat(ask(sidecars, "/driverz/a.example")).isEqualTo(Asked.OK);
      assertThat(ask(sidecars, "/healthz/registration/a.example")).isEqualTo(Asked.OK);
      assertThat(ask(sidecars, "/driverz/b.example").status()).isEqualTo(404);
      assertThat(ask(sidecars, "/readyz").text()).startsWith(socket("b") + ": ");

      try (var _ = ScriptedDriver.at(socket("b"), "b.example")) {
        soon().until(() -> kubelet.sees("b.example"));
        kubelet.answers("b.example", true, "");
        soon().untilAsserted(() -> assertThat(ask(sidecars, "/readyz")).isEqualTo(Asked.OK));
      }
      soon().until(() -> ask(sidecars, "/driverz/b.example").status() == 500);
      assertThat(ask(sidecars, "/driverz/a.example")).isEqualTo(Asked.OK);
      assertThat(ask(sidecars, "/livez")).isEqualTo(Asked.OK);
      assertThat(ask(sidecars, "/livez/b.example")).isEqualTo(Asked.OK); // not for so long
      assertThat(ask(sidecars, "/metrics").text())
          .contains("berth_driver_registration{driver_name=\"a.example\",state=\"accepted\"} 1")
          .contains("csi_sidecar_operations_seconds_count{driver_name=\"b.example\"");
      a.ready = Optional.of(false);
      soon().until(() -> ask(sidecars, "/readyz").text().contains("the driver is starting"));
    }
    assertThat(kubelet.registry()).isEmptyDirectory();
  }

  @Test
  void aDriverThatComesBackAsItWasIsNotShownAnew() throws Exception { // REG-08
    var first = ScriptedDriver.at(socket("a"), "a.example");
    try (var sidecars = sidecars("a")) {
      soon().until(() -> kubelet.sees("a.example"));
      var before = kubelet.identity("a.example");
      first.close();
      soon().until(() -> ask(sidecars, "/readyz").text().contains("Unavailable"));
      try (var _ = ScriptedDriver.at(socket("a"), "a.example")) {
        soon().until(() -> !ask(sidecars, "/readyz").text().contains("Unavailable"));
        assertThat(kubelet.identity("a.example")).isEqualTo(before);
      }
    }
  }

  @Test
  void aDriverThatComesBackAsAnotherIsShownAnew() throws Exception { // REG-08
    var first = ScriptedDriver.at(socket("a"), "a.example");
    try (var _ = sidecars("a")) {
      soon().until(() -> kubelet.sees("a.example"));
      var before = kubelet.identity("a.example");
      first.close();
      try (var second = ScriptedDriver.at(socket("a"), "a.example")) {
        second.capabilities = List.of(Type.STAGE_UNSTAGE_VOLUME);
        soon()
            .until(
                () -> kubelet.sees("a.example") && !kubelet.identity("a.example").equals(before));
      }
      try (var _ = ScriptedDriver.at(socket("a"), "other.example")) {
        soon().until(() -> kubelet.sees("other.example") && !kubelet.sees("a.example"));
      }
    }
  }

  @Test
  void twoSocketsOfOneDriverAreOneDriver() throws Exception {
    try (var _ = ScriptedDriver.at(socket("a"), "a.example");
        var sidecars = sidecars("a", "b")) {
      soon().until(() -> kubelet.sees("a.example"));
      var before = kubelet.identity("a.example");
      try (var _ = ScriptedDriver.at(socket("b"), "a.example")) {
        soon()
            .until(() ->
                ask(sidecars, "/readyz")
                    .text()
                    .contains("driver a.example is served through " + socket("a")));
        assertThat(kubelet.identity("a.example")).isEqualTo(before);
      }
    }
  }
}
