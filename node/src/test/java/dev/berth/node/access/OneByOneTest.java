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
import dev.berth.node.testing.TestNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A cache over a server that lets volumes be got and nothing more.
class OneByOneTest {
  private static final ObjectKey KEY = ObjectKey.cluster("pv-1");
  private final SystemTime time = new SystemTime("one by one");
  private EmbeddedApiServer server;
  private Api api;
  private Caches caches;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, Thread::startVirtualThread);
    caches =
        new Caches(new OneByOne(onlyToGet(api), time), time, List.of(Scope.one(Kinds.VOLUME, KEY)));
    caches.start();
  }

  @AfterEach
  void stop() {
    caches.close();
    server.close();
    time.close();
  }

  /// The same server, for somebody who may not list or watch.
  private static Api onlyToGet(Api api) {
    return (Api)
        Proxy.newProxyInstance(
            Api.class.getClassLoader(),
            new Class<?>[] {Api.class},
            (_, method, arguments) -> {
              if (Set.of("list", "watch", "newestVersion").contains(method.getName()))
                throw new ApiException(403, "Forbidden", "cannot list");
              try {
                return method.invoke(api, arguments);
              } catch (InvocationTargetException refused) {
                throw refused.getCause();
              }
            });
  }

  private void create(String name) {
    var volume =
        (ObjectNode)
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
    api.create(Resources.VOLUMES, volume);
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
    api.patch(
        Resources.VOLUMES,
        KEY,
        Patch.merge(TestNode.yaml("metadata: {annotations: {changed: \"yes\"}}")));
    await("its change is seen")
        .until(() ->
            caches.snapshot().get(Kinds.VOLUME, KEY).found().stream()
                .anyMatch(volume -> volume.meta().annotation("changed").isPresent()));
    api.patch(Resources.VOLUMES, KEY, Patch.merge(TestNode.yaml("metadata: {finalizers: null}")));
    api.delete(Resources.VOLUMES, KEY, DeleteOptions.DEFAULT);
    await("its end is seen").until(() -> !seen());
    create("pv-1");
    await("its successor is seen").until(this::seen);
  }

  @Test
  void whatIsNotAskedForByItsNameIsRefused() {
    var limited = new OneByOne(onlyToGet(api), time);
    for (var selector : List.of(Selector.ALL, Selector.labels("a=b")))
      assertThatThrownBy(() -> limited.list(Resources.VOLUMES, "", selector))
          .isInstanceOf(ApiException.class)
          .hasMessage("cannot list");
  }
}
