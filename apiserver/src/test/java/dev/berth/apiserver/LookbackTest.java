package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// However many watches one user resumes and does not read, others' go on (API-63, API-135).
@Timeout(60)
class LookbackTest {
  private static final int PART = 256 << 10;

  private final Lookback lookback = new Lookback();

  @Test
  void oneUserHasFewParts() throws Exception {
    for (int i = 0; i < 16; i++) lookback.room("greedy", PART);
    var waiting = Thread.startVirtualThread(() -> room("greedy", PART));
    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    lookback.room("calm", PART).run();
    waiting.interrupt();
    waiting.join();
  }

  /// And the room that was made is had by who waits for it.
  @Test
  void aPartTakesRoomAsLargeAsItIs() throws Exception {
    var huge = lookback.room("greedy", 100 * PART);
    var waiting = Thread.startVirtualThread(() -> room("greedy", 1));
    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    huge.run();
    huge.run(); // as often as one likes
    waiting.join();
    for (int i = 0; i < 15; i++) lookback.room("greedy", PART);
  }

  @Test
  void usersTakeTurns() throws Exception {
    var looked = new CopyOnWriteArrayList<String>();
    var begun = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var threads = new ArrayList<Thread>();
    threads.add(
        look(
            "greedy",
            () -> {
              begun.countDown();
              await().until(() -> goOn.getCount() == 0);
            }));
    begun.await();
    for (int i = 0; i < 5; i++) {
      threads.add(look("greedy", () -> looked.add("greedy")));
      await().until(() -> threads.getLast().getState() == Thread.State.TIMED_WAITING);
    }
    threads.add(look("calm", () -> looked.add("calm")));
    await().until(() -> threads.getLast().getState() == Thread.State.TIMED_WAITING);
    goOn.countDown();
    for (var thread : threads) thread.join();
    assertThat(looked.subList(0, 2)).isEqualTo(List.of("greedy", "calm"));
  }

  private void room(String user, int bytes) {
    try {
      lookback.room(user, bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Thread look(String user, Runnable looking) {
    return Thread.startVirtualThread(() -> {
      try {
        lookback.inTurn(
            user,
            () -> {
              looking.run();
              return user;
            });
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }
}
