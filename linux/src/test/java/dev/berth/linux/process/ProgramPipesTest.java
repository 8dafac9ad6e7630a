package dev.berth.linux.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProgramPipesTest {
  private static final int TRIES = 100;

  /// The kernel may refuse a thread; whoever asks again must not run out of descriptors.
  @Test
  void whereNoThreadIsToBeHadNothingStaysOpen() throws IOException {
    long before = open();
    for (int i = 0; i < TRIES; i++)
      assertThatThrownBy(() ->
              new ProgramPipes(_ -> {
                throw new OutOfMemoryError("no thread");
              }))
          .hasMessage("no thread");
    assertThat(open() - before).as("descriptors more than before").isLessThan(TRIES);
  }

  private static long open() throws IOException {
    try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.count();
    }
  }
}
