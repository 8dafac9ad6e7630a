package dev.berth.controller.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Draft;
import dev.berth.kube.api.Api;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import java.lang.Thread.State;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// How often the server is asked who uses claims.
class LivePodsTest {
  private static final Claim CLAIM = Draft.claim("data").as(Kinds.CLAIM);

  private final AtomicInteger lists = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  /// A server that takes its time to list.
  private final Api server =
      (Api)
          Proxy.newProxyInstance(
              Api.class.getClassLoader(),
              new Class<?>[] {Api.class},
              (_, method, _) -> {
                assertThat(method.getName()).isEqualTo("list");
                lists.incrementAndGet();
                begun.countDown();
                assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
                return new Api.Listing("1", List.of());
              });

  @Test
  void whoeverAsksWhileANamespaceIsListedSharesTheNextList() throws Exception { // PERF-03
    var pods = new LivePods(server);
    var first = ask(pods);
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    var others = IntStream.range(0, 50).mapToObj(_ -> ask(pods)).toList();
    await().until(() -> others.stream().allMatch(thread -> thread.getState() == State.WAITING));
    mayEnd.countDown();
    first.join();
    for (var other : others) other.join();
    assertThat(lists).hasValue(2);
  }

  private static Thread ask(LivePods pods) {
    return Thread.ofPlatform()
        .start(() -> {
          try {
            assertThat(pods.using(CLAIM)).isEmpty();
          } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
          }
        });
  }
}
