package dev.berth.node.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.rights.token.TokenRequests;
import dev.berth.apiserver.rights.token.Tokens;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.driver.Drivers;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.TestNode;
import dev.berth.node.token.PodTokens;
import dev.berth.node.volume.MountEffect.Publish;
import dev.berth.node.volume.MountEffect.Republish;
import dev.berth.node.volume.MountEffect.Stage;
import dev.berth.node.volume.state.ActualState;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// NodePublishVolume for a pod that has the volume already (NCSI-10).
class RepublishTest {
  @TempDir static Path home;

  private final MemoryDriver driver = new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME);
  private final ActualState state = new ActualState(World.ATTACHED.actual());
  private final List<Notice> told = new CopyOnWriteArrayList<>();
  private final SystemTime time = new SystemTime("republish");
  private EmbeddedApiServer server;
  private LocalApi api;
  private MountEffects effects;

  @BeforeEach
  void published() throws Exception {
    var drivers = new Drivers();
    drivers.register(MemoryDriver.NAME, driver);
    server = EmbeddedApiServer.start(new MemoryStore());
    var issuer = new Tokens(Credentials.in(home).signingKeys(), InstantSource.system());
    api = new LocalApi(server, Thread::startVirtualThread).issuing(new TokenRequests(issuer));
    api.create(Resources.NAMESPACES, (ObjectNode) TestNode.yaml("{metadata: {name: ns}}"));
    effects =
        new MountEffects(
            "n",
            api,
            drivers,
            new MemoryFiles(driver),
            state,
            told::add,
            time,
            new PodTokens(api, time::now));
    effects.carryOut(new Stage(World.ATTACHED.want(), Optional.empty()));
    effects.carryOut(publish());
    driver.forgetCalls();
    told.clear();
  }

  @AfterEach
  void stop() {
    server.close();
    time.close();
  }

  private static Publish publish() {
    return new Publish(World.ATTACHED.want(), false, Optional.empty());
  }

  private Instant at() {
    return state.now().volume(World.NAME).publishedAt("pod-1");
  }

  @Test
  void theDriverIsAskedAgainAndNobodyIsBothered() throws Exception {
    var before = at();
    effects.carryOut(new Republish(publish()));
    assertThat(driver.calls()).containsExactly("publish vol-1");
    assertThat(at()).isAfter(before);
    assertThat(told).isEmpty();
  }

  /// NCSI-09, NCSI-10: in one map or the other, and fresh each time.
  @Test
  void theDriverIsToldTokensWhereItWantsThem() throws Exception {
    var pod =
        TestNode.yaml(
            "{metadata: {namespace: ns, name: web}, spec: {nodeName: n, containers: [{name: app,"
                + " image: host, volumeMounts: [{name: data, mountPath: /data}]}], volumes: [{name:"
                + " data, persistentVolumeClaim: {claimName: data}}]}}");
    var created = api.create(Resources.PODS, (ObjectNode) pod);
    var want = World.ATTACHED.with(Kinds.POD, created.toString()).want();
    for (boolean inSecrets : new boolean[] {true, false}) {
      var asked =
          new CsiDriver.Tokens(
              List.of(new CsiDriver.TokenRequest("vault", OptionalLong.empty())), inSecrets);
      if (inSecrets)
        effects.carryOut(new Publish(want, false, Optional.empty(), Optional.of(asked)));
      effects.carryOut(
          new Republish(new Publish(want, false, Optional.empty(), Optional.of(asked))));
      var told = driver.latestPublish();
      var key = "csi.storage.k8s.io/serviceAccount.tokens";
      assertThat(told.getSecretsMap().containsKey(key)).isEqualTo(inSecrets);
      assertThat(told.getVolumeContextMap().containsKey(key)).isEqualTo(!inSecrets);
      var map = inSecrets ? told.getSecretsMap() : told.getVolumeContextMap();
      assertThat(TestNode.yaml(map.getOrDefault(key, "")).path("vault").path("token").asText())
          .startsWith("eyJ");
    }
  }

  @Test
  void aRefusalChangesNothingAndIsTold() {
    var before = state.now();
    driver.failAfter(call -> call.startsWith("publish"), Status.Code.INVALID_ARGUMENT);
    assertThatThrownBy(() -> effects.carryOut(new Republish(publish())))
        .hasMessageContaining("told to fail");
    assertThat(state.now()).isEqualTo(before);
    assertThat(told)
        .singleElement()
        .asString()
        .contains("MountVolume.SetUp failed for volume \"pv-1\"");
  }
}
