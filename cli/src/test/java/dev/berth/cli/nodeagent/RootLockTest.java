package dev.berth.cli.nodeagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RootLockTest {
  @TempDir private Path root;

  @Test
  void onlyOneHasIt() throws Exception {
    try (var _ = RootLock.take(root)) {
      assertThatThrownBy(() -> RootLock.take(root)).hasMessageContaining("another node agent");
    }
    RootLock.take(root).close();
  }

  @Test
  void aPipeIsRefused() throws Exception {
    var file = root.resolve("node.lock").toString();
    assertThat(new ProcessBuilder("mkfifo", file).start().waitFor()).isZero();
    assertThatThrownBy(() -> RootLock.take(root)).hasMessageContaining("is no regular file");
  }

  @Test
  void aLinkIsRefused() throws Exception {
    var elsewhere = root.resolve("elsewhere");
    Files.createSymbolicLink(root.resolve("node.lock"), elsewhere);
    assertThatThrownBy(() -> RootLock.take(root)).hasMessageContaining("is no regular file");
    assertThat(elsewhere).doesNotExist();
  }
}
