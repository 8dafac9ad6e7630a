package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Watchers that go and come back at random, while what they have missed moves from memory to disk,
/// see the history all the same: each write once and in order (API-157).
class WatchCompletenessTest {
  private static final int WATCHERS = 50;
  private static final int WRITERS = 16;
  private static final int OBJECTS = 60;

  /// So large that most of the history does not fit into memory.
  private static final String FILLING = "x".repeat(12 * 1024);

  @TempDir private Path folder;
  private EmbeddedApiServer server;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(SqliteStore.open(folder));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  @Timeout(300)
  void whoComesAndGoesSeesTheWholeHistory() throws Exception {
    long first = server.revision();
    var tasks = new ArrayList<Callable<List<String>>>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      tasks.add(() -> write(writer));
    }
    for (int i = 0; i < WATCHERS; i++) {
      var random = new Random(i);
      tasks.add(() -> watch(first, random));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<List<String>>();
      for (var done : threads.invokeAll(tasks)) all.add(done.get());
      var history = all.get(WRITERS);
      assertThat(history).hasSize(3 * WRITERS * OBJECTS);
      assertThat(all.subList(WRITERS, all.size())).allMatch(history::equals);
      for (int i = 0; i < WRITERS; i++) assertThat(history).containsSubsequence(all.get(i));
    }
  }

  /// Creates objects, changes each and removes it.
  private List<String> write(int writer) throws Exception {
    var done = new ArrayList<String>();
    for (int i = 0; i < OBJECTS; i++) {
      var name = "map-" + writer + "-" + i;
      var key = ObjectKey.of("default", name);
      var map = World.yaml("{metadata: {name: %s}, data: {a: %s}}".formatted(name, FILLING));
      server.handle(new Request.Create(Resources.CONFIG_MAPS, "default", map));
      var patch = new Patch(Patch.Type.MERGE, World.yaml("{data: {b: '1'}}"));
      server.handle(new Request.Change(Resources.CONFIG_MAPS, key, Request.Part.MAIN, patch));
      server.handle(new Request.Delete(Resources.CONFIG_MAPS, key, DeleteOptions.DEFAULT));
      for (var what : List.of("added ", "modified ", "deleted ")) done.add(what + name);
    }
    return done;
  }

  private List<String> watch(long first, Random random) throws Exception {
    var seen = new ArrayList<String>();
    long revision = first;
    while (seen.size() < 3 * WRITERS * OBJECTS) {
      var stream = open(revision);
      for (int left = 1 + random.nextInt(300); left > 0; left--) {
        var event = stream.next(Duration.ofMillis(1 + random.nextInt(500)));
        if (event.isEmpty()) break;
        revision = note(event.get(), revision, seen);
      }
      stream.close();
    }
    return seen;
  }

  private WatchStream open(long revision) throws Exception {
    var options = ListOptions.ALL.from(Long.toString(revision));
    var request = new WatchRequest(Resources.CONFIG_MAPS, "default", options);
    return ((WatchAnswer.Streaming) server.watch(request, () -> {})).stream();
  }

  private static long note(WatchEvent event, long before, List<String> seen) {
    var object =
        switch (event) {
          case WatchEvent.Added(var added) -> added;
          case WatchEvent.Modified(var modified) -> modified;
          case WatchEvent.Deleted(var last) -> last;
          case WatchEvent.Bookmark _, WatchEvent.Failed _ -> throw new AssertionError(event);
        };
    assertThat(object.revision()).isGreaterThan(before);
    seen.add(event.getClass().getSimpleName().toLowerCase(Locale.ROOT) + " " + object.key().name());
    return object.revision();
  }
}
