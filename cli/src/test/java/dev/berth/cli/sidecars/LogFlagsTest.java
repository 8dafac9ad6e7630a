package dev.berth.cli.sidecars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.Problem;
import dev.berth.cli.stack.LogFormat;
import org.junit.jupiter.api.Test;

/// ONE-10: upstream's flags of its logs.
class LogFlagsTest {
  @Test
  void formatsAreUpstreams() {
    assertThat(LogFlags.format("text")).isEqualTo(LogFormat.TEXT);
    assertThat(LogFlags.format("json")).isEqualTo(LogFormat.JSON);
    assertThatThrownBy(() -> LogFlags.format("xml"))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("Invalid value: \"xml\": Unsupported log format");
  }
}
