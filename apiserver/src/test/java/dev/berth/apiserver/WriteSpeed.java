package dev.berth.apiserver;

import com.sun.management.OperatingSystemMXBean;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/// Measures durable writes: `java … dev.berth.apiserver.WriteSpeed FOLDER CALLERS SECONDS`. Each
/// caller creates a claim and changes it three times, over and over, first as long to warm up.
/// Where the machine is not ours alone, the processor time a write is what can be compared.
final class WriteSpeed {
  private static final int CHANGES = 3;

  private final ApiServer server;
  private final int callers;

  private WriteSpeed(ApiServer server, int callers) {
    this.server = server;
    this.callers = callers;
  }

  public static void main(String[] args) throws Exception {
    var time = Duration.ofSeconds(Long.parseLong(args[2]));
    try (var server = EmbeddedApiServer.start(SqliteStore.open(Path.of(args[0])))) {
      var speed = new WriteSpeed(server, Integer.parseInt(args[1]));
      speed.run(time);
      System.out.println(speed.run(time));
    }
  }

  private String run(Duration time) throws Exception {
    var machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long processor = machine.getProcessCpuTime();
    long start = System.nanoTime();
    var nanos = new ArrayList<long[]>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var tasks = new ArrayList<Callable<long[]>>();
      for (int i = 0; i < callers; i++) {
        int caller = i;
        tasks.add(() -> write(caller, start + time.toNanos()));
      }
      for (var done : threads.invokeAll(tasks)) nanos.add(done.get());
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    var sorted = nanos.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return "%d callers: %.0f writes/s, p50 %.2f ms, p99 %.2f ms, processor %.1f µs a write"
        .formatted(
            callers,
            sorted.length / seconds,
            sorted[sorted.length / 2] / 1e6,
            sorted[sorted.length * 99 / 100] / 1e6,
            (machine.getProcessCpuTime() - processor) / 1e3 / sorted.length);
  }

  private long[] write(int caller, long end) throws InterruptedException {
    var nanos = new long[1 << 20];
    int count = 0;
    while (System.nanoTime() < end && count + CHANGES < nanos.length) {
      var name = "c-" + caller + "-" + System.nanoTime();
      nanos[count++] = measure(new Request.Create(Resources.CLAIMS, "default", World.claim(name)));
      for (int i = 0; i < CHANGES; i++)
        nanos[count++] =
            measure(
                new Request.Change(
                    Resources.CLAIMS,
                    ObjectKey.of("default", name),
                    Part.MAIN,
                    Patch.merge(World.annotations("step", Integer.toString(i)))));
    }
    return Arrays.copyOf(nanos, count);
  }

  private long measure(Request.Write write) throws InterruptedException {
    long before = System.nanoTime();
    if (server.handle(write) instanceof Answer.Refused(var refusal))
      throw new IllegalStateException(refusal.message());
    return System.nanoTime() - before;
  }
}
