package dev.berth.controller.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Draft;
import dev.berth.kube.api.Api;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import java.lang.Thread.State;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
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
    var threads = new ConcurrentLinkedQueue<Thread>();
    var first = ask(pods, threads);
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    var others = IntStream.range(0, 50).mapToObj(_ -> ask(pods, threads)).toList();
    await()
        .until(() ->
            threads.size() == 51
                && threads.stream().skip(1).allMatch(it -> it.getState() == State.WAITING));
    mayEnd.countDown();
    assertThat(first.get(30, TimeUnit.SECONDS)).isEmpty();
    for (var other : others) assertThat(other.get(30, TimeUnit.SECONDS)).isEmpty();
    assertThat(lists).hasValue(2);
  }

  private static Future<List<Pod>> ask(LivePods pods, Collection<Thread> threads) {
    var answer = new FutureTask<List<Pod>>(() -> pods.using(CLAIM));
    threads.add(Thread.ofPlatform().start(answer));
    return answer;
  }
}
