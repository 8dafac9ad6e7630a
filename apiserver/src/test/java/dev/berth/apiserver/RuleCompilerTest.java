package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// API-123: compiling is one thread's work, and nobody waits for what nobody wants any more.
@Timeout(60)
class RuleCompilerTest {
  private static Thread await(List<Runnable> parts) {
    return Thread.startVirtualThread(() -> {
      try {
        RuleCompiler.await(parts);
      } catch (InterruptedException gone) {
        Thread.currentThread().interrupt();
      }
    });
  }

  @Test
  void whoGivesUpLeavesNothingBehind() throws Exception {
    var begun = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var went = new AtomicBoolean();
    Runnable slow =
        () -> {
          begun.countDown();
          while (end.getCount() > 0) Thread.onSpinWait(); // as a compiler, hears no interrupt
        };
    var first = await(List.of(slow, () -> went.set(true)));
    begun.await();
    var second = await(List.of(() -> went.set(true)));
    while (second.getState() != Thread.State.WAITING) Thread.onSpinWait();
    first.interrupt();
    second.interrupt();
    first.join();
    second.join();
    end.countDown();
    RuleCompiler.await(List.of(() -> {}));
    assertThat(went).isFalse();
  }
}
