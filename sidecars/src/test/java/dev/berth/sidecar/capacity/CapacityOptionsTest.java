package dev.berth.sidecar.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CapacityOptionsTest {
  /// PROV-157.
  @Test
  void theLabelOfANodeFitsALabel() {
    assertThat(CapacityOptions.ofNode("node-1")).isEqualTo("external-provisioner-node-1");
    assertThat(CapacityOptions.ofNode("node" + "a".repeat(39)))
        .isEqualTo("external-p-53f40b57-node" + "a".repeat(39))
        .hasSize(63);
    assertThat(CapacityOptions.ofNode("node" + "a".repeat(49)))
        .isEqualTo("external-provisioner-a3607ff1");
  }
}
