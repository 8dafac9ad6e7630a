package dev.berth.apiserver;

import dev.berth.apiserver.core.custom.CelPrograms;
import dev.berth.apiserver.core.custom.CelSource;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
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

  /// Waits until all of them are compiled.
  static void compile(Collection<CelSource> rules) throws InterruptedException {
    var work = WORKER.submit(() -> CelPrograms.compile(rules));
    try {
      work.get();
    } catch (ExecutionException defect) {
      throw new IllegalStateException("rules in CEL could not be compiled", defect);
    }
  }
}
