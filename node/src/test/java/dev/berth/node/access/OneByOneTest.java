package dev.berth.node.access;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Scope;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.kube.time.Time;
import dev.berth.node.testing.TestNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A cache over a server that lets volumes be got and nothing more.
class OneByOneTest {
  private static final ObjectKey KEY = ObjectKey.cluster("pv-1");
  private static final String UNRELATED =
      "persistentvolumes \"pv-1\" is forbidden: no relationship found between node 'a' and this"
          + " object";
  private final SystemTime time = new SystemTime("one by one");
  private final AtomicInteger refused = new AtomicInteger();
  private volatile Optional<ApiException> refusal = Optional.empty();
  private EmbeddedApiServer server;
  private volatile Api api;
  private Caches caches;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, Thread::startVirtualThread);
    caches =
        new Caches(
            new OneByOne(onlyToGet(), hurried(time)), time, List.of(Scope.one(Kinds.VOLUME, KEY)));
    caches.start();
  }

  @AfterEach
  void stop() {
    caches.close();
    server.close();
    time.close();
  }

  /// The same server, for a node: what is not there is refused like what is not its own.
  private Api onlyToGet() {
    return (Api)
        Proxy.newProxyInstance(
            Api.class.getClassLoader(),
            new Class<?>[] {Api.class},
            (proxy, method, arguments) -> {
              if (Set.of("list", "watch", "newestVersion").contains(method.getName()))
                throw new ApiException(403, "Forbidden", "cannot list");
              if (method.getName().equals("by")) return proxy;
              var refusing = refusal;
              if (refusing.isPresent() && method.getName().equals("get")) {
                refused.incrementAndGet();
                throw refusing.get();
              }
              try {
                return method.invoke(api, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause() instanceof ApiException missing && missing.isNotFound()
                    ? new ApiException(403, "Forbidden", UNRELATED)
                    : failed.getCause();
              }
            });
  }

  /// Time that passes twenty times as fast.
  private static Time hurried(Time time) {
    return new Time() {
      @Override
      public Instant now() {
        return time.now();
      }

      @Override
      public Duration elapsed() {
        return time.elapsed().multipliedBy(20);
      }

      @Override
      public void start(Runnable task) {
        time.start(task);
      }

      @Override
      public Timer after(Duration delay, Runnable task) {
        return time.after(delay.dividedBy(20), task);
      }

      @Override
      public RandomGenerator random() {
        return time.random();
      }
    };
  }

  private static ObjectNode volume(String name) {
    return (ObjectNode)
        TestNode.yaml(
            """
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: %s}
            spec:
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              csi: {driver: d.example, volumeHandle: h}
            """
                .formatted(name));
  }

  private void create(String name) {
    api.create(Resources.VOLUMES, volume(name));
  }

  private void annotate(String name, String value) {
    var change = "metadata: {annotations: {%s: \"%s\"}}".formatted(name, value);
    api.patch(Resources.VOLUMES, KEY, Patch.merge(TestNode.yaml(change)));
  }

  private void remove() {
    api.patch(Resources.VOLUMES, KEY, Patch.merge(TestNode.yaml("metadata: {finalizers: null}")));
    api.delete(Resources.VOLUMES, KEY, DeleteOptions.DEFAULT);
  }

  private boolean annotated(String name, String value) {
    return caches.snapshot().get(Kinds.VOLUME, KEY).found().stream()
        .anyMatch(it -> it.meta().annotation(name).equals(Optional.of(value)));
  }

  private boolean seen() {
    return caches.snapshot().get(Kinds.VOLUME, KEY).found().isPresent();
  }

  @Test
  void whatComesChangesAndGoesIsSeen() {
    await("its absence is known").until(() -> caches.unfilled().isEmpty());
    assertThat(seen()).isFalse();
    create("pv-1");
    await("it is seen").until(this::seen);
    annotate("changed", "yes");
    await("its change is seen").until(() -> annotated("changed", "yes"));
    remove();
    await("its end is seen").until(() -> !seen());
    create("pv-1");
    await("its successor is seen").until(this::seen);
  }

  /// Of a server that has just started, and of one whose word on rights cannot be had.
  @Test
  void whatWasSeenIsNotTakenForGoneByARefusal() {
    create("pv-1");
    await("it is seen").until(this::seen);
    refuse(UNRELATED, 2);
    assertThat(seen()).isTrue();
    refuse("persistentvolumes \"pv-1\" is forbidden: nobody decides", 11); // more than a minute
    assertThat(seen()).isTrue();
  }

  /// The cache has it from the answer, and no look has shown it.
  @Test
  void whatWasMadeHereAndWentBeforeALookIsGone() {
    refusal = Optional.of(new ApiException(403, "Forbidden", "nobody decides")); // of looks
    caches.api().create(Resources.VOLUMES, volume("pv-1"));
    assertThat(seen()).isTrue();
    remove();
    refusal = Optional.empty();
    await("its end is seen").until(() -> !seen());
  }

  @Test
  void aServerThatWasRestoredIsBelieved() throws Exception {
    create("pv-1");
    for (int i = 0; i < 20; i++) annotate("count", String.valueOf(i));
    await("all is seen").until(() -> annotated("count", "19"));
    try (var restored = EmbeddedApiServer.start(new MemoryStore())) {
      api = new LocalApi(restored, Thread::startVirtualThread);
      create("pv-1");
      annotate("restored", "yes");
      await("what the backup has is seen").until(() -> annotated("restored", "yes"));
    }
  }

  private void refuse(String text, int times) {
    refused.set(0);
    refusal = Optional.of(new ApiException(403, "Forbidden", text));
    await("it is asked for").until(() -> refused.get() >= times);
    refusal = Optional.empty();
  }

  @Test
  void whatIsNotAskedForByItsNameIsRefused() {
    var limited = new OneByOne(onlyToGet(), time);
    for (var selector : List.of(Selector.ALL, Selector.labels("a=b")))
      assertThatThrownBy(() -> limited.list(Resources.VOLUMES, "", selector))
          .isInstanceOf(ApiException.class)
          .hasMessage("cannot list");
  }
}
