package dev.berth.apiserver.rights.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.rights.User;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// API-135: one user's long answers leave the processors to others.
@Timeout(60)
class WorkTest {
  private static final int PIECE = 64 * 1024;

  private final Processors processors = Processors.of(2);
  private final Seats seats = processors.lengthy();
  private final LinkedBlockingQueue<String> done = new LinkedBlockingQueue<>();

  /// A client that takes all at once.
  private static void take(boolean last, ByteBuffer bytes, Callback callback) {
    bytes.position(bytes.limit());
    callback.succeeded();
  }

  /// Makes an answer of some pieces, on a thread of its own.
  private void answer(String user, int pieces, Content.Sink client) {
    Thread.startVirtualThread(() -> {
      try (var work = new Work(processors, user(user))) {
        work.begin();
        var out = work.sentTo(client, Haste.NONE);
        for (int i = 0; i < pieces; i++) out.write(new byte[PIECE]);
        out.close();
        done.add(user);
      } catch (Exception failed) {
        done.add(failed.toString());
      }
    });
  }

  private static User user(String name) {
    return User.authenticated(name, "", List.of(), Map.of());
  }

  private void untilWaiting(int count) {
    while (seats.waiting() < count) Thread.onSpinWait();
  }

  @Test
  void oneProcessorIsLeftToShortRequests() {
    for (int processors : new int[] {1, 2, 8}) {
      var some = Processors.of(processors).lengthy();
      int taken = 0;
      while (taken <= processors && sits(some, "user-" + taken)) taken++;
      assertThat(taken).as("of %d", processors).isEqualTo(Math.max(1, processors - 1));
    }
  }

  private static boolean sits(Seats some, String user) {
    try {
      return some.take(user, Duration.ZERO);
    } catch (InterruptedException nobodyDoes) {
      throw new IllegalStateException(nobodyDoes);
    }
  }

  @Test
  void anotherUserIsNextAfterAPiece() throws Exception {
    var first = new CountDownLatch(1);
    var more = new CountDownLatch(1);
    var pieces = new AtomicInteger();
    answer(
        "busy",
        100,
        (last, bytes, callback) -> {
          first.countDown();
          await(more);
          pieces.incrementAndGet();
          take(last, bytes, callback);
        });
    first.await();
    for (int i = 0; i < 64; i++) answer("busy", 1, WorkTest::take);
    untilWaiting(64);
    answer(
        "calm",
        1,
        (last, bytes, callback) -> {
          if (!last) done.add("calm's, after " + pieces);
          take(last, bytes, callback);
        });
    untilWaiting(65);
    more.countDown();
    assertThat(done.take()).isEqualTo("calm's, after 1");
  }

  @Test
  void whatHasBegunIsDoneBeforeTheUsersNext() throws Exception {
    var first = new CountDownLatch(1);
    var more = new CountDownLatch(1);
    var pieces = new AtomicInteger();
    answer(
        "busy",
        100,
        (last, bytes, callback) -> {
          first.countDown();
          await(more);
          if (pieces.incrementAndGet() == 100) done.add("the last piece");
          take(last, bytes, callback);
        });
    first.await();
    answer(
        "calm",
        1,
        (last, bytes, callback) -> {
          if (!last) done.add("a piece of calm's");
          take(last, bytes, callback);
        });
    untilWaiting(1);
    answer("busy", 1, (_, _, callback) -> callback.failed(new IOException("the user's next")));
    untilWaiting(2);
    more.countDown();
    assertThat(done.take()).isEqualTo("a piece of calm's");
    var next = "java.io.IOException: java.io.IOException: the user's next";
    var rest = List.of(done.take(), done.take(), done.take(), done.take());
    assertThat(rest).containsExactlyInAnyOrder("calm", "the last piece", "busy", next);
    assertThat(rest.indexOf("the last piece")).isLessThan(rest.indexOf(next));
  }

  @Test
  void whoDoesNotTakeHisAnswerKeepsNobodyWaiting() throws Exception {
    var waits = new LinkedBlockingQueue<Callback>();
    answer("slow", 1, (_, _, callback) -> waits.add(callback));
    var unsent = waits.take();
    answer("calm", 3, WorkTest::take);
    assertThat(done.take()).isEqualTo("calm");
    unsent.succeeded();
    waits.take().succeeded();
    assertThat(done.take()).isEqualTo("slow");
    assertThat(seats.taken()).isZero();
  }

  /// One of 64 requests is worked on, and what another user asks for is the next; those of the
  /// system and what waits for the disk take no seat.
  @Test
  void whatIsDoneInAMomentTakesTurnsToo() throws Exception {
    var brief = processors.brief();
    try (var busy = new Work(processors, user("busy"));
        var system = new Work(processors, user("system:kube-scheduler"))) {
      busy.beginBriefly();
      assertThat(brief.taken()).isEqualTo(1);
      for (int i = 0; i < 64; i++) briefly("busy");
      while (brief.waiting() < 64) Thread.onSpinWait();
      briefly("calm");
      while (brief.waiting() < 65) Thread.onSpinWait();
      system.beginBriefly();
      assertThat(List.of(busy.line(), system.line())).containsExactly("busy", "");
      assertThat(busy.aside(done::take)).as("while it waits").isEqualTo("busy");
    }
    assertThat(done.take()).isEqualTo("calm");
  }

  private void briefly(String user) {
    Thread.startVirtualThread(() -> {
      try (var work = new Work(processors, user(user))) {
        work.beginBriefly();
        done.add(user);
      } catch (InterruptedException ended) {
        done.add(ended.toString());
      }
    });
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
