package dev.berth.node;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.pod.disk.KubeletPodFiles;
import dev.berth.node.runtime.host.HostRuntime;
import dev.berth.node.testing.Scratch;
import dev.berth.node.testing.TestNode;
import dev.berth.node.volume.disk.KubeletFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/// Sidecars, probes and hooks in real containers (NRUN-07, NRUN-09, NRUN-10).
@Timeout(120)
@EnabledIf(
    value = "dev.berth.node.testing.Scratch#containersOnDisks",
    disabledReason = "needs root, loop devices, mkfs.ext4 and overlay mounts")
class PodHealthTest {
  private Scratch scratch;
  private TestNode node;
  private HostRuntime runtime;
  private Path shared;

  @BeforeEach
  void start() throws Exception {
    scratch = Scratch.open();
    node =
        new TestNode(
            new KubeletFiles(scratch.layout, TestNode.NAME, scratch.mounts),
            new KubeletPodFiles(scratch.layout, scratch.logs, scratch.mounts));
    shared = Files.createDirectories(scratch.directory.resolve("shared"));
    startAgent();
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
    for (var container : runtime.list()) runtime.remove(container.id());
    runtime.close();
    scratch.close();
  }

  private void startAgent() throws Exception {
    runtime = HostRuntime.open(scratch.layout, List.of());
    node.start(runtime);
  }

  private void create(String spec) {
    node.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: web}
        spec:
          nodeName: n
          terminationGracePeriodSeconds: 8
          volumes: [{name: s, hostPath: {path: %s}}]
        %s
        """
            .formatted(shared, spec.indent(2)));
  }

  /// Every container sees what the test sees, at `/s`.
  private static String container(String name, String script, String more) {
    return """
    - name: %s
      image: host
      command: [sh, -c, '%s']
      volumeMounts: [{name: s, mountPath: /s}]
      %s
    """
        .formatted(name, script, more);
  }

  private String events() {
    var text = new StringBuilder();
    for (JsonNode event : node.api().list(Resources.EVENTS, "default", Selector.ALL).items())
      text.append(event.path("reason").asText())
          .append(": ")
          .append(event.path("message").asText())
          .append('\n');
    return text.toString();
  }

  private List<String> lines() throws Exception {
    var file = shared.resolve("order");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static JsonNode condition(ObjectNode pod, String type) {
    for (var condition : pod.at("/status/conditions"))
      if (condition.path("type").asText().equals(type)) return condition;
    throw new AssertionError("no condition " + type);
  }

  @Test
  void sidecarsStartInOrderAndEndInReverse() throws Exception {
    var stops = "trap \"echo %1$s ends >> /s/order; exit 0\" TERM; echo %1$s >> /s/order; ";
    var waits = "while :; do sleep 0.05; done";
    create(
        "restartPolicy: Never\ninitContainers:\n"
            + container(
                "first",
                stops.formatted("first") + "sleep 0.3; touch /s/up; " + waits,
                "restartPolicy: Always\n  startupProbe: {exec: {command: [test, -e, /s/up]},"
                    + " periodSeconds: 1, failureThreshold: 30}")
            + container("second", stops.formatted("second") + waits, "restartPolicy: Always")
            + container("setup", "test -e /s/up && echo setup >> /s/order", "")
            + "containers:\n"
            + container(
                "app", "echo app >> /s/order; while [ ! -e /s/end ]; do sleep 0.05; done", ""));
    var running = node.awaitPhase("web", "Running");
    assertThat(lines()).startsWith("first").contains("second", "setup");
    assertThat(running.at("/status/initContainerStatuses/0/started").asBoolean()).isTrue();
    node.awaitPod(
        "web", "ready", pod -> condition(pod, "Ready").path("status").asText().equals("True"));

    Files.createFile(shared.resolve("end"));

    node.awaitPhase("web", "Succeeded");
    assertThat(lines().subList(lines().indexOf("app"), lines().size()))
        .containsExactly("app", "second ends", "first ends");
  }

  @Test
  void aLivenessProbeThatFailsStartsTheContainerAnew() throws Exception {
    create(
        "containers:\n"
            + container(
                "app",
                "touch /s/alive; exec sleep 600",
                "livenessProbe: {exec: {command: [sh, -c, \"test -e /s/alive || { echo not there"
                    + " >&2; exit 1; }\"]}, periodSeconds: 1, failureThreshold: 2,"
                    + " terminationGracePeriodSeconds: 1}"));
    node.awaitPhase("web", "Running");
    Files.delete(await("alive").until(() -> shared.resolve("alive"), Files::exists));
    node.awaitPod(
        "web", "again", pod -> pod.at("/status/containerStatuses/0/restartCount").asInt() == 1);
    await("events")
        .untilAsserted(() ->
            assertThat(events())
                .contains("Unhealthy: Liveness probe failed: not there")
                .contains("Killing: Container app failed liveness probe, will be restarted"));
  }

  @Test
  void readinessComesAndGoesAndStaysOverARestartOfTheAgent() throws Exception {
    create(
        "readinessGates: [{conditionType: example.org/served}]\ncontainers:\n"
            + container(
                "app",
                "exec sleep 600",
                "readinessProbe: {exec: {command: [test, -e, /s/ready]}, periodSeconds: 1,"
                    + " failureThreshold: 1}"));
    var unready = node.awaitPhase("web", "Running");
    assertThat(condition(unready, "ContainersReady").path("message").asText())
        .isEqualTo("containers with unready status: [app]");
    Files.createFile(shared.resolve("ready"));
    var ready =
        node.awaitPod(
            "web",
            "ready",
            pod -> condition(pod, "ContainersReady").path("status").asText().equals("True"));
    assertThat(condition(ready, "Ready").path("reason").asText())
        .isEqualTo("ReadinessGatesNotReady");
    assertThat(condition(ready, "Ready").path("message").asText())
        .isEqualTo(
            "corresponding condition of pod readiness gate \"example.org/served\" does not exist.");
    var since = condition(ready, "ContainersReady").path("lastTransitionTime");

    node.kill();
    runtime.close();
    startAgent();
    Files.delete(shared.resolve("ready"));

    var again =
        node.awaitPod(
            "web",
            "not ready",
            pod -> condition(pod, "ContainersReady").path("status").asText().equals("False"));
    assertThat(again.at("/status/containerStatuses/0/restartCount").asInt()).isZero();
    assertThat(since.asText()).isNotEmpty();
  }

  @Test
  void hooksRunAfterTheStartAndBeforeTheEnd() throws Exception {
    create(
        "containers:\n"
            + container(
                "app",
                "trap \"echo term >> /s/order; exit 0\" TERM; while :; do sleep 0.05; done",
                "lifecycle:\n    postStart: {exec: {command: [sh, -c, \"sleep 0.3; echo begun >>"
                    + " /s/order\"]}}\n    preStop: {exec: {command: [sh, -c, \"sleep 0.3; echo"
                    + " leaving >> /s/order\"]}}")
            + container("next", "echo next >> /s/order; exec sleep 600", ""));
    node.awaitPod("web", "ready", pod -> pod.at("/status/containerStatuses/1/ready").asBoolean());
    await("next has begun").until(() -> lines().size() == 2);
    node.api().delete(Resources.PODS, ObjectKey.of("default", "web"), DeleteOptions.DEFAULT);
    node.awaitGone("web");
    assertThat(lines()).containsExactly("begun", "next", "leaving", "term");
  }

  @Test
  void aPreStopHookThatHangsIsKilledAndSaid() throws Exception {
    create(
        "containers:\n"
            + container(
                "app",
                "trap \"echo term >> /s/order; exit 0\" TERM; while :; do sleep 0.05; done",
                "lifecycle: {preStop: {exec: {command: [sleep, \"600\"]}}}"));
    node.awaitPhase("web", "Running");
    node.api()
        .delete(
            Resources.PODS,
            ObjectKey.of("default", "web"),
            DeleteOptions.DEFAULT.gracePeriodSeconds(4));
    node.awaitGone("web");
    assertThat(lines()).containsExactly("term");
    await("said").until(() -> events().contains("FailedPreStopHook: PreStopHook failed:"));
  }
}
