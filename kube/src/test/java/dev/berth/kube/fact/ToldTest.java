package dev.berth.kube.fact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.berth.kube.fact.Source.News;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// What a source of this process's own facts promises.
class ToldTest {
  private static final Topic<Integer> SUM = new Topic<>("sum", 0);

  private final Told<Integer> sum = new Told<>(SUM);

  @Test
  void changesAreToldInOrderAndOnlyWhereSomethingChanged() {
    var news = new ArrayList<News<Integer>>();
    sum.follow(news::add);
    sum.change(it -> it + 1);
    sum.change(it -> it);
    sum.change(it -> it + 2);
    assertThat(news).containsExactly(new News<>(0, 1), new News<>(1, 3));
  }

  @Test
  void whoNoLongerFollowsHearsNothing() {
    var news = new ArrayList<News<Integer>>();
    Source.Follower<Integer> follower = news::add;
    sum.follow(follower);
    sum.unfollow(follower);
    sum.change(it -> it + 1);
    assertThat(news).isEmpty();
  }

  @Test
  void aChangeThatChangesIsAMistake() {
    assertThatIllegalStateException()
        .isThrownBy(() -> sum.change(it -> it + sum.change(inner -> inner + 1).after()))
        .withMessageContaining("a change of");
    assertThat(sum.now()).isZero();
  }

  @Test
  void whatAFollowerChangesIsToldAfterwards() {
    var news = new ArrayList<Integer>();
    sum.follow(it -> {
      if (it.after() < 3) sum.change(last -> last + 1);
      news.add(it.after());
    });
    sum.change(it -> it + 1);
    assertThat(news).containsExactly(1, 2, 3);
  }

  /// A follower that is slow holds up neither who changes nor who asks.
  @Test
  void nobodyIsToldWithALockHeld() throws Exception {
    var enter = new CountDownLatch(1);
    var leave = new CountDownLatch(1);
    List<News<Integer>> news = new CopyOnWriteArrayList<>();
    sum.follow(it -> {
      news.add(it);
      if (it.after() > 1) return;
      enter.countDown();
      try {
        leave.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    });
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.submit(() -> sum.change(it -> it + 1));
      enter.await();
      assertThat(sum.change(it -> it + 1).after()).isEqualTo(2);
      assertThat(sum.now()).isEqualTo(2);
      leave.countDown();
    }
    assertThat(news).containsExactly(new News<>(0, 1), new News<>(1, 2));
  }
}
