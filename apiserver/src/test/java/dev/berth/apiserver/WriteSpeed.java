package dev.berth.apiserver;

import dev.berth.apiserver.core.Answer;
import dev.berth.apiserver.core.Request;
import dev.berth.apiserver.core.Request.Part;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Measures durable writes: `java … dev.berth.apiserver.WriteSpeed FOLDER CALLERS SECONDS`. Each
/// caller creates a claim and then changes it, over and over.
final class WriteSpeed {
  private WriteSpeed() {}

  public static void main(String[] args) throws Exception {
    int callers = Integer.parseInt(args[1]);
    var end = Instant.now().plus(Duration.ofSeconds(Long.parseLong(args[2])));
    try (var server = EmbeddedApiServer.start(SqliteStore.open(Path.of(args[0])));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var tasks = new ArrayList<Future<long[]>>();
      var start = System.nanoTime();
      for (int i = 0; i < callers; i++) {
        int caller = i;
        tasks.add(threads.submit(() -> write(server, caller, end)));
      }
      var all = new ArrayList<long[]>();
      for (var task : tasks) all.add(task.get());
      double seconds = (System.nanoTime() - start) / 1e9;
      var nanos = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
      System.out.printf(
          "%d callers: %.0f writes/s, p50 %.2f ms, p99 %.2f ms, revision %d%n",
          callers,
          nanos.length / seconds,
          nanos[nanos.length / 2] / 1e6,
          nanos[nanos.length * 99 / 100] / 1e6,
          server.revision());
    }
  }

  private static long[] write(ApiServer server, int caller, Instant end)
      throws InterruptedException {
    var nanos = new long[1_000_000];
    int count = 0;
    while (Instant.now().isBefore(end) && count < nanos.length - 10) {
      var name = "c-" + System.nanoTime() + "-" + caller;
      long before = System.nanoTime();
      check(server.handle(new Request.Create(Resources.CLAIMS, "default", World.claim(name))));
      nanos[count++] = System.nanoTime() - before;
      for (int i = 0; i < 3; i++) {
        before = System.nanoTime();
        check(
            server.handle(
                new Request.Change(
                    Resources.CLAIMS,
                    ObjectKey.of("default", name),
                    Part.MAIN,
                    Patch.merge(World.annotations("step", Integer.toString(i))))));
        nanos[count++] = System.nanoTime() - before;
      }
    }
    return Arrays.copyOf(nanos, count);
  }

  private static void check(Answer answer) {
    if (answer instanceof Answer.Refused(var refusal))
      throw new IllegalStateException(refusal.message());
  }
}
