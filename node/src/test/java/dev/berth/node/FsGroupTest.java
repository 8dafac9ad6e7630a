package dev.berth.node;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Pods that share a claim on a node and want its files in different groups, or in none, with a
/// driver that gives them to one group for all (NCSI-13).
class FsGroupTest {
  private final MemoryDriver driver =
      new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME, RPC.Type.VOLUME_MOUNT_GROUP);
  private final MemoryFiles files = new MemoryFiles(driver);
  private final MemoryRuntime runtime = new MemoryRuntime(driver);
  private TestNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TestNode(files, files);
    node.drivers().register(MemoryDriver.NAME, driver);
    node.create(
        Resources.CSI_DRIVERS, "{metadata: {name: disk.berth.dev}, spec: {attachRequired: true}}");
    node.start(runtime);
    node.bind("data", "vol-1");
  }

  @AfterEach
  void stop() {
    node.close();
    assertThat(driver.violations()).isEmpty();
  }

  private void pod(String name, String securityContext) {
    node.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: %s}
        spec:
          nodeName: n
          securityContext: {%s}
          containers:
          - {name: app, image: host, command: [a], volumeMounts: [{name: data, mountPath: /data}]}
          volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
        """
            .formatted(name, securityContext));
  }

  private List<Integer> groupsOfTheLatest() {
    return runtime.started().getLast().user().groups();
  }

  private List<String> warnings() {
    return node.api().list(Resources.EVENTS, "default", Selector.ALL).items().stream()
        .filter(event -> event.path("type").asText().equals("Warning"))
        .map(event -> event.path("message").asText())
        .toList();
  }

  @Test
  void aPodWithoutAGroupSharesWithOneThatHasOne() {
    pod("first", "fsGroup: 1000");
    node.attach("data", "vol-1");
    node.awaitPhase("first", "Running");
    pod("second", "");
    node.awaitPhase("second", "Running");
    assertThat(driver.calls())
        .containsExactly(
            "stage vol-1 {device=loop7} in group 1000",
            "publish vol-1 in group 1000",
            "publish vol-1 in group 1000");
    assertThat(groupsOfTheLatest()).isEmpty();
    assertThat(warnings()).isEmpty();
  }

  @Test
  void aPodWithAnotherGroupRunsInBothAndIsToldWhoseTheFilesAre() {
    pod("first", "fsGroup: 1000");
    node.attach("data", "vol-1");
    node.awaitPhase("first", "Running");
    pod("second", "fsGroup: 2000");
    node.awaitPhase("second", "Running");
    assertThat(groupsOfTheLatest()).containsExactly(1000, 2000);
    assertThat(files.owned()).isEmpty();
    await("an event tells it").until(() -> !warnings().isEmpty());
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("volume pv-data belongs to group 1000 on this node", "group 2000 of this pod");
  }

  @Test
  void aPodWithAGroupIsGivenWhatWasStagedWithoutOne() {
    pod("first", "");
    node.attach("data", "vol-1");
    node.awaitPhase("first", "Running");
    pod("second", "fsGroup: 2000");
    node.awaitPhase("second", "Running");
    assertThat(driver.calls())
        .containsExactly("stage vol-1 {device=loop7}", "publish vol-1", "publish vol-1");
    assertThat(files.owned()).singleElement().asString().startsWith("2000 ");
    assertThat(warnings()).isEmpty();
  }

  /// NVM-17: whoever made the volume says whose its files are.
  @Test
  void whoReadsAVolumeWithAGroupOfItsOwnIsInThatGroup() {
    node.api()
        .patch(
            Resources.VOLUMES,
            ObjectKey.cluster("pv-data"),
            Patch.merge(
                (ObjectNode)
                    TestNode.yaml(
                        "{metadata: {annotations: {pv.beta.kubernetes.io/gid: '4711'}}}")));
    pod("first", "supplementalGroups: [7]");
    node.attach("data", "vol-1");
    node.awaitPhase("first", "Running");
    assertThat(groupsOfTheLatest()).containsExactly(7, 4711);
  }

  @Test
  void theNextAgentKnowsTheGroup() throws Exception {
    pod("first", "fsGroup: 1000");
    node.attach("data", "vol-1");
    node.awaitPhase("first", "Running");
    pod("another", "fsGroup: 2000"); // may come first in the next agent's order
    node.awaitPhase("another", "Running");
    node.kill();
    driver.forgetCalls();
    node.start(runtime);
    await("mounted again").until(() -> driver.calls().size() == 3);
    assertThat(driver.calls())
        .containsExactly(
            "stage vol-1 {device=loop7} in group 1000",
            "publish vol-1 in group 1000",
            "publish vol-1 in group 1000");
  }
}
