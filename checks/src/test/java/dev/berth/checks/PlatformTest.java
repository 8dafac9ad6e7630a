package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The build started on any JDK from 17 compiles and tests on 25 (BUILD-01).
class PlatformTest {
  @Test
  void testsRunOnJdk25() {
    assertThat(Runtime.version().feature()).isEqualTo(25);
  }
}
