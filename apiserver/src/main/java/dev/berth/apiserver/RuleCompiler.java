package dev.berth.apiserver;

import dev.berth.apiserver.core.custom.rule.CelPrograms;
import dev.berth.apiserver.core.custom.rule.CelSource;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Compiles rules in CEL in one thread, so that definitions take no more of the machine than that.
final class RuleCompiler {
  private static final ThreadPoolExecutor WORKER = worker();

  private RuleCompiler() {}

  private static ThreadPoolExecutor worker() {
    var worker =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("apiserver-rules").factory());
    worker.allowCoreThreadTimeOut(true);
    return worker;
  }

  /// Waits until all of them are compiled. Who gives up leaves nothing behind that others wait for,
  /// but for the one rule that is being compiled.
  static void compile(Collection<CelSource> rules) throws InterruptedException {
    await(rules.stream().<Runnable>map(rule -> () -> CelPrograms.compile(List.of(rule))).toList());
  }

  static void await(List<Runnable> parts) throws InterruptedException {
    var work =
        new FutureTask<>(
            () -> {
              for (var part : parts) {
                if (Thread.interrupted()) return;
                part.run();
              }
            },
            0);
    WORKER.execute(work);
    try {
      work.get();
    } catch (ExecutionException defect) {
      throw new IllegalStateException("rules in CEL could not be compiled", defect);
    } finally {
      work.cancel(true);
      WORKER.remove(work);
    }
  }
}
