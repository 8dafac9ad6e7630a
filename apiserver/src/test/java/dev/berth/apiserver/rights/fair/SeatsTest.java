package dev.berth.apiserver.rights.fair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// API-135: whose turn it is.
@Timeout(60)
class SeatsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final Seats seats = new Seats(new Seats.Limits(4, 3, 5, 8));
  private final LinkedBlockingQueue<String> seated = new LinkedBlockingQueue<>();

  /// Stands in line, on a thread of its own, until it is this user's turn.
  private Thread wait(String user) throws Exception {
    int before = seats.waiting();
    var thread =
        Thread.startVirtualThread(() -> {
          try {
            if (seats.take(user, LONG)) seated.add(user);
          } catch (InterruptedException gone) {
            seated.add("gone");
          }
        });
    while (seats.waiting() == before) Thread.onSpinWait();
    return thread;
  }

  private boolean take(String user) throws Exception {
    return seats.take(user, Duration.ZERO);
  }

  @Test
  void oneUserNeverHasAllSeats() throws Exception {
    for (int i = 0; i < 3; i++) assertThat(take("greedy")).isTrue();
    assertThat(take("greedy")).isFalse();
    assertThat(take("modest")).isTrue();
    assertThat(seats.taken()).isEqualTo(4);
    assertThat(seats.waiting()).isZero();
  }

  @Test
  void usersTakeTurns() throws Exception {
    for (int i = 0; i < 3; i++) take("greedy");
    take("other");
    for (int i = 0; i < 4; i++) wait("greedy");
    wait("modest");
    var order = new ArrayList<String>();
    for (int i = 0; i < 3; i++) {
      seats.leave("greedy");
      order.add(seated.poll(30, TimeUnit.SECONDS));
    }
    assertThat(order).containsExactly("greedy", "modest", "greedy");
  }

  @Test
  void linesAreBounded() throws Exception {
    for (int i = 0; i < 3; i++) take("greedy");
    take("other");
    for (int i = 0; i < 5; i++) wait("greedy");
    assertThat(seats.take("greedy", LONG)).isFalse(); // at once: its line is full
    for (var user : List.of("a", "b", "c")) wait(user);
    assertThat(seats.take("d", LONG)).isFalse(); // at once: all lines together are
    assertThat(seats.waiting()).isEqualTo(8);
  }

  @Test
  void whoGoesLeavesTheLine() throws Exception {
    for (int i = 0; i < 3; i++) take("greedy");
    take("other");
    var thread = wait("modest");
    thread.interrupt();
    assertThat(seated.poll(30, TimeUnit.SECONDS)).isEqualTo("gone");
    assertThat(seats.waiting()).isZero();
    seats.leave("greedy");
    assertThat(seats.taken()).isEqualTo(3);
    assertThat(take("modest")).isTrue();
  }

  @Test
  void aDeadlineInterruptsWhoIsLateAndNobodyAfterwards() throws Exception { // API-20
    var tasks = new ArrayList<Runnable>();
    var interrupted = new AtomicBoolean();
    var done = new CountDownLatch(1);
    var started = new CountDownLatch(1);
    Thread.startVirtualThread(() -> {
      try (var _ = Deadline.of(LONG, (task, _, _) -> timer(tasks, task))) {
        started.countDown();
        new CountDownLatch(1).await();
      } catch (InterruptedException late) {
        interrupted.set(true);
      }
      done.countDown();
    });
    started.await();
    tasks.getFirst().run();
    done.await();
    assertThat(interrupted).isTrue();
    var early = Deadline.of(LONG, (task, _, _) -> timer(tasks, task));
    early.close();
    tasks.getLast().run();
    assertThat(Thread.interrupted()).isFalse();
  }

  private static Scheduler.Task timer(List<Runnable> tasks, Runnable task) {
    tasks.add(task);
    return () -> true;
  }

  @Test
  void whoNeedsManyIsNotOvertakenByThoseWhoNeedFew() throws Exception {
    assertThat(seats.take("first", 3, LONG)).isTrue();
    var large =
        Thread.startVirtualThread(() -> {
          try {
            if (seats.take("large", 3, LONG)) seated.add("large");
          } catch (InterruptedException gone) {
            seated.add("gone");
          }
        });
    while (seats.waiting() == 0) Thread.onSpinWait();
    assertThat(take("small")).isFalse(); // one is free, but kept for who came before
    large.interrupt();
    assertThat(seated.poll(30, TimeUnit.SECONDS)).isEqualTo("gone");
    assertThat(take("small")).isTrue();
    seats.leave("first", 3);
    assertThat(seats.taken()).isEqualTo(1);
  }

  /// Only those have too many who have more than their share while others lack one.
  @Test
  void whoHasMoreThanItsShareOwesTheRest() throws Exception {
    for (int i = 0; i < 3; i++) take("greedy");
    take("modest");
    assertThat(seats.owes("greedy")).isFalse(); // nobody waits
    var own = wait("greedy");
    assertThat(seats.owes("greedy")).isFalse(); // but itself
    own.interrupt();
    while (seats.waiting() > 0) Thread.onSpinWait();
    wait("late");
    assertThat(seats.owes("greedy")).isTrue(); // three of four, of three users
    assertThat(seats.owes("modest")).isFalse();
    assertThat(seats.owes("late")).isFalse();
    seats.leave("greedy");
    while (seats.waiting() > 0) Thread.onSpinWait();
    assertThat(seats.owes("greedy")).isFalse(); // it has two, and nobody waits
  }
}
