package dev.berth.linux.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.linux.Workbench;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.loop.LoopOptions.Flag;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseTest {
  @AutoClose private Workbench bench;

  @BeforeEach
  void open() {
    bench = Workbench.open();
  }

  @Test
  void aFileIsUnopenedUntilSomebodyReadsOrWritesIt() throws IOException {
    var image = bench.image("image", 1);
    assertThat(Lease.showsUnopened(image)).isTrue();
    for (var how : new StandardOpenOption[] {StandardOpenOption.READ, StandardOpenOption.WRITE})
      try (var _ = FileChannel.open(image, how)) {
        assertThat(Lease.showsUnopened(image)).isFalse();
      }
    assertThat(Lease.showsUnopened(image)).isTrue();
  }

  @Test
  void aLoopDeviceHasItsFileOpen() {
    var image = bench.image("image", 1);
    for (var options :
        new LoopOptions[] {LoopOptions.UNTIL_UNUSED, LoopOptions.UNTIL_UNUSED.with(Flag.READ_ONLY)})
      try (var _ = bench.attach(image, options)) {
        assertThat(Lease.showsUnopened(image)).isFalse();
      }
  }

  @Test
  void whatIsNotThereIsNotShown() {
    assertThat(Lease.showsUnopened(Path.of("/nowhere/at/all"))).isFalse();
    assertThat(Lease.showsUnopened(Path.of("/dev/null"))).isFalse();
  }

  /// Who opens the file just then waits for a moment, and nobody ends by the kernel's signal.
  @Test
  void othersCanOpenTheFileMeanwhile() throws Exception {
    var image = bench.image("image", 1);
    try (var threads = Executors.newFixedThreadPool(2)) {
      var opening =
          threads.submit(() -> {
            for (var i = 0; i < 5_000; i++) FileChannel.open(image).close();
            return true;
          });
      while (!opening.isDone()) Lease.showsUnopened(image);
      assertThat(opening.get()).isTrue();
    }
    assertThat(Lease.showsUnopened(image)).isTrue();
  }
}
