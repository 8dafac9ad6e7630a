package dev.berth.node;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The whole agent over a real API server, with driver, directories and containers in memory.
class NodeAgentTest {
  private final MemoryDriver driver = new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME);
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
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
    assertThat(driver.violations()).isEmpty();
  }

  private String pod(String name, String more) {
    var pod =
        node.create(
            Resources.PODS,
            """
            metadata: {namespace: default, name: %s}
            spec:
              nodeName: n
              containers:
              - {name: app, image: host, command: [sleep, "1"], volumeMounts: [{name: data, mountPath: /data}]}
              volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
              %s
            """
                .formatted(name, more));
    return pod.path("metadata").path("uid").asText();
  }

  private void delete(String name) {
    node.api().delete(Resources.PODS, ObjectKey.of("default", name), DeleteOptions.DEFAULT);
  }

  @Test
  void aPodLivesAndLeavesNothing() throws Exception {
    node.bind("data", "vol-1");
    var uid = pod("web", "restartPolicy: Never");
    node.attach("data", "vol-1");
    var running = node.awaitPhase("web", "Running");
    // ATT-03: what the attachment says reaches the driver
    assertThat(driver.calls()).containsExactly("stage vol-1 {device=loop7}", "publish vol-1");
    assertThat(runtime.started()).hasSize(1);
    assertThat(runtime.started().getFirst().mounts().getFirst().source().toString())
        .endsWith("/pods/" + uid + "/volumes/kubernetes.io~csi/pv-data/mount");
    assertThat(running.path("status").path("containerStatuses").path(0).path("ready").asBoolean())
        .isTrue();
    runtime.end(new ContainerId(uid, "app", 0), 0);
    node.awaitPhase("web", "Succeeded");
    await("unstaged though the object stays").until(() -> driver.mounts().isEmpty());
    await("nothing in use").until(() -> node.node().path("status").path("volumesInUse").isEmpty());
    delete("web");
    node.awaitGone("web");
    await("nothing left").until(() -> files.pods().isEmpty() && files.traces().isEmpty());
    assertThat(driver.calls())
        .containsExactly(
            "stage vol-1 {device=loop7}", "publish vol-1", "unpublish vol-1", "unstage vol-1");
    assertThat(runtime.list()).isEmpty();
  }

  @Test
  void aDeletedPodGoesInOrder() throws Exception {
    node.bind("data", "vol-1");
    pod("web", "terminationGracePeriodSeconds: 1");
    node.attach("data", "vol-1");
    node.awaitPhase("web", "Running");
    delete("web");
    node.awaitGone("web");
    await("unstaged").until(() -> driver.mounts().isEmpty());
    await("not in use").until(() -> node.node().path("status").path("volumesInUse").isEmpty());
    assertThat(node.agent().mounted().volumes()).isEmpty();
    assertThat(node.agent().mounted().holding()).isEmpty();
  }

  @Test
  void theNextAgentAdoptsWhatRuns() throws Exception { // NSHT-03
    node.bind("data", "vol-1");
    var uid = pod("web", "restartPolicy: Never");
    node.attach("data", "vol-1");
    node.awaitPhase("web", "Running");
    node.kill();
    driver.forgetCalls();
    node.start(runtime);
    await("mounted again") // NREC-04: every running pod's driver hears stage and publish once more
        .until(() -> driver.calls().equals(List.of("stage vol-1 {device=loop7}", "publish vol-1")));
    assertThat(runtime.started()).hasSize(1);
    node.kill();
    runtime.end(new ContainerId(uid, "app", 0), 3);
    node.start(runtime);
    var failed = node.awaitPhase("web", "Failed");
    assertThat(failed.at("/status/containerStatuses/0/state/terminated/exitCode").asInt())
        .isEqualTo(3);
    assertThat(runtime.started()).hasSize(1);
    await("unmounted").until(() -> driver.mounts().isEmpty());
  }

  @Test
  void whatAKilledAgentLeftWithoutAPodIsUnmounted() throws Exception { // NREC-01
    node.bind("data", "vol-1");
    pod("web", "terminationGracePeriodSeconds: 0");
    node.attach("data", "vol-1");
    node.awaitPhase("web", "Running");
    driver.failAfter(call -> call.startsWith("unstage"), Status.Code.UNAVAILABLE);
    delete("web");
    node.awaitGone("web");
    await("unstage was tried").until(() -> driver.calls().contains("unstage vol-1"));
    assertThat(node.node().path("status").path("volumesInUse")).hasSize(1);
    node.kill();
    driver.failAfter(_ -> false, Status.Code.OK);
    node.start(runtime);
    await("forgotten").until(() -> files.traces().isEmpty());
    await("not in use").until(() -> node.node().path("status").path("volumesInUse").isEmpty());
  }

  @Test
  void aPublishOfWhichNobodyKnowsIsUndone() throws Exception {
    node.bind("data", "vol-1");
    pod("web", "terminationGracePeriodSeconds: 0");
    driver.failAfter(call -> call.startsWith("publish"), Status.Code.DEADLINE_EXCEEDED);
    node.attach("data", "vol-1");
    await("publish was tried").until(() -> driver.calls().contains("publish vol-1"));
    delete("web");
    node.awaitGone("web");
    await("unmounted").until(() -> driver.mounts().isEmpty() && files.traces().isEmpty());
    assertThat(runtime.started()).isEmpty();
    await("an event tells it")
        .until(() ->
            node.api().list(Resources.EVENTS, "default", Selector.ALL).items().stream()
                .anyMatch(event ->
                    event.path("message").asText().startsWith("MountVolume.SetUp failed")));
  }

  @Test // NVM-19
  void aSecretThatCannotBeReadKeepsTheDriverUncalledUntilItIsThere() throws Exception {
    node.bind(
        "data",
        "vol-1",
        source ->
            source.putObject("nodeStageSecretRef").put("namespace", "default").put("name", "disk"));
    pod("web", "");
    node.attach("data", "vol-1");
    await("an event tells it")
        .until(() ->
            node.api().list(Resources.EVENTS, "default", Selector.ALL).items().stream()
                .anyMatch(event ->
                    event
                        .path("message")
                        .asText()
                        .contains("fetching NodeStageSecretRef default/disk failed: ")));
    assertThat(driver.calls()).isEmpty();
    assertThat(files.traces()).isEmpty();
    node.create(
        Resources.SECRETS, "{metadata: {namespace: default, name: disk}, data: {key: czNzYW1l}}");
    node.awaitPhase("web", "Running");
    assertThat(driver.calls()).containsExactly("stage vol-1 {device=loop7}", "publish vol-1");
  }

  @Test
  void aForceDeletedPodKeepsItsVolumeUntilItsContainersAreDead() throws Exception {
    node.bind("data", "vol-1");
    pod("web", "terminationGracePeriodSeconds: 30");
    node.attach("data", "vol-1");
    node.awaitPhase("web", "Running");
    node.api()
        .delete(
            Resources.PODS,
            ObjectKey.of("default", "web"),
            DeleteOptions.DEFAULT.gracePeriodSeconds(0));
    assertThat(node.pod("web")).isEmpty();
    await("all gone")
        .until(
            () -> files.traces().isEmpty() && files.pods().isEmpty() && runtime.list().isEmpty());
    assertThat(driver.calls()).endsWith("unpublish vol-1", "unstage vol-1");
  }

  @Test
  void aContainerThatFailsIsStartedAgain() throws Exception {
    node.bind("data", "vol-1");
    var uid = pod("web", "restartPolicy: OnFailure");
    node.attach("data", "vol-1");
    node.awaitPhase("web", "Running");
    runtime.end(new ContainerId(uid, "app", 0), 1);
    var again =
        node.awaitPod(
            "web",
            "restarted",
            pod -> pod.at("/status/containerStatuses/0/restartCount").asInt() == 1);
    assertThat(again.at("/status/containerStatuses/0/lastState/terminated/exitCode").asInt())
        .isEqualTo(1);
    runtime.end(new ContainerId(uid, "app", 1), 1);
    node.awaitPod(
        "web",
        "backs off",
        pod ->
            pod.at("/status/containerStatuses/0/state/waiting/reason")
                .asText()
                .equals("CrashLoopBackOff"));
    assertThat(runtime.started()).hasSize(2);
  }

  @Test
  void initContainersRunFirstOneByOne() throws Exception {
    var pod =
        node.create(
            Resources.PODS,
            """
            metadata: {namespace: default, name: web}
            spec:
              nodeName: n
              restartPolicy: Never
              initContainers:
              - {name: one, image: host, command: [a]}
              - {name: two, image: host, command: [b]}
              containers:
              - {name: app, image: host, command: [c]}
            """);
    var uid = pod.path("metadata").path("uid").asText();
    for (var name : List.of("one", "two")) {
      await(name + " runs").until(() -> runtime.find(new ContainerId(uid, name, 0)).isPresent());
      assertThat(runtime.started().getLast().id().name()).isEqualTo(name);
      runtime.end(new ContainerId(uid, name, 0), 0);
    }
    node.awaitPhase("web", "Running");
    runtime.end(new ContainerId(uid, "app", 0), 0);
    node.awaitPhase("web", "Succeeded");
  }

  @Test
  void anUnknownImageIsToldBeforeWhatElseIsMissing() throws Exception {
    node.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: web}
        spec:
          nodeName: n
          containers: [{name: app, image: nginx, envFrom: [{configMapRef: {name: none}}]}]
        """);
    node.awaitPod(
        "web",
        "refused",
        pod ->
            pod.at("/status/containerStatuses/0/state/waiting/reason")
                .asText()
                .equals("ErrImageNeverPull"));
  }

  @Test
  void aPodThatWasPublishedAndNeverStartedLeavesNoDirectory() throws Exception {
    node.bind("data", "vol-1");
    node.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: web}
        spec:
          nodeName: n
          terminationGracePeriodSeconds: 0
          containers:
          - {name: app, image: host, command: [a], volumeMounts: [{name: data, mountPath: /data}, {name: other, mountPath: /other}]}
          volumes:
          - {name: data, persistentVolumeClaim: {claimName: data}}
          - {name: other, persistentVolumeClaim: {claimName: missing}}
        """);
    node.attach("data", "vol-1");
    await("published").until(() -> driver.calls().contains("publish vol-1"));
    assertThat(files.pods()).hasSize(1);
    delete("web");
    node.awaitGone("web");
    assertThat(runtime.started()).isEmpty();
    await("nothing left").until(() -> files.pods().isEmpty() && files.traces().isEmpty());
  }

  @Test
  void aDrainDoesNotWaitForADriverThatHasGone() throws Exception {
    node.bind("data", "vol-1");
    pod("web", "terminationGracePeriodSeconds: 1");
    node.attach("data", "vol-1");
    node.awaitPhase("web", "Running");
    node.drivers().deregister(MemoryDriver.NAME);
    var left = node.agent().drain(Duration.ofSeconds(2), Duration.ofMillis(200));
    assertThat(left.get(30, TimeUnit.SECONDS))
        .containsExactly(
            Map.entry(new VolumeName(MemoryDriver.NAME, "vol-1"), "its driver is not registered"));
    assertThat(driver.mounts()).hasSize(2);
    node.drivers().register(MemoryDriver.NAME, driver);
    await("unmounted when it is back").until(() -> driver.mounts().isEmpty());
  }

  @Test
  void aDrainDoesNotWaitForADriverThatKeepsRefusing() throws Exception {
    node.bind("data", "vol-1");
    pod("web", "terminationGracePeriodSeconds: 1");
    node.attach("data", "vol-1");
    node.awaitPhase("web", "Running");
    driver.failAfter(call -> call.startsWith("unpublish"), Status.Code.UNAVAILABLE);
    var left = node.agent().drain(Duration.ofSeconds(2), Duration.ofMillis(200));
    assertThat(left.get(60, TimeUnit.SECONDS).values())
        .singleElement()
        .asString()
        .startsWith("Unpublish failed: ");
  }

  @Test
  void aMissingKeyIsNamedWithTheObjectThatLacksIt() throws Exception {
    node.create(
        Resources.CONFIG_MAPS,
        "metadata: {namespace: default, name: settings}\ndata: {size: large}");
    node.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: web}
        spec:
          nodeName: n
          volumes: [{name: v, configMap: {name: settings, items: [{key: colour, path: c}]}}]
          containers:
          - {name: app, image: host, command: [a], volumeMounts: [{name: v, mountPath: /v}]}
        """);
    node.awaitPod(
        "web",
        "refused",
        pod ->
            pod.at("/status/containerStatuses/0/state/waiting/message")
                .asText()
                .equals("couldn't find key colour in ConfigMap default/settings"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "runAsNonRoot: true | container has runAsNonRoot and image will run as root",
        "runAsNonRoot: true, runAsUser: 0 | container's runAsUser breaks non-root policy"
      })
  void aContainerThatMustNotBeRootAndWouldBeIsRefused(String context, String words) {
    var uid =
        node.create(
                Resources.PODS,
                """
                metadata: {namespace: default, name: web}
                spec:
                  nodeName: n
                  securityContext: {%s}
                  containers: [{name: app, image: host, command: [a]}]
                """
                    .formatted(context))
            .at("/metadata/uid")
            .asText();
    var pod =
        node.awaitPod(
            "web",
            "refused",
            it ->
                it.at("/status/containerStatuses/0/state/waiting/reason")
                    .asText()
                    .equals("CreateContainerConfigError"));
    assertThat(pod.at("/status/containerStatuses/0/state/waiting/message").asText())
        .isEqualTo("%s (pod: \"web_default(%s)\", container: app)".formatted(words, uid));
  }
}
