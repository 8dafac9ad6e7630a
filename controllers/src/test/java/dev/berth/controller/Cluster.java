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
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.Caller.Urgency;
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
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/// Controllers that run on an API server of their own, in this process.
public final class Cluster implements AutoCloseable {
  /// How long anything that a test waits for may take: a deadline is there to end what hangs, not
  /// to measure a machine that does much else meanwhile.
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static {
    Awaitility.setDefaultTimeout(PATIENCE);
    Awaitility.setDefaultPollInterval(Duration.ofMillis(2));
  }

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SystemTime time = new SystemTime("cluster");
  private final List<Notice> notices = new CopyOnWriteArrayList<>();
  private final List<Loop<?>> loops = new ArrayList<>();
  private final EmbeddedApiServer server;
  private final Api api;
  private Caches caches;

  private Cluster(Runnable fence) throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, threads);
    caches = caches(fence);
  }

  private Caches caches(Runnable fence) {
    var fenced = api.by(new Caller(Urgency.INTERACTIVE, Optional.empty(), fence));
    return Caches.of(fenced, time, Controllers.KINDS);
  }

  /// Runs the controllers that `make` makes.
  public static Cluster of(Function<Means, List<Controller<?, ?, ?>>> make) throws Exception {
    return of(Sources.NONE, make);
  }

  /// Runs controllers that read more than objects.
  public static Cluster of(Sources sources, Function<Means, List<Controller<?, ?, ?>>> make)
      throws Exception {
    return of(sources, () -> {}, make);
  }

  /// Runs controllers whose writes fail as `fence` says.
  ///
  /// @param fence is run before each write of theirs leaves; what it throws is what they get
  public static Cluster of(
      Sources sources, Runnable fence, Function<Means, List<Controller<?, ?, ?>>> make)
      throws Exception {
    var cluster = new Cluster(fence);
    cluster.create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
    cluster.run(sources, make);
    return cluster;
  }

  private void run(Sources sources, Function<Means, List<Controller<?, ?, ?>>> make) {
    make.apply(new Means(caches.api(), caches::snapshot, notices::add))
        .forEach(controller -> run(controller, sources));
    caches.start();
  }

  /// Another process takes over on the same server, with nothing of what the first had in memory.
  public void restart(Sources sources, Function<Means, List<Controller<?, ?, ?>>> make) {
    restart(sources, () -> {}, make);
  }

  /// Likewise, with writes that fail as `fence` says.
  public void restart(
      Sources sources, Runnable fence, Function<Means, List<Controller<?, ?, ?>>> make) {
    end();
    caches = caches(fence);
    run(sources, make);
  }

  private void end() {
    loops.forEach(loop -> loop.stop().join());
    loops.clear();
    caches.close();
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
        .until(() -> find(kind, key), found -> found.filter(wanted).isPresent())
        .orElseThrow();
  }

  /// Waits until the object is gone.
  public void untilGone(Kind<?> kind, ObjectKey key) {
    await(kind + " " + key + " is gone").until(() -> find(kind, key).isEmpty());
  }

  /// Waits until `reason: message` was told.
  public void untilTold(String what) {
    await(what).until(() -> told().contains(what));
  }

  /// Waits until the controllers have seen all that is there, and have nothing to do about it.
  public void untilQuiet() {
    await()
        .until(() ->
            Controllers.KINDS.stream().allMatch(this::isSeen)
                && loops.stream().allMatch(Loop::quiet));
  }

  private boolean isSeen(Kind<?> kind) {
    try {
      return versions(list(kind)).equals(versions(caches.snapshot().all(kind)));
    } catch (ApiException refused) {
      if (refused.isNotFound()) return true; // a kind that is not installed
      throw refused;
    }
  }

  private static Map<ObjectKey, String> versions(Collection<? extends KubeObject> objects) {
    return objects.stream()
        .map(KubeObject::meta)
        .collect(Collectors.toMap(Meta::key, Meta::resourceVersion));
  }

  /// What went wrong last with whatever has not come right since; a circle counts.
  public List<String> troubles() {
    return loops.stream()
        .flatMap(loop -> loop.failures().entrySet().stream())
        .map(failure -> failure.getKey() + ": " + failure.getValue())
        .toList();
  }

  /// Everything that was told, as `reason: message`.
  public List<String> told() {
    return notices.stream().map(notice -> notice.reason() + ": " + notice.message()).toList();
  }

  @Override
  public void close() {
    end();
    time.close();
    server.close();
    threads.close();
  }
}
