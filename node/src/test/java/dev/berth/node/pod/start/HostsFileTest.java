package dev.berth.node.pod.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.node.testing.TestNode;
import org.junit.jupiter.api.Test;

/// The names that a pod's containers know besides those of the machine.
class HostsFileTest {
  private static final String MACHINE = "127.0.0.1 localhost\n10.0.0.1 node-a";

  private static Pod pod(String spec) {
    return Kinds.POD
        .read()
        .apply(
            TestNode.yaml(
                """
                metadata: {namespace: default, name: web, uid: pod-1}
                spec: {nodeName: n, containers: [{name: app, image: host}], %s}
                status: {podIP: 10.1.0.5}
                """
                    .formatted(spec)));
  }

  @Test
  void aPodThatAddsNoneHasWhatItHad() throws Exception {
    assertThat(HostsFile.of(pod("hostAliases: []"), MACHINE)).isEmpty();
  }

  @Test
  void onTheNodesNetworkTheyComeAfterTheMachinesOwn() throws Exception {
    var aliases =
        "hostAliases: [{ip: 10.0.0.9, hostnames: [db, db.example]}, {ip: \"fd00::1\", hostnames:"
            + " [six]}]";
    assertThat(HostsFile.of(pod(aliases), MACHINE).orElseThrow())
        .isEqualTo(
            MACHINE + "\n# hostAliases of the pod\n10.0.0.9\tdb\tdb.example\nfd00::1\tsix\n");
  }

  @Test
  void onANetworkOfItsOwnAPodKnowsItselfAndNoNeighboursOfTheMachine() throws Exception {
    var spec = "hostNetwork: false, hostAliases: [{ip: 10.0.0.9, hostnames: [db]}]";
    assertThat(HostsFile.of(pod(spec), MACHINE).orElseThrow())
        .contains("127.0.0.1\tlocalhost\n", "\n10.1.0.5\tweb\n", "\n10.0.0.9\tdb\n")
        .doesNotContain("node-a");
  }

  @Test
  void whatWouldBeALineOfItsOwnIsRefused() {
    var spec = "hostAliases: [{ip: 10.0.0.9, hostnames: [\"db\\n127.0.0.1 other\"]}]";
    assertThatThrownBy(() -> HostsFile.of(pod(spec), MACHINE))
        .isInstanceOf(UnusableException.class)
        .hasMessageContaining("is no address and no name");
  }
}
