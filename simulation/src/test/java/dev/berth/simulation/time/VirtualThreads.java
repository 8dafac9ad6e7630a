package dev.berth.simulation.time;

import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;

/// Makes virtual threads that run only when a given executor runs them. Whatever they block on,
/// they stand still and let the executor's thread go, and are handed to it again when they may go
/// on: so a simulation in one thread has the threads of many processes.
///
/// The JDK has no public door to this; the tests' command line opens `java.lang` for it.
final class VirtualThreads {
  private static final Constructor<?> BUILDER = builder();

  private VirtualThreads() {}

  static Thread unstarted(Executor scheduler, Runnable task) {
    try {
      return ((Thread.Builder.OfVirtual) BUILDER.newInstance(scheduler)).unstarted(task);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Constructor<?> builder() {
    try {
      var builder =
          Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
              .getDeclaredConstructor(Executor.class);
      builder.setAccessible(true);
      return builder;
    } catch (ReflectiveOperationException | RuntimeException closed) {
      throw new IllegalStateException(
          "run simulations with --add-opens java.base/java.lang=ALL-UNNAMED", closed);
    }
  }
}
