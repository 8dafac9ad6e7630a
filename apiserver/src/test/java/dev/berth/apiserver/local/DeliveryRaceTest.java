package dev.berth.apiserver.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Many threads write, many watch: each watcher is called by one thread at a time and misses
/// nothing.
class DeliveryRaceTest {
  private static final int WRITERS = 16;
  private static final int WRITES = 40;
  private static final int WATCHERS = 8;

  @Test
  void everyWatcherSeesAllInOrderAndAlone() throws Exception {
    try (var server = EmbeddedApiServer.start(new MemoryStore());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var api = new LocalApi(server, threads);
      var watchers = new ArrayList<Recorder>();
      for (int i = 0; i < WATCHERS; i++) {
        var watcher = new Recorder();
        watchers.add(watcher);
        var _ = api.watch(Resources.CLAIMS, "", Selector.ALL, "", watcher);
      }
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        threads.execute(() -> write(api, writer));
      }
      for (var watcher : watchers) {
        await().atMost(Duration.ofSeconds(30)).until(() -> watcher.count() == WRITERS * WRITES);
        assertThat(watcher.revisions()).isSorted().doesNotHaveDuplicates();
        assertThat(watcher.overlaps).hasValue(0);
      }
    }
  }

  private static void write(Api api, int writer) {
    for (int i = 0; i < WRITES; i++)
      api.create(Resources.CLAIMS, World.claim("claim-" + writer + "-" + i));
  }

  private static final class Recorder implements Api.Watcher {
    final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger inside = new AtomicInteger();
    private final List<Long> revisions = new ArrayList<>();

    @Override
    public void added(ObjectNode object) {
      if (inside.incrementAndGet() > 1) overlaps.incrementAndGet();
      var version = Json.text(object.path("metadata"), "resourceVersion");
      synchronized (revisions) {
        revisions.add(Long.valueOf(version));
      }
      inside.decrementAndGet();
    }

    int count() {
      synchronized (revisions) {
        return revisions.size();
      }
    }

    List<Long> revisions() {
      synchronized (revisions) {
        return List.copyOf(revisions);
      }
    }

    @Override
    public void modified(ObjectNode object) {}

    @Override
    public void deleted(ObjectNode object) {}

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {}
  }
}
