package dev.berth.node;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Containers end under the loop's promises: what goes wrong is its failure, told and tried again
/// after its pauses, and nothing goes on behind its back (NRUN-09).
class StoppingTest {
  private final MemoryDriver driver = new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME);
  private final MemoryFiles files = new MemoryFiles(driver);
  private final MemoryRuntime runtime = new MemoryRuntime(driver);
  private TestNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TestNode(files, files);
    node.start(runtime);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /// A pod that runs.
  private ContainerId pod() {
    return pod("{}");
  }

  private ContainerId pod(String lifecycle) {
    var pod =
        node.create(
            Resources.PODS,
            """
            metadata: {namespace: default, name: web}
            spec:
              nodeName: n
              containers: [{name: app, image: host, command: [a], lifecycle: %s}]
            """
                .formatted(lifecycle));
    node.awaitPhase("web", "Running");
    return new ContainerId(pod.path("metadata").path("uid").asText(), "app", 0);
  }

  private void delete(long grace) {
    node.api()
        .delete(
            Resources.PODS,
            ObjectKey.of("default", "web"),
            DeleteOptions.DEFAULT.gracePeriodSeconds(grace));
  }

  @Test
  void whatDoesNotDieIsAFailureOfItsPodUntilItDoes() {
    var app = pod();
    runtime.hang(app);
    delete(1);
    await("it is told and pauses longer each time")
        .until(() -> {
          var failure = node.agent().pods().failures().get(app.podUid());
          return failure != null && failure.inARow() >= 2;
        });
    assertThat(node.agent().pods().failures().values())
        .singleElement()
        .extracting(Loop.Failure::text, STRING)
        .contains("Kill failed: container " + app);
    assertThat(node.pod("web")).isPresent();
    runtime.release(app);
    node.awaitGone("web");
  }

  @Test
  void whoDoesNotListenIsKilledWhenHisTimeIsOver() {
    var app = pod();
    runtime.deafen(app);
    delete(1);
    node.awaitGone("web");
    assertThat(runtime.asked()).containsExactly(app);
    assertThat(runtime.killed()).containsExactly(app);
  }

  @Test
  void aShorterGraceReplacesALongerOne() {
    var app = pod();
    runtime.deafen(app);
    delete(600);
    await("it is asked")
        .until(() ->
            node.agent().pods().waits().get(app.podUid()) instanceof Wait wait
                && wait.again().isPresent());
    delete(1);
    node.awaitGone("web");
    assertThat(runtime.killed()).containsExactly(app);
  }

  /// An agent that has stopped kills nobody any more; the next one asks once more.
  @Test
  void theNextAgentAsksAgain() throws Exception {
    var app = pod();
    runtime.deafen(app);
    delete(600);
    await("it is asked").until(() -> runtime.asked().equals(List.of(app)));
    node.kill();
    node.start(runtime);
    await("it is asked again").until(() -> runtime.asked().equals(List.of(app, app)));
    assertThat(runtime.killed()).isEmpty();
    delete(0);
    await("it is killed").until(() -> runtime.killed().equals(List.of(app)));
  }

  /// NRUN-10, NSHT-03: what goes on beside the loop ends with it, and nobody is asked to end behind
  /// its back.
  @Test
  void aHookIsGivenUpWithItsAgentAndBegunAgainByTheNext() throws Exception {
    var app = pod("{preStop: {exec: {command: [a]}}}");
    delete(600);
    await("the hook runs").until(() -> runtime.executing().equals(List.of(app)));
    node.agent().stop().get(10, TimeUnit.SECONDS);
    assertThat(runtime.executing()).isEmpty();
    assertThat(runtime.asked()).isEmpty();
    node.kill();
    node.start(runtime);
    await("it runs again").until(() -> runtime.executing().equals(List.of(app)));
    assertThat(runtime.asked()).isEmpty();
  }
}
