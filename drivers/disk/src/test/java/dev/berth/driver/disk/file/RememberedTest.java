package dev.berth.driver.disk.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RememberedTest {
  @TempDir Path folder;
  private final AtomicInteger reads = new AtomicInteger();
  private final Remembered<String> remembered = new Remembered<>(this::read);

  @Test
  void whatHasNotChangedForLongIsReadOnce() throws IOException {
    var file = written("one", 10);
    for (var i = 0; i < 5; i++) assertThat(remembered.of(file)).contains("one");
    assertThat(reads).hasValue(1);
  }

  @Test
  void whatHasJustChangedIsReadEachTime() throws IOException {
    var file = written("one", 0);
    for (var i = 0; i < 5; i++) assertThat(remembered.of(file)).contains("one");
    assertThat(reads).hasValue(5);
  }

  @Test
  void aFileThatTookItsPlaceIsSeenThoughItIsAsOldAndAsLarge() throws IOException {
    var file = written("one", 10);
    assertThat(remembered.of(file)).contains("one");
    var other = Files.writeString(folder.resolve("other"), "two");
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
    Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
    assertThat(remembered.of(file)).contains("two");
  }

  @Test
  void whatIsGoneIsNotRemembered() throws IOException {
    var file = written("one", 10);
    assertThat(remembered.of(file)).contains("one");
    Files.delete(file);
    assertThat(remembered.of(file)).isEmpty();
  }

  private Path written(String text, int secondsAgo) throws IOException {
    var file = Files.writeString(folder.resolve("file"), text);
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(secondsAgo)));
    return file;
  }

  private String read(Path file) {
    reads.incrementAndGet();
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
