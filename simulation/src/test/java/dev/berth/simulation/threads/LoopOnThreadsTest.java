package dev.berth.simulation.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Two processes that count the same objects up, one step a write, against one server.
class LoopOnThreadsTest {
  private static final int OBJECTS = 300;
  private static final int STEPS = 10;
  private static final Kind<Counter> KIND = new Kind<>(Resources.CONFIG_MAPS, Counter::of);

  private record Counter(Meta meta, int value) implements KubeObject {
    static Counter of(JsonNode tree) {
      return new Counter(Meta.of(tree), tree.path("data").path("value").asInt());
    }
  }

  private record CountUp(ObjectKey key, String version, int to) implements Effect {}

  private static final class Counting
      implements Decider<ObjectKey, Facts, CountUp>, Effects<CountUp> {
    private final Api api;
    private final Set<ObjectKey> underWay = ConcurrentHashMap.newKeySet();
    private final List<String> breaches = new ArrayList<>();

    Counting(Api api) {
      this.api = api;
    }

    @Override
    public String name() {
      return "counting";
    }

    @Override
    public List<Trigger<?, ObjectKey>> triggers() {
      return List.of(Trigger.on(KIND, (change, _) -> Stream.of(change.latest().meta().key())));
    }

    @Override
    public Facts view(Facts facts, Instant now) {
      return facts;
    }

    @Override
    public Class<CountUp> effectType() {
      return CountUp.class;
    }

    @Override
    public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
      return subject.as(KIND);
    }

    @Override
    public Step decide(Facts view, ObjectKey key) {
      return view.get(KIND, key)
          .found()
          .filter(counter -> counter.value < STEPS)
          .<Step>map(counter ->
              new Act(new CountUp(key, counter.meta.resourceVersion(), counter.value + 1)))
          .orElse(new Settled());
    }

    @Override
    public void carryOut(CountUp countUp) {
      if (!underWay.add(countUp.key)) breach("two effects at once on " + countUp.key);
      try {
        var body = JsonNodeFactory.instance.objectNode();
        body.putObject("metadata").put("resourceVersion", countUp.version);
        body.putObject("data").put("value", Integer.toString(countUp.to));
        api.patch(KIND.resource(), countUp.key, Patch.merge(body));
      } finally {
        underWay.remove(countUp.key);
      }
    }

    private synchronized void breach(String what) {
      breaches.add(what);
    }

    synchronized List<String> breaches() {
      return breaches;
    }
  }

  private static ObjectNode counter(int number) {
    var object = JsonNodeFactory.instance.objectNode();
    object.putObject("metadata").put("namespace", "default").put("name", "counter-" + number);
    object.putObject("data").put("value", "0");
    return object;
  }

  @Test
  void everyObjectIsCountedUpOnceForEachStep() throws Exception {
    try (var server = EmbeddedApiServer.start(new MemoryStore());
        var executor = Executors.newVirtualThreadPerTaskExecutor();
        var time = new SystemTime("test")) {
      var api = new LocalApi(server, executor);
      var caches = new ArrayList<Caches>();
      var loops = new ArrayList<Loop<ObjectKey>>();
      var controllers = new ArrayList<Counting>();
      for (int i = 0; i < 2; i++) {
        var cache = Caches.of(api, time, List.of(KIND));
        var controller = new Counting(cache.api());
        var metrics = new LoopMetrics(new PrometheusRegistry());
        var loop =
            new Loop<>(
                new Controller<>(controller, controller),
                cache,
                Sources.NONE,
                time,
                EventRecorder.SILENT,
                Pace.CONTROLLER,
                metrics);
        loop.start();
        cache.start();
        caches.add(cache);
        loops.add(loop);
        controllers.add(controller);
      }
      for (int i = 0; i < OBJECTS; i++) {
        int number = i;
        executor.execute(() -> api.create(KIND.resource(), counter(number)));
      }
      for (var cache : caches)
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> {
              var all = cache.snapshot().all(KIND);
              return all.size() == OBJECTS && all.stream().allMatch(it -> it.value == STEPS);
            });
      await().until(() -> loops.stream().allMatch(Loop::quiet));
      for (var loop : loops) loop.stop().get();
      caches.forEach(Caches::close);
      assertThat(controllers).allSatisfy(controller -> assertThat(controller.breaches()).isEmpty());
    }
  }
}
