package dev.berth.apiserver;

import static org.awaitility.Awaitility.await;

import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Who moves history to disk goes on, whatever happens (API-63).
@Timeout(60)
class HistoryThreadTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /// No name is so long: it cannot be packed.
  private static final String TOO_LONG = "x".repeat(70_000);

  @TempDir private Path folder;

  @Test
  void whatCannotBeKeptIsForgottenAndTheRestGoesOn() throws Exception {
    try (var history = HistoryThread.start(folder).orElseThrow()) {
      var hopeless = new EventLog(0, true);
      fill(hopeless, TOO_LONG, history);
      await().until(() -> hopeless.after(0) instanceof EventLog.Next.Forgotten);
      var other = new EventLog(0, true);
      fill(other, "map", history);
      await().until(() -> other.after(0) instanceof EventLog.Next.OnDisk);
    }
  }

  private static void fill(EventLog log, String name, HistoryThread history) {
    for (int revision = 1; revision <= 200; revision++) {
      var stored = Stored.ofJson(ObjectKey.of("default", name), 1, revision, new byte[40 * 1024]);
      var written = new Written.Put(Resources.CONFIG_MAPS, Optional.empty(), stored);
      if (log.append(written, NOW)) history.move(log);
    }
  }
}
