package dev.berth.controller;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.controller.roster.Controllers;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/// Controllers that run on an API server of their own, in this process.
public final class Cluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SystemTime time = new SystemTime("cluster");
  private final List<Notice> notices = new CopyOnWriteArrayList<>();
  private final List<Loop<?>> loops = new ArrayList<>();
  private final EmbeddedApiServer server;
  private final Api api;
  private final Caches caches;

  private Cluster() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, threads);
    caches = Caches.of(api, time, Controllers.KINDS);
  }

  /// Runs the controllers that `make` makes.
  public static Cluster of(Function<Means, List<Controller<?, ?, ?>>> make) throws Exception {
    return of(Sources.NONE, make);
  }

  /// Runs controllers that read more than objects.
  public static Cluster of(Sources sources, Function<Means, List<Controller<?, ?, ?>>> make)
      throws Exception {
    var cluster = new Cluster();
    cluster.create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
    var caches = cluster.caches;
    make.apply(new Means(caches.api(), caches::snapshot, cluster.notices::add))
        .forEach(controller -> cluster.run(controller, sources));
    caches.start();
    return cluster;
  }

  private void run(Controller<?, ?, ?> controller, Sources sources) {
    var metrics = new LoopMetrics(new PrometheusRegistry());
    var loop =
        new Loop<>(controller, caches, sources, time, notices::add, Pace.CONTROLLER, metrics);
    loops.add(loop);
    loop.start();
  }

  /// The server itself, past the caches.
  public Api api() {
    return api;
  }

  public void create(Draft... drafts) {
    for (var draft : drafts) api.create(draft.kind().resource(), draft.unborn());
  }

  private void create(String namespace) {
    api.create(Resources.NAMESPACES, Draft.of(namespace).unborn());
  }

  public void delete(Kind<?> kind, ObjectKey key) {
    api.delete(kind.resource(), key, DeleteOptions.DEFAULT.gracePeriodSeconds(0));
  }

  public void patch(Kind<?> kind, ObjectKey key, Consumer<ObjectNode> change) {
    api.patch(kind.resource(), key, merge(change));
  }

  public void patchStatus(Kind<?> kind, ObjectKey key, Consumer<ObjectNode> change) {
    api.patchStatus(kind.resource(), key, merge(change));
  }

  private static Patch merge(Consumer<ObjectNode> change) {
    var body = JsonNodeFactory.instance.objectNode();
    change.accept(body);
    return Patch.merge(body);
  }

  public <T extends KubeObject> Optional<T> find(Kind<T> kind, ObjectKey key) {
    try {
      return Optional.of(kind.read().apply(api.get(kind.resource(), key)));
    } catch (ApiException refused) {
      if (refused.isNotFound()) return Optional.empty();
      throw refused;
    }
  }

  public <T extends KubeObject> List<T> list(Kind<T> kind) {
    return api.list(kind.resource(), "", Selector.ALL).items().stream()
        .map(object -> kind.read().apply(object))
        .toList();
  }

  /// Waits until the object is as wanted, and returns it.
  public <T extends KubeObject> T until(Kind<T> kind, ObjectKey key, Predicate<T> wanted) {
    return await(kind + " " + key)
        .pollInterval(Duration.ofMillis(2))
        .atMost(PATIENCE)
        .until(() -> find(kind, key), found -> found.filter(wanted).isPresent())
        .orElseThrow();
  }

  /// Waits until the object is gone.
  public void untilGone(Kind<?> kind, ObjectKey key) {
    await(kind + " " + key + " is gone")
        .pollInterval(Duration.ofMillis(2))
        .atMost(PATIENCE)
        .until(() -> find(kind, key).isEmpty());
  }

  /// Waits until `reason: message` was told.
  public void untilTold(String what) {
    await(what)
        .pollInterval(Duration.ofMillis(2))
        .atMost(PATIENCE)
        .until(() -> told().contains(what));
  }

  /// Waits until no loop has anything to do.
  public void untilQuiet() {
    await()
        .pollInterval(Duration.ofMillis(2))
        .atMost(PATIENCE)
        .until(() -> loops.stream().allMatch(Loop::quiet));
  }

  /// Everything that was told, as `reason: message`.
  public List<String> told() {
    return notices.stream().map(notice -> notice.reason() + ": " + notice.message()).toList();
  }

  @Override
  public void close() {
    loops.forEach(loop -> loop.stop().join());
    caches.close();
    time.close();
    server.close();
    threads.close();
  }
}
