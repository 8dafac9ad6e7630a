package dev.berth.node.pod.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.model.Kinds;
import dev.berth.node.testing.TestNode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceReferenceTest {
  private static final ResourceReference REFERENCE =
      new ResourceReference(
          Kinds.POD
              .read()
              .apply(
                  TestNode.yaml(
                      """
                      metadata: {namespace: ns, name: web, uid: pod-1}
                      spec:
                        initContainers:
                        - {name: init, resources: {requests: {cpu: 100m, memory: 10Mi}}}
                        containers:
                        - {name: app, resources: {limits: {cpu: 1250m, memory: 64Mi}}}
                      """)),
          Map.of("cpu", "4", "memory", "1048576Ki"));

  private static String value(String reference, String own) throws UnusableException {
    return REFERENCE.value(TestNode.yaml(reference), own);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{resource: limits.cpu} | 2",
        "{resource: limits.cpu, divisor: 1m} | 1250",
        "{resource: limits.memory} | 67108864",
        "{resource: limits.memory, divisor: 1Mi} | 64",
        "{resource: limits.memory, divisor: 1Gi} | 1",
        "{resource: limits.cpu, divisor: '0'} | 2",
        "{resource: requests.cpu, divisor: 1m} | 1250", // as much as the limit
        "{resource: requests.cpu, divisor: 1m, containerName: init} | 100",
        "{resource: limits.cpu, containerName: init} | 4", // the node's
        "{resource: limits.memory, divisor: 1Mi, containerName: init} | 1024",
        "{resource: limits.ephemeral-storage} | 0"
      })
  void saysHowMuch(String reference, String value) throws Exception { // NRUN-06
    assertThat(value(reference, "app")).isEqualTo(value);
  }

  @Test
  void whatIsNotThereIsRefused() {
    assertThatThrownBy(() -> value("{resource: limits.cpu, containerName: none}", "app"))
        .isInstanceOf(UnusableException.class)
        .hasMessage("container none not found in the pod");
    assertThatThrownBy(() -> value("{resource: cpu}", "app"))
        .isInstanceOf(UnusableException.class)
        .hasMessage("resource \"cpu\" is not supported");
  }
}
