package dev.berth.node.pod.start;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.node.testing.TestNode;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {
  private static Pod pod(String ofPod, String ofContainer) {
    return Kinds.POD
        .read()
        .apply(
            TestNode.yaml(
                """
                metadata: {namespace: ns, name: web, uid: pod-1}
                spec:
                  %s
                  containers: [{name: app, image: host, command: [a]%s}]
                """
                    .formatted(ofPod, ofContainer)));
  }

  @Test
  void aPlainPodAsksForNothing() {
    var pod = pod("hostNetwork: true", ", resources: {requests: {cpu: 1}}");
    assertThat(Limits.notIsolated(pod, Set.of())).isEmpty();
    assertThat(Limits.notDone(pod, Set.of())).isEmpty();
    assertThat(Limits.refusal(pod)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hostPID: true | hostPID",
        "hostIPC: true | hostIPC",
        "hostUsers: false | hostUsers: false",
        "shareProcessNamespace: true | shareProcessNamespace",
        "resources: {limits: {memory: 1Gi}} | resources",
        "securityContext: {seccompProfile: {type: RuntimeDefault}} |"
            + " securityContext.seccompProfile",
        "securityContext: {sysctls: [{name: a, value: b}]} | securityContext.sysctls"
      })
  void whatThePodAsksForAndDoesNotGetIsSaid(String spec, String field) { // NRUN-15
    assertThat(Limits.notIsolated(pod(spec, ""), Set.of())).containsExactly(field);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "resources: {limits: {cpu: 1}} | resources.limits",
        "securityContext: {capabilities: {drop: [ALL]}} | securityContext.capabilities",
        "securityContext: {seLinuxOptions: {level: s0}} | securityContext.seLinuxOptions",
        "securityContext: {appArmorProfile: {type: Unconfined}} | securityContext.appArmorProfile",
        "securityContext: {procMount: Unmasked} | securityContext.procMount"
      })
  void whatAContainerAsksForAndDoesNotGetIsSaid(String spec, String field) {
    assertThat(Limits.notIsolated(pod("", ", " + spec), Set.of()))
        .containsExactly(field + " of container app");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lifecycle: {preStop: {tcpSocket: {port: 1}}} | tcpSocket in its preStop hook is",
        "lifecycle: {stopSignal: SIGUSR1} | lifecycle.stopSignal is",
        "restartPolicy: Never | restartPolicy of its own is",
        "resizePolicy: [{resourceName: cpu}] | resizePolicy is"
      })
  void whatCannotBeDoneIsRefused(String spec, String what) { // NRUN-15
    assertThat(Limits.refusal(pod("", ", " + spec)))
        .hasValue("container app: " + what + " not supported");
  }

  @Test
  void thatNobodyPullsIsSaidOfImportedImages() {
    var always = pod("", ", imagePullPolicy: Always");
    assertThat(Limits.notDone(always, Set.of())).isEmpty();
    ((ObjectNode) always.spec().at("/containers/0")).put("image", "localhost/web:1");
    assertThat(Limits.notDone(always, Set.of()))
        .containsExactly(
            "imagePullPolicy Always (the image is as it was imported) of container app");
    assertThat(Limits.notDone(always, Set.of("imagePullPolicy"))).isEmpty();
  }

  @Test
  void whatASidecarNeedsIsNotRefused() {
    var pod =
        pod(
            "initContainers: [{name: s, image: host, command: [a], restartPolicy: Always}]",
            ", lifecycle: {preStop: {sleep: {seconds: 1}}}, livenessProbe: {tcpSocket: {port: 1}}");
    assertThat(Limits.refusal(pod)).isEmpty();
    assertThat(Limits.notDone(pod, Set.of())).isEmpty();
  }

  @Test
  void whatIsLeftOutIsSaid() {
    assertThat(
            Limits.notDone(
                pod("", ", tty: true, terminationMessagePolicy: FallbackToLogsOnError"), Set.of()))
        .containsExactly(
            "tty of container app",
            "terminationMessagePolicy FallbackToLogsOnError of container app");
  }
}
