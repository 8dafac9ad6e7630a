package dev.berth.kube.cache;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.time.SystemTime;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What followers are told, and that none holds up another.
class FollowersTest extends Watching {
  @Test
  void aFollowerThatFailsKeepsNothingFromTheOthers() {
    caches.follow(
        List.of(KIND),
        new Follower() {
          @Override
          public void filled(Snapshot first) {
            throw new IllegalStateException("broken");
          }

          @Override
          public <T extends KubeObject> void changed(
              Kind<T> kind, Change<T> change, Snapshot with) {
            throw new AssertionError("broken");
          }
        });
    start();
    server.create(KIND.resource(), thing("a", "red"));
    assertThat(seen()).containsExactly("filled with 0", "a red");
  }

  @Test
  void aFollowerThatBlocksHoldsUpNeitherAWriteNorASnapshotNorAnotherFollower() throws Exception {
    try (var threads = new SystemTime("test")) {
      var real = Caches.of(server, threads, List.of(KIND));
      var entered = new CountDownLatch(1);
      var free = new CountDownLatch(1);
      var others = new LinkedBlockingQueue<String>();
      real.follow(
          List.of(KIND),
          follower(_ -> {
            entered.countDown();
            free.await();
          }));
      real.follow(List.of(KIND), follower(others::put));
      real.start();
      try {
        assertThat(others.poll(20, TimeUnit.SECONDS)).isEqualTo("filled");
        assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
        real.api().create(KIND.resource(), thing("a", "red"));
        real.api().create(KIND.resource(), thing("b", "red"));
        assertThat(real.snapshot().all(KIND)).hasSize(2);
        assertThat(others.poll(20, TimeUnit.SECONDS)).isEqualTo("a");
        assertThat(others.poll(20, TimeUnit.SECONDS)).isEqualTo("b");
      } finally {
        free.countDown();
        real.close();
      }
    }
  }

  /// Takes a piece of news, and its time.
  private interface Reader {
    void read(String news) throws InterruptedException;
  }

  private static Follower follower(Reader reader) {
    return new Follower() {
      @Override
      public void filled(Snapshot first) {
        read("filled");
      }

      @Override
      public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
        read(change.latest().meta().name());
      }

      private void read(String news) {
        try {
          reader.read(news);
        } catch (InterruptedException stop) {
          throw new IllegalStateException(stop);
        }
      }
    };
  }

  @Test
  void whoCatchesUpHasHeardOfEverythingThatItsSnapshotShows() {
    var following = caches.follow(List.of(KIND), new Seen());
    caches.start();
    time.settle();
    caches.api().create(KIND.resource(), thing("a", "red"));
    assertThat(told).containsExactly("filled with 0");
    assertThat(following.idle()).isFalse();
    following.catchUp();
    assertThat(told).containsExactly("filled with 0", "a red");
    assertThat(following.idle()).isTrue();
    assertThat(seen()).as("and is not told again").hasSize(2);
  }

  @Test
  void afterUnfollowNothingIsToldNotEvenWhatIsOnItsWay() {
    var follower = new Seen();
    caches.follow(List.of(KIND), follower);
    caches.start();
    time.settle();
    caches.api().create(KIND.resource(), thing("a", "red"));
    caches.unfollow(follower);
    assertThat(seen()).containsExactly("filled with 0");
  }
}
