package dev.berth.kube.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The queue and the bucket of client-go (K8S-08).
class KeyQueueTest {
  private static final Duration NOW = Duration.ofHours(12);

  private final KeyQueue<String> queue = new KeyQueue<>();

  private String take() {
    return queue.take(NOW).map(Map.Entry::getKey).orElse("nothing");
  }

  @Test
  void aKeyWaitsOnceHoweverOftenItIsAdded() {
    assertThat(queue.add("a", NOW)).isTrue();
    assertThat(queue.add("b", NOW)).isTrue();
    assertThat(queue.add("a", NOW.plusSeconds(1))).isFalse();
    assertThat(queue.depth()).isEqualTo(2);
    assertThat(queue.take(NOW)).hasValue(Map.entry("a", NOW));
    assertThat(take()).isEqualTo("b");
    assertThat(take()).isEqualTo("nothing");
  }

  @Test
  void aKeyThatIsOutIsNotHandedOutTwiceButOnceMoreAfterwards() {
    queue.add("a", NOW);
    take();
    assertThat(queue.add("a", NOW)).isTrue();
    assertThat(queue.add("a", NOW)).isFalse();
    assertThat(take()).isEqualTo("nothing");
    queue.done("a");
    assertThat(take()).isEqualTo("a");
    queue.done("a");
    assertThat(take()).isEqualTo("nothing");
  }

  @Test
  void whatTheNextLookSeesAnywayWantsNoOther() {
    queue.add("a", NOW);
    take();
    queue.add("a", NOW);
    queue.looksAgain("a");
    queue.done("a");
    assertThat(take()).isEqualTo("nothing");
  }

  @Test
  void afterTheEndOnlyWhatIsOutIsLeft() {
    queue.add("a", NOW);
    take();
    queue.add("b", NOW);
    queue.clear();
    assertThat(queue.depth()).isZero();
    assertThat(queue.out()).containsOnlyKeys("a");
    assertThat(take()).isEqualTo("nothing");
  }

  @Test
  void aThousandRetriesAreFreeThenAHundredASecond() {
    var bucket = new RetryBucket();
    for (int free = 0; free < 1000; free++) assertThat(bucket.take(NOW)).isEqualTo(NOW);
    assertThat(bucket.take(NOW)).isEqualTo(NOW.plusMillis(10));
    assertThat(bucket.take(NOW)).isEqualTo(NOW.plusMillis(20));
    var later = NOW.plusSeconds(1);
    for (int free = 0; free < 98; free++) assertThat(bucket.take(later)).isEqualTo(later);
    assertThat(bucket.take(later)).isEqualTo(later.plusMillis(10));
  }
}
