package dev.berth.linux.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.cgroup.DeviceRule.Kind;
import dev.berth.linux.cgroup.DeviceRule.Use;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeviceGroupsTest {
  private static final DeviceRule NULL =
      new DeviceRule(Kind.CHARACTER, 1, OptionalInt.of(3), Set.of(Use.READ, Use.WRITE));
  private static final DeviceRule URANDOM =
      new DeviceRule(Kind.CHARACTER, 1, OptionalInt.of(9), Set.of(Use.READ));

  private static String inside(DeviceGroups groups, List<DeviceRule> rules) throws Exception {
    var name = "test-" + UUID.randomUUID();
    var processes = groups.create(name, rules);
    var script =
        """
        echo 0 >"$0/cgroup.procs" || exit
        for f in null zero urandom; do
          true <"/dev/$f" && echo "read $f"
          true >"/dev/$f" && echo "write $f"
        done 2>&3
        """;
    var process =
        new ProcessBuilder("sh", "-c", "exec 3>&2 2>/dev/null\n" + script, processes.toString())
            .start();
    var said = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    groups.remove(name);
    return said;
  }

  @Test
  void onlyWhatTheRulesAllowOpens() throws Exception {
    var groups = DeviceGroups.ofThisMachine("berth");
    assumeTrue(groups.isPresent(), "this machine has no control groups for devices, or not for us");
    assertThat(inside(groups.get(), List.of(NULL, URANDOM)))
        .isEqualTo("read null\nwrite null\nread urandom\n");
    var all = new DeviceRule(Kind.CHARACTER, 1, OptionalInt.empty(), Set.of(Use.READ));
    assertThat(inside(groups.get(), List.of(all)))
        .isEqualTo("read null\nread zero\nread urandom\n");
    assertThat(inside(groups.get(), List.of())).isEmpty();
  }

  @Test
  void aRuleReadsAsTheKernelHasIt() {
    assertThat(NULL).hasToString("c 1:3 rw");
    assertThat(new DeviceRule(Kind.BLOCK, 7, OptionalInt.empty(), Set.of(Use.READ)))
        .hasToString("b 7:* r");
  }
}
