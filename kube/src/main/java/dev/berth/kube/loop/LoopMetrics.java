package dev.berth.kube.loop;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// What the loops of one process have to do: client-go's seven work queue metrics, so that existing
/// dashboards work, and how long effects take. One for each registry. Without exemplars, for which
/// the client library would run a thread of its own.
public final class LoopMetrics {
  private final String prefix;
  private final Optional<String> only;
  private final Map<String, Supplier<Load>> loops;
  private final Counter adds;
  private final Counter retries;
  private final Histogram queueDuration;
  private final Histogram workDuration;
  private final Histogram effectDuration;

  public LoopMetrics(PrometheusRegistry registry) {
    prefix = "";
    only = Optional.empty();
    loops = new ConcurrentHashMap<>();
    adds =
        Counter.builder()
            .name("workqueue_adds_total")
            .help("Total number of adds handled by workqueue")
            .labelNames("name")
            .withoutExemplars()
            .register(registry);
    retries =
        Counter.builder()
            .name("workqueue_retries_total")
            .help("Total number of retries handled by workqueue")
            .labelNames("name")
            .withoutExemplars()
            .register(registry);
    queueDuration =
        duration("workqueue_queue_duration_seconds", "How long a key waited for a look.")
            .register(registry);
    workDuration =
        duration("workqueue_work_duration_seconds", "How long a key was worked on.")
            .register(registry);
    effectDuration =
        Histogram.builder()
            .name("berth_effect_duration_seconds")
            .help("How long an effect took, by what came of it.")
            .labelNames("name", "effect", "outcome")
            .classicOnly()
            .classicExponentialUpperBounds(0.001, 4, 9)
            .withoutExemplars()
            .register(registry);
    gauge(registry, "workqueue_depth", "Keys that wait for a look.", load -> (double) load.depth);
    gauge(
        registry,
        "workqueue_unfinished_work_seconds",
        "Seconds of work in progress, over all keys; grows while something is stuck.",
        load -> load.running().stream().mapToDouble(LoopMetrics::seconds).sum());
    gauge(
        registry,
        "workqueue_longest_running_processor_seconds",
        "Seconds that the key longest worked on has taken so far.",
        load -> load.running().stream().mapToDouble(LoopMetrics::seconds).max().orElse(0));
  }

  private LoopMetrics(LoopMetrics all, String prefix, Optional<String> only) {
    this.prefix = prefix;
    this.only = only;
    loops = all.loops;
    adds = all.adds;
    retries = all.retries;
    queueDuration = all.queueDuration;
    workDuration = all.workDuration;
    effectDuration = all.effectDuration;
  }

  /// The same metrics for the loops of one part, such as a node of several in a process: their
  /// names begin with that of the part, so that none hides another.
  public LoopMetrics part(String name) {
    return new LoopMetrics(this, prefix + name + "/", only);
  }

  /// The same metrics for one loop, by the name that dashboards know it by rather than its own.
  public LoopMetrics named(String name) {
    return new LoopMetrics(this, prefix, Optional.of(name));
  }

  private String title(String loop) {
    return prefix + only.orElse(loop);
  }

  /// What a loop has to do at one moment, as [dev.berth.kube.time.Time#elapsed] has it.
  ///
  /// @param depth keys that wait for a look
  /// @param began when work began on each key that is worked on
  record Load(int depth, List<Duration> began, Duration now) {
    Load {
      began = List.copyOf(began);
    }

    List<Duration> running() {
      return began.stream().map(now::minus).toList();
    }
  }

  void observe(String loop, Supplier<Load> load) {
    loops.put(title(loop), load);
  }

  /// Shows nothing more of a loop that has stopped, unless another has taken its name by now.
  ///
  /// @param load as it was given to [#observe]
  void forget(String loop, Supplier<Load> load) {
    var name = title(loop);
    if (!loops.remove(name, load)) return;
    adds.remove(name);
    retries.remove(name);
    queueDuration.remove(name);
    workDuration.remove(name);
    effectDuration.removeIf(labels -> labels.getFirst().equals(name));
  }

  void added(String loop) {
    adds.labelValues(title(loop)).inc();
  }

  void retried(String loop) {
    retries.labelValues(title(loop)).inc();
  }

  void waited(String loop, Duration duration) {
    queueDuration.labelValues(title(loop)).observe(seconds(duration));
  }

  void worked(String loop, Duration duration) {
    workDuration.labelValues(title(loop)).observe(seconds(duration));
  }

  void carriedOut(String loop, Effect effect, String outcome, Duration duration) {
    effectDuration
        .labelValues(title(loop), effect.getClass().getSimpleName(), outcome)
        .observe(seconds(duration));
  }

  private static Histogram.Builder duration(String name, String help) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .labelNames("name")
        .classicOnly()
        .classicExponentialUpperBounds(10e-9, 10, 12)
        .withoutExemplars();
  }

  private void gauge(
      PrometheusRegistry registry, String name, String help, Function<Load, Double> value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames("name")
        .callback(callback ->
            new ArrayList<>(loops.entrySet())
                .forEach(loop -> callback.call(value.apply(loop.getValue().get()), loop.getKey())))
        .register(registry);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
