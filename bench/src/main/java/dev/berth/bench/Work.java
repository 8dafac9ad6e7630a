package dev.berth.bench;

import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Many calls of one kind, by many callers.
public final class Work {
  private static final int CALLERS = 50;

  private Work() {}

  /// What is done for each number.
  public interface Numbered {
    void call(int number);
  }

  /// Calls `work` with 0 to `count` - 1, fifty at a time, and waits for all.
  ///
  /// @throws ExecutionException what the first of them threw
  public static void atOnce(int count, Numbered work)
      throws InterruptedException, ExecutionException {
    var callers = new Semaphore(CALLERS);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var done = new ArrayList<Future<?>>();
      for (int i = 0; i < count; i++) {
        int number = i;
        done.add(
            threads.submit(() -> {
              callers.acquire();
              try {
                work.call(number);
              } finally {
                callers.release();
              }
              return null;
            }));
      }
      for (var each : done) each.get();
    }
  }
}
