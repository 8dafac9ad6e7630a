package dev.berth.driver.disk.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.disk.node.ControlGroups.Version;
import dev.berth.driver.disk.pool.Limits;
import dev.berth.linux.file.DeviceNumber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is written for version 2, in files that only look like its own: a kernel whose blkio
/// controller is mounted as version 1 has none to try.
class ControlGroupsTest {
  private static final Limits LIMITS = new Limits(0, 200, 1_000_000, 0);

  @TempDir Path root;

  private Path group(String name) throws IOException {
    var group = Files.createDirectories(root.resolve(name));
    Files.createFile(group.resolve("io.max"));
    return group;
  }

  @Test
  void limitsAreSetAtTheTop() throws IOException {
    var pods = group("pods");
    group("pods/pod");
    Files.createDirectory(root.resolve("without"));
    var groups = new ControlGroups(root, Version.TWO);
    assertThat(groups.all()).containsExactly(pods);
    assertThat(groups.whyUseless()).isEmpty();
    groups.set(pods, new DeviceNumber(7, 3), LIMITS);
    assertThat(pods.resolve("io.max")).hasContent("7:3 rbps=1000000 wbps=max riops=max wiops=200");
  }

  /// As in a container that sees only its own part of the groups.
  @Test
  void aRootThatIsLimitedItselfCountsToo() throws IOException {
    group("pods");
    Files.createFile(root.resolve("io.max"));
    assertThat(new ControlGroups(root, Version.TWO).all())
        .containsExactly(root, root.resolve("pods"));
  }

  @Test
  void aControllerThatIsOffIsTold() {
    assertThat(new ControlGroups(root, Version.TWO).whyUseless())
        .hasValueSatisfying(why -> assertThat(why).contains("io.max", "its io controller is off"));
  }

  @Test
  void aGroupThatHasGoneNeedsNoLimit() {
    new ControlGroups(root, Version.TWO).set(root.resolve("gone"), new DeviceNumber(7, 3), LIMITS);
  }
}
