package dev.berth.driver.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.backend.Batches.Limits;
import dev.berth.driver.model.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// PRA-05.
class BatchesTest {
  /// So long that a batch is asked for only because it is full.
  private static final Duration FOR_EVER = Duration.ofHours(1);

  private static final Duration SOON = Duration.ofMillis(1);

  private final List<Set<String>> asked = new CopyOnWriteArrayList<>();

  private static Limits limits(int most, Duration window) {
    return new Limits(most, window, Duration.ofSeconds(30));
  }

  private Batches<String, String> upperCase(Limits limits) {
    return new Batches<>(
        keys -> {
          asked.add(keys);
          return keys.stream()
              .filter(key -> !key.startsWith("missing"))
              .collect(Collectors.toMap(Function.identity(), String::toUpperCase));
        },
        limits);
  }

  private static <T> List<Future<T>> atOnce(List<Callable<T>> calls) throws InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return threads.invokeAll(calls);
    }
  }

  @Test
  void thoseWhoAskAtOnceAreAnsweredByOneQuestion() throws Exception {
    var batches = upperCase(limits(3, FOR_EVER));
    var answers =
        atOnce(
            List.<Callable<Optional<String>>>of(
                () -> batches.get("a"), () -> batches.get("b"), () -> batches.get("c")));
    assertThat(asked).containsExactly(Set.of("a", "b", "c"));
    assertThat(answers.getFirst().get()).contains("A");
    assertThat(answers.getLast().get()).contains("C");
  }

  @Test
  void thoseWhoAskForTheSameShareItsMention() throws Exception {
    var batches = upperCase(limits(2, Duration.ofSeconds(1)));
    var calls = new ArrayList<Callable<Optional<String>>>();
    for (var i = 0; i < 20; i++) calls.add(() -> batches.get("a"));
    for (var answer : atOnce(calls)) assertThat(answer.get()).contains("A");
    assertThat(asked).hasSizeLessThan(20).containsOnly(Set.of("a")); // one, unless it took seconds
  }

  @Test
  void noQuestionIsLargerThanTheBackEndTakes() throws Exception {
    var batches = upperCase(limits(10, SOON));
    var calls =
        IntStream.range(0, 95)
            .<Callable<Optional<String>>>mapToObj(i -> () -> batches.get("k" + i))
            .toList();
    for (var answer : atOnce(calls)) assertThat(answer.get()).isPresent();
    assertThat(asked).allMatch(keys -> keys.size() <= 10).hasSizeLessThan(95);
    assertThat(asked.stream().mapToInt(Set::size).sum()).isEqualTo(95);
  }

  @Test
  void whatIsMissingIsEmptyAndAskedForAnew() throws Exception {
    var batches = upperCase(limits(10, SOON));
    assertThat(batches.get("missing-1")).isEmpty();
    assertThat(batches.get("missing-1")).isEmpty();
    assertThat(asked).hasSize(2);
  }

  @Test
  void aFailureIsEverybodysWhoseQuestionItWas() throws Exception {
    var batches =
        new Batches<String, String>(
            keys -> {
              asked.add(keys);
              if (asked.size() == 1) throw new IOException("the array is away");
              return Map.of("a", "A");
            },
            limits(2, FOR_EVER));
    for (var answer :
        atOnce(List.<Callable<Optional<String>>>of(() -> batches.get("a"), () -> batches.get("b"))))
      assertThatThrownBy(answer::get)
          .hasCauseInstanceOf(IOException.class)
          .hasMessageContaining("the array is away");
    var next =
        atOnce(List.<Callable<Optional<String>>>of(() -> batches.get("a"), () -> batches.get("b")));
    assertThat(next.getFirst().get()).contains("A");
  }

  @Test
  void aRefusalKeepsItsReason() {
    var batches =
        new Batches<String, String>(
            _ -> {
              throw new Refusal(Refusal.Reason.FORBIDDEN, "these credentials may not look");
            },
            limits(1, SOON));
    assertThatThrownBy(() -> batches.get("a"))
        .isInstanceOfSatisfying(
            Refusal.class, it -> assertThat(it.reason()).isEqualTo(Refusal.Reason.FORBIDDEN));
  }

  @Test
  void nobodyWaitsForEver() {
    var never = new CountDownLatch(1);
    var batches =
        new Batches<String, String>(
            _ -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              return Map.of();
            },
            new Limits(1, SOON, Duration.ofMillis(50)));
    assertThatThrownBy(() -> batches.get("a"))
        .isInstanceOfSatisfying(
            Refusal.class, it -> assertThat(it.reason()).isEqualTo(Refusal.Reason.ASK_AGAIN));
    never.countDown();
  }
}
