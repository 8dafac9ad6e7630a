package dev.berth.cli.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeTest {
  @TempDir private Path folder;

  private Home home;
  private Process bystander;

  @BeforeEach
  void aBystander() throws IOException {
    home = new Home(folder.resolve("h"));
    bystander = new ProcessBuilder("sleep", "600").start();
  }

  @AfterEach
  void end() {
    bystander.destroyForcibly();
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void nobodyElseCanLockIt() throws Exception {
    try (var _ = home.lock()) {
      assertThat(mode(home.folder().resolve("lock"))).isEqualTo("rw-------");
      assertThat(mode(home.folder())).isEqualTo("rwxr-x--x");
    }
  }

  @Test
  void theLockOfAnEarlierVersionIsRepaired() throws Exception {
    Files.createDirectories(home.folder());
    var lock = Files.createFile(home.folder().resolve("lock"));
    Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(home.folder(), PosixFilePermissions.fromString("rwxrwxrwx"));
    home.lock().close();
    assertThat(mode(lock)).isEqualTo("rw-------");
    assertThat(mode(home.folder())).isEqualTo("rwxr-x--x");
  }

  /// Whom a note of a number is about is not known when its writer was killed: by now it may be
  /// anybody.
  @Test
  void whoHasTheNumberOfAKilledStackIsNotTakenForIt() throws Exception {
    home.lock().close();
    Files.writeString(home.folder().resolve("berth.pid"), bystander.pid() + "\n");
    assertThat(home.running()).isEmpty();
    assertThat(home.hasLeftovers()).isTrue();

    var lock = home.folder().resolve("lock");
    var stack = Locker.start(lock, "exclusive");
    try {
      assertThat(home.running().orElseThrow().pid()).isEqualTo((int) stack.pid());
      assertThatThrownBy(home::lock)
          .isInstanceOf(Home.InUse.class)
          .hasMessageContaining("(pid " + stack.pid() + ")");
    } finally {
      stack.destroyForcibly().waitFor();
    }
    assertThat(home.running()).isEmpty();
  }

  @Test
  void whoOnlyReadsIsNoStack() throws Exception {
    home.lock().close();
    var reader = Locker.start(home.folder().resolve("lock"), "shared");
    try {
      assertThatThrownBy(home::running)
          .hasMessageContaining("is locked by process " + reader.pid() + ", which is no stack");
    } finally {
      reader.destroyForcibly().waitFor();
    }
  }

  @Test
  void theHolderKnowsItselfAndKeepsItsLock() throws Exception {
    try (var _ = home.lock()) {
      assertThat(home.running().orElseThrow().pid()).isEqualTo((int) ProcessHandle.current().pid());
      assertThatThrownBy(home::lock).isInstanceOf(Home.InUse.class);
      assertThatThrownBy(() -> Locker.start(home.folder().resolve("lock"), "try"))
          .hasMessageContaining("was not locked");
    }
    assertThat(home.hasLeftovers()).isFalse();
  }

  @Test
  void aDiskOfItsOwnMayBeAHome() throws Exception {
    Files.createDirectories(home.folder().resolve("lost+found"));
    home.lock().close();
  }

  @Test
  void aFolderOfOtherThingsIsNotTakenOver() throws Exception {
    Files.createDirectories(home.folder());
    Files.createFile(home.folder().resolve("letters"));
    var before = mode(home.folder());
    assertThatThrownBy(home::lock).hasMessageContaining("holds other things than a stack's");
    assertThat(mode(home.folder())).isEqualTo(before);
    assertThat(home.folder()).isDirectoryContaining(it -> it.endsWith("letters"));
  }
}
