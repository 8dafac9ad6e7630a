package dev.berth.apiserver.http.watch;

import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.kube.object.Resource;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/// Counts what watches are sent, and how long they take to show what there is (API-136).
final class WatchMeter {
  /// In seconds; upstream's, but for some between.
  private static final double[] BOUNDS = {0.05, 0.1, 0.2, 0.4, 0.8, 1, 2, 4, 8, 15, 30, 60};

  private final Map<Resource, LongAdder> events = new ConcurrentHashMap<>();
  private final Map<Resource, Durations> lists = new ConcurrentHashMap<>();

  private static final class Durations {
    private final AtomicLongArray buckets = new AtomicLongArray(BOUNDS.length + 1);
    private final LongAdder nanos = new LongAdder();
  }

  /// @param since when the watch began, on the clock of [System#nanoTime]
  void note(Resource resource, WatchEvent event, long since) {
    events.computeIfAbsent(resource, _ -> new LongAdder()).increment();
    if (!(event instanceof WatchEvent.Bookmark(_, boolean initialEventsEnd)) || !initialEventsEnd)
      return;
    long took = System.nanoTime() - since;
    int bucket = 0;
    while (bucket < BOUNDS.length && took / 1e9 > BOUNDS[bucket]) bucket++;
    var durations = lists.computeIfAbsent(resource, _ -> new Durations());
    durations.buckets.incrementAndGet(bucket);
    durations.nanos.add(took);
  }

  /// As `/metrics` shows it.
  String text() {
    var text = new StringBuilder("# TYPE apiserver_watch_events_total counter\n");
    events.forEach((resource, count) ->
        text.append(
            "apiserver_watch_events_total{%s} %d\n".formatted(labels(resource), count.sum())));
    text.append("# TYPE apiserver_watch_list_duration_seconds histogram\n");
    lists.forEach((resource, durations) -> write(text, labels(resource), durations));
    return text.toString();
  }

  private static void write(StringBuilder text, String labels, Durations durations) {
    var name = "apiserver_watch_list_duration_seconds";
    long count = 0;
    for (int i = 0; i <= BOUNDS.length; i++) {
      count += durations.buckets.get(i);
      var bound = i < BOUNDS.length ? Double.toString(BOUNDS[i]) : "+Inf";
      text.append("%s_bucket{%s,le=\"%s\"} %d\n".formatted(name, labels, bound, count));
    }
    text.append("%s_count{%s} %d\n".formatted(name, labels, count));
    var seconds = String.format(Locale.ROOT, "%.6f", durations.nanos.sum() / 1e9);
    text.append("%s_sum{%s} %s\n".formatted(name, labels, seconds));
  }

  private static String labels(Resource resource) {
    return "group=\"%s\",resource=\"%s\",version=\"%s\""
        .formatted(resource.group(), resource.plural(), resource.version());
  }
}
