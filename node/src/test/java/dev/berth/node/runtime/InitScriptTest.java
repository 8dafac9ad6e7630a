package dev.berth.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InitScriptTest {
  /// What stands behind `exec` is in `/proc/PID/cmdline`, which everybody on the machine may read.
  @Test
  void noValueOfTheEnvironmentBecomesAnArgument() {
    var spec =
        With.program(
            ContainerBench.spec(new ContainerId("pod-1", "app", 0), "", Path.of("/log")),
            new Program(List.of("true"), Map.of("PASSWORD", "s3same", "tls.key", "s3same"), ""));
    var script = InitScript.of(spec);
    assertThat(script).contains("export BERTH_0=").contains("='s3same'");
    assertThat(script.lines().filter(line -> line.contains("exec ")))
        .noneMatch(line -> line.contains("s3same"));
  }
}
