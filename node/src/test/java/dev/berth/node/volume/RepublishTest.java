package dev.berth.node.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.event.Notice;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.driver.Drivers;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.volume.MountEffect.Publish;
import dev.berth.node.volume.MountEffect.Republish;
import dev.berth.node.volume.MountEffect.Stage;
import dev.berth.node.volume.state.ActualState;
import io.grpc.Status;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// NodePublishVolume for a pod that has the volume already (NCSI-10).
class RepublishTest {
  private final MemoryDriver driver = new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME);
  private final ActualState state = new ActualState(World.ATTACHED.actual());
  private final List<Notice> told = new CopyOnWriteArrayList<>();
  private final SystemTime time = new SystemTime("republish");
  private EmbeddedApiServer server;
  private MountEffects effects;

  @BeforeEach
  void published() throws Exception {
    var drivers = new Drivers();
    drivers.register(MemoryDriver.NAME, driver);
    server = EmbeddedApiServer.start(new MemoryStore());
    var api = new LocalApi(server, Thread::startVirtualThread);
    effects = new MountEffects("n", api, drivers, new MemoryFiles(driver), state, told::add, time);
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
