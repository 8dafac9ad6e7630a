package dev.berth.bench.scale;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// What pieces of work take of the processor when they are done by turns.
final class Turns {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /// Of the processor's time, not of the clock's: until the compiler has seen enough.
  private static final Duration WARM_UP = Duration.ofSeconds(2);

  /// What a single reading of the time should span at least: reading it takes half a microsecond.
  private static final Duration SPAN = Duration.ofNanos(100_000);

  private static final int ROUNDS = 200;

  private Turns() {}

  /// @return for each piece its median, in nanoseconds
  static List<Double> medians(List<Runnable> works) {
    long warm = now() + WARM_UP.toNanos();
    long done = 0;
    long begun = now();
    do {
      works.forEach(Runnable::run);
      done++;
    } while (now() < warm);
    int times = (int) Math.max(1, SPAN.toNanos() * works.size() * done / (now() - begun));
    var taken = new double[works.size()][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
      for (int work = 0; work < works.size(); work++)
        taken[work][round] = taken(works.get(work), times);
    return IntStream.range(0, works.size()).mapToObj(work -> median(taken[work])).toList();
  }

  private static double taken(Runnable work, int times) {
    long begun = now();
    for (int time = 0; time < times; time++) work.run();
    return (double) (now() - begun) / times;
  }

  private static double median(double[] figures) {
    Arrays.sort(figures);
    return figures[figures.length / 2];
  }

  /// How long this thread has had a processor, in nanoseconds.
  static long now() {
    return THREADS.getCurrentThreadCpuTime();
  }
}
