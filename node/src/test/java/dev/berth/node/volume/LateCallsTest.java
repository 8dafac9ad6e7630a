package dev.berth.node.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.loop.Act;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.driver.Drivers;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.token.PodTokens;
import dev.berth.node.volume.MountEffect.Publish;
import dev.berth.node.volume.MountEffect.Stage;
import dev.berth.node.volume.MountEffect.Unpublish;
import dev.berth.node.volume.MountEffect.Unstage;
import dev.berth.node.volume.VolumeFiles.Trace;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.VolumeState;
import io.grpc.Status.Code;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A call that got no answer may take effect when a later one has been refused: only the call that
/// undoes it ends the doubt (seed 355 of SimulationTest).
class LateCallsTest {
  private final MemoryDriver driver = new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME);
  private final ActualState state = new ActualState(World.ATTACHED.actual());
  private final SystemTime time = new SystemTime("late calls");
  private EmbeddedApiServer server;
  private final MemoryFiles files = new MemoryFiles(driver);
  private MountEffects effects;

  @BeforeEach
  void start() throws Exception {
    var drivers = new Drivers();
    drivers.register(MemoryDriver.NAME, driver);
    server = EmbeddedApiServer.start(new MemoryStore());
    var api = new LocalApi(server, Thread::startVirtualThread);
    effects =
        new MountEffects(
            "n", api, drivers, files, state, _ -> {}, time, new PodTokens(api, time::now));
  }

  @AfterEach
  void stop() {
    server.close();
    time.close();
  }

  private void refused(MountEffect effect, Code code) {
    driver.refuseNext(code);
    assertThatThrownBy(() -> effects.carryOut(effect)).hasMessageContaining("told to refuse");
  }

  private VolumeState volume() {
    return state.now().volume(World.NAME);
  }

  private static final Trace PUBLISHED =
      new Trace.Published(World.NAME, "pod-1", "pv-1", Form.CLAIMED);
  private static final Stage STAGE = new Stage(World.ATTACHED.want(), Optional.empty());
  private static final Publish PUBLISH =
      new Publish(World.ATTACHED.want(), false, Optional.empty());

  @Test
  void aRefusedPublicationIsUnpublishedIfAnEarlierCallMayStillMakeIt() throws Exception { // NCSI-16
    effects.carryOut(STAGE);
    refused(PUBLISH, Code.DEADLINE_EXCEEDED);
    refused(PUBLISH, Code.INTERNAL);

    assertThat(volume().publications()).containsOnlyKeys("pod-1");
    assertThat(files.traces()).as("the note is needed to unpublish").contains(PUBLISHED);
  }

  @Test
  void aRefusedStagingIsUnstagedIfAnEarlierCallMayStillMakeIt() {
    refused(STAGE, Code.DEADLINE_EXCEEDED);
    refused(STAGE, Code.INTERNAL);

    assertThat(volume().mounted()).isTrue();
  }

  @Test
  void aFirstCallThatIsRefusedHasMadeNothing() throws Exception { // NCSI-16
    refused(STAGE, Code.INTERNAL);
    assertThat(volume().mounted()).isFalse();
    effects.carryOut(STAGE);
    refused(PUBLISH, Code.INTERNAL);

    assertThat(volume().publications()).isEmpty();
    assertThat(files.traces()).doesNotContain(PUBLISHED);
  }

  /// NCSI-17, NOPX-07: driver and handle are known without any object; the directories go last.
  @Test
  void whatTheDriverDoesNotTakeDownKeepsItsNote() throws Exception {
    effects.carryOut(STAGE);
    effects.carryOut(PUBLISH);
    driver.failAfter("unpublish vol-1"::equals, Code.INTERNAL);
    assertThatThrownBy(() -> effects.carryOut(new Unpublish(World.NAME, "pod-1")))
        .hasMessageContaining("told to fail");
    assertThat(files.traces()).contains(PUBLISHED);
    assertThat(volume().publishedFor("pod-1")).isFalse();

    driver.failAfter(_ -> false, Code.INTERNAL);
    effects.carryOut(new Unpublish(World.NAME, "pod-1"));
    assertThat(files.traces()).doesNotContain(PUBLISHED);
    assertThat(driver.calls()).endsWith("unpublish vol-1", "unpublish vol-1");
    assertThat(volume().publications()).isEmpty();
  }

  /// NOPX-09: whoever wants it meanwhile has it staged anew, by the attachment that was seen.
  @Test
  void aVolumeThatIsWantedAgainWhileItIsUnstagedIsStagedOnceMore() throws Exception {
    var proof = new VolumeState.Attached("va-1", Map.of("device", "loop7"));
    state.change(World.NAME, it -> it.with(proof));
    effects.carryOut(STAGE);
    effects.carryOut(new Unstage(World.NAME));
    var world = World.ATTACHED.with(_ -> state.now());
    assertThat(new MountDecision().decide(world.view(), World.NAME)).isEqualTo(new Act(STAGE));
    effects.carryOut(STAGE);
    assertThat(driver.calls())
        .containsExactly(
            "stage vol-1 {device=loop7}", "unstage vol-1", "stage vol-1 {device=loop7}");
  }
}
