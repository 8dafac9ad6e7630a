package dev.berth.cli.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.http.Mode;
import dev.berth.cli.home.Home;
import dev.berth.cli.stack.LoneServer;
import dev.berth.kube.api.Patch;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is seen of a kube-controller-manager (RUN-01), through an API server over HTTPS.
class RivalTest {
  private static final ObjectKey LEASE = ObjectKey.of("kube-system", "kube-controller-manager");

  @TempDir private Path folder;
  private LoneServer server;
  private HttpApi api;

  @BeforeEach
  void start() {
    var home = new Home(folder.resolve("h"));
    server =
        LoneServer.start(
            home, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Mode.RBAC);
    api = HttpApi.of(home.kubeconfig(), Optional.empty());
  }

  @AfterEach
  void stop() {
    api.close();
    server.close();
  }

  private static ObjectNode yaml(String text) throws IOException {
    return (ObjectNode) new YAMLMapper().readTree(text);
  }

  private void hold() throws IOException {
    api.create(
        Resources.LEASES,
        yaml(
            """
            {apiVersion: coordination.k8s.io/v1, kind: Lease,
             metadata: {name: kube-controller-manager, namespace: kube-system},
             spec: {holderIdentity: other, renewTime: "2026-01-01T00:00:00.000000Z"}}
            """));
  }

  private void renew(String time) throws IOException {
    api.patch(Resources.LEASES, LEASE, Patch.merge(yaml("{spec: {renewTime: '" + time + "'}}")));
  }

  @Test
  void onlyALeaseThatWasReadTellsOfSilence() throws Exception {
    var rival = new Rival(api);
    assertThat(rival.look()).as("there is none").isInstanceOf(Sight.Silent.class);
    hold();
    assertThat(rival.look()).isInstanceOf(Sight.Acts.class);
    assertThat(rival.look()).isInstanceOf(Sight.Silent.class);
    renew("2026-01-01T00:00:02.000000Z");
    assertThat(rival.inTheWay()).hasValueSatisfying(why -> assertThat(why).contains("by other"));
    assertThat(rival.inTheWay()).isEmpty();
    server.close();
    assertThat(rival.look()).as("nobody answers").isInstanceOf(Sight.Unseen.class);
    assertThat(rival.inTheWay()).as("and nothing is begun").isPresent();
  }

  @Test
  void whoMayNotLookTakesHimToAct() throws Exception {
    hold();
    api.create(
        Resources.SERVICE_ACCOUNTS,
        yaml("{apiVersion: v1, kind: ServiceAccount, metadata: {name: j, namespace: default}}"));
    var key = ObjectKey.of("default", "j");
    var answer = api.post(Resources.SERVICE_ACCOUNTS, key, "token", yaml("{spec: {}}"));
    var admin = Files.readString(new Home(folder.resolve("h")).kubeconfig());
    var token = "token: " + Json.text(answer.path("status"), "token");
    var file = Files.writeString(folder.resolve("j"), admin.replaceAll("token: .*", token));
    try (var theirs = HttpApi.of(file, Optional.empty())) {
      var rival = new Rival(theirs);
      for (var look = 0; look < 3; look++)
        assertThat(rival.look())
            .isInstanceOfSatisfying(
                Sight.Acts.class,
                acts -> assertThat(acts.why()).contains("allow get of lease", "--takeover"));
    }
  }
}
