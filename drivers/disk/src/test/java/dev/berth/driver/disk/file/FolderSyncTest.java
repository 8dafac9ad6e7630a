package dev.berth.driver.disk.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FolderSyncTest {
  /// The kernel may refuse a thread, and does not for long.
  @Test
  void anErrorIsToldAndKeepsNobodyWaiting() throws Exception {
    var syncs = new AtomicInteger();
    var folder =
        new FolderSync(
            Path.of("/"),
            _ -> {
              if (syncs.incrementAndGet() == 1) throw new OutOfMemoryError("no thread");
            });
    assertThatThrownBy(() -> ended(folder)).hasRootCauseMessage("no thread");
    ended(folder);
    assertThat(syncs).hasValue(2);
  }

  private static void ended(FolderSync folder) throws Exception {
    var call = new FutureTask<>(folder::sync, true);
    Thread.ofPlatform().daemon().start(call);
    call.get(30, TimeUnit.SECONDS);
  }
}
