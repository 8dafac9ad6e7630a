package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.apiserver.store.Store;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many writers at once: no update is lost, and every watcher sees all writes once and in order.
class ApiServerRaceTest {
  private static final int WRITERS = 64;
  private static final int WRITES = 10;
  private static final ObjectKey COUNTER = ObjectKey.of("default", "counter");

  @TempDir private Path folder;
  private EmbeddedApiServer server;

  @BeforeEach
  void start() throws Exception {
    Store store = SqliteStore.open(folder);
    server = EmbeddedApiServer.start(store);
    server.handle(
        new Request.Create(
            Resources.CONFIG_MAPS,
            "default",
            World.yaml("{metadata: {name: counter}, data: {count: '0'}}")));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void noUpdateIsLostAndWatchersSeeEachOnce() throws Exception {
    long start = server.revision();
    var first = watch(start);
    inParallel(() -> {
      for (int i = 0; i < WRITES; i++) increment();
      return null;
    });
    var second = watch(start);
    assertThat(count(counter())).isEqualTo(WRITERS * WRITES);
    assertThat(counts(first)).isEqualTo(counts(second)).hasSize(WRITERS * WRITES).isSorted();
  }

  @Test
  void everyWriteHasARevisionOfItsOwn() throws Exception { // API-43
    var revisions = new ArrayList<Long>();
    for (var each : inParallel(this::createOne)) revisions.add(each);
    assertThat(revisions).doesNotHaveDuplicates();
    assertThat(server.revision()).isEqualTo(revisions.stream().max(Long::compare).orElseThrow());
  }

  private long createOne() throws InterruptedException {
    var name = "map-" + Thread.currentThread().threadId();
    var map = World.yaml("{metadata: {name: %s}}".formatted(name));
    var answer = server.handle(new Request.Create(Resources.CONFIG_MAPS, "default", map));
    return ((Answer.Created) answer).object().revision();
  }

  private static <T> List<T> inParallel(Callable<T> task) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var results = new ArrayList<T>();
      for (var future : threads.invokeAll(java.util.Collections.nCopies(WRITERS, task)))
        results.add(future.get());
      return results;
    }
  }

  /// Reads, adds one and writes back until nobody came between.
  private void increment() throws InterruptedException {
    while (true) {
      var changed = counter().deepCopy();
      changed.withObject("data").put("count", Integer.toString(count(changed) + 1));
      var update = new Request.Update(Resources.CONFIG_MAPS, COUNTER, Part.MAIN, changed);
      switch (server.handle(update)) {
        case Answer.Single _ -> {
          return;
        }
        case Answer.Refused(var refusal) -> assertThat(refusal.reason()).isEqualTo("Conflict");
        case Answer other -> throw new AssertionError(other);
      }
    }
  }

  private ObjectNode counter() throws InterruptedException {
    var answer = server.handle(new Request.Get(Resources.CONFIG_MAPS, COUNTER, ""));
    return ((Answer.Single) answer).object().object();
  }

  private static int count(ObjectNode counter) {
    return counter.path("data").path("count").asInt();
  }

  private WatchStream watch(long revision) throws InterruptedException {
    var options = ListOptions.ALL.from(Long.toString(revision));
    var request = new WatchRequest(Resources.CONFIG_MAPS, "default", options);
    return ((WatchAnswer.Streaming) server.watch(request)).stream();
  }

  private static List<Integer> counts(WatchStream stream) throws InterruptedException {
    var counts = new ArrayList<Integer>();
    try (stream) {
      while (counts.size() < WRITERS * WRITES) {
        var event = stream.next(Duration.ofSeconds(20)).orElseThrow();
        counts.add(count(((WatchEvent.Modified) event).object().object()));
      }
      assertThat(stream.poll()).isEmpty();
    }
    return counts;
  }
}
