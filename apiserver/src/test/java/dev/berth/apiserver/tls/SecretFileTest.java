package dev.berth.apiserver.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {
  @TempDir private Path folder;

  @Test
  void theOldTextStandsUntilTheNewOneIsWhole() throws IOException {
    var file = folder.resolve("deep/er/token");
    SecretFile.write(file, "old");
    try (var reader = Files.newBufferedReader(file)) {
      SecretFile.write(file, "new");
      assertThat(reader.readLine()).isEqualTo("old");
    }
    assertThat(file).hasContent("new");
  }

  @Test
  void aFileThatEverybodyCouldReadIsClosedToThem() throws IOException {
    var file = Files.writeString(folder.resolve("token"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    SecretFile.write(file, "new");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void aFailureLeavesNothingBehind() throws IOException {
    var file = folder.resolve("token");
    Files.createDirectories(file.resolve("in-the-way"));
    assertThatThrownBy(() -> SecretFile.write(file, "new")).isInstanceOf(IOException.class);
    try (var left = Files.list(folder)) {
      assertThat(left).containsExactly(file);
    }
  }
}
