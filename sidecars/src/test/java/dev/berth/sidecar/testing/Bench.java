package dev.berth.sidecar.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.core.Ids;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.GroupControllerCalls;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.sidecar.DriverSidecars;
import dev.berth.sidecar.connection.DriverCalls;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.part.Part;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;

/// One sidecar under test, on the real API server and the real loop, in one thread on stopped time.
/// Nothing of it is simulated but time and the driver.
public final class Bench implements AutoCloseable {
  private static final Logger OURS = Logger.getLogger("dev.berth");

  /// Makes the sidecar under test.
  public interface Maker {
    Controller<?, ?, ?> make(Api api, EventRecorder events);
  }

  private final StoppedTime time = new StoppedTime();
  private final SmallDriver driver = new SmallDriver();
  private final List<Notice> told = new ArrayList<>();
  private final EmbeddedApiServer server;
  private final Api api;
  private final List<Caches> caches = new ArrayList<>();
  private final List<Loop<?>> loops = new ArrayList<>();

  public Bench() {
    OURS.setLevel(Level.OFF); // tests provoke warnings on purpose
    try {
      server = EmbeddedApiServer.inOneThread(new MemoryStore(), time, new Ids(new Random(1)));
    } catch (StoreException broken) {
      throw new IllegalStateException(broken);
    }
    api = new LocalApi(server, time::start);
    create(Tree.of("{\"apiVersion\": \"v1\", \"kind\": \"Namespace\"}").named("shop"));
  }

  /// The server itself, for what users and other components do.
  public Api api() {
    return api;
  }

  public StoppedTime time() {
    return time;
  }

  public SmallDriver driver() {
    return driver;
  }

  public Means means(Api door, EventRecorder events) {
    return means(driver, door, events);
  }

  public Means means(ControllerCalls calls, Api door, EventRecorder events) {
    return new Means(door, events, time, new Untimed(calls), "tests");
  }

  private record Untimed(ControllerCalls calls) implements DriverCalls {
    @Override
    public ControllerCalls controller(Duration timeout) {
      return calls;
    }

    @Override
    public GroupControllerCalls groups(Duration timeout) {
      throw new UnsupportedOperationException("these drivers have no groups yet");
    }
  }

  /// Starts a sidecar.
  public Bench run(Maker maker) {
    return run(maker, api);
  }

  /// Starts a sidecar that sees the server through `door`.
  public Bench run(Maker maker, Api door) {
    return run(maker, door, Sources.NONE);
  }

  /// The same, which reads of these sources too.
  public Bench run(Maker maker, Api door, Sources sources) {
    var view = Caches.of(door, time, DriverSidecars.KINDS);
    caches.add(view);
    start(maker.make(view.api(), told::add), view, sources);
    view.start();
    time.settle();
    return this;
  }

  /// Starts a sidecar as a whole.
  public Bench run(Part part, ControllerCalls calls) {
    return run(part, calls, api);
  }

  /// Starts a sidecar as a whole, which sees the server through `door`.
  public Bench run(Part part, ControllerCalls calls, Api door) {
    var view = Caches.of(door, time, DriverSidecars.KINDS);
    caches.add(view);
    var means = means(calls, view.api(), told::add);
    for (var work : part.works())
      start(work.concern().controller(means), view, Sources.of(part.sources()));
    view.want(part.kinds());
    time.settle();
    return this;
  }

  /// What the sidecar that was started last sees now.
  public Snapshot snapshot() {
    return caches.getLast().snapshot();
  }

  private void start(Controller<?, ?, ?> controller, Caches view, Sources sources) {
    var metrics = new LoopMetrics(new PrometheusRegistry());
    var loop = new Loop<>(controller, view, sources, time, told::add, Pace.SIDECAR, metrics);
    loops.add(loop);
    loop.start();
  }

  /// Stops all sidecars, as a killed process does.
  public void kill() {
    for (var loop : loops) {
      var _ = loop.stop(); // it ends when it ends, as what a kill leaves
    }
    caches.forEach(Caches::close);
    loops.clear();
    caches.clear();
  }

  @Override
  public void close() {
    kill();
    server.close();
  }

  /// Creates objects, with their status.
  public Bench create(Tree... trees) {
    for (var tree : trees) {
      var resource = tree.resource();
      var created = api.create(resource, tree.without("metadata", "resourceVersion").json());
      if (!tree.json().has("status")) continue;
      var status = created.deepCopy();
      status.set("status", tree.json().path("status"));
      api.updateStatus(resource, status);
    }
    return this;
  }

  /// A merge patch.
  public void patch(Resource resource, String key, String json) {
    api.patch(resource, key(resource, key), Patch.merge(Tree.of(json).json()));
    time.settle();
  }

  public void patchStatus(Resource resource, String key, String json) {
    api.patchStatus(resource, key(resource, key), Patch.merge(Tree.of(json).json()));
    time.settle();
  }

  public void delete(Resource resource, String key) {
    api.delete(resource, key(resource, key), DeleteOptions.DEFAULT);
    time.settle();
  }

  public void pass(Duration duration) {
    time.pass(duration);
  }

  public <T extends KubeObject> T get(Kind<T> kind, String key) {
    return find(kind, key).orElseThrow(() -> new AssertionError("no " + kind + " " + key));
  }

  public <T extends KubeObject> Optional<T> find(Kind<T> kind, String key) {
    return all(kind).stream()
        .filter(object -> object.meta().key().equals(key(kind.resource(), key)))
        .findFirst();
  }

  public <T extends KubeObject> List<T> all(Kind<T> kind) {
    return api.list(kind.resource(), "", Selector.ALL).items().stream().map(kind.read()).toList();
  }

  /// The object as the server shows it.
  public ObjectNode json(Resource resource, String key) {
    return api.get(resource, key(resource, key));
  }

  /// Events so far, as `Reason: message`.
  public List<String> events() {
    return told.stream().map(notice -> notice.reason() + ": " + notice.message()).toList();
  }

  private static ObjectKey key(Resource resource, String name) {
    return resource.namespaced() ? ObjectKey.of("shop", name) : ObjectKey.cluster(name);
  }

  /// Name of the volume for the claim `data`.
  public String volumeName() {
    return "pvc-" + Json.text(json(Resources.CLAIMS, "data").path("metadata"), "uid");
  }
}
