package dev.berth.linux.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// Which number a call has where.
class SystemCallTest {
  /// A machine that nobody has thought of gets none of another's numbers.
  @Test
  void aMachineThatIsNotKnownIsRefused() {
    assertThat(SystemCall.on("amd64", 1, 2)).isEqualTo(1);
    assertThat(SystemCall.on("aarch64", 1, 2)).isEqualTo(2);
    assertThatThrownBy(() -> SystemCall.on("riscv64", 1, 2)).hasMessageContaining("riscv64");
  }
}
