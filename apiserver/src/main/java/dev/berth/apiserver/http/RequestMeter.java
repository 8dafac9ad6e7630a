package dev.berth.apiserver.http;

import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.http.exchange.Bodies;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.ResourcePath;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/// Counts requests for objects under upstream's names, in Prometheus' text format (API-136). What
/// can be told apart is bounded: verbs, served kinds, their subresources, codes.
final class RequestMeter {
  /// Upper bounds in seconds; upstream's, thinned out.
  private static final double[] BOUNDS = {
    0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.5, 2, 3, 5, 10, 30, 60
  };

  /// Subresources that a node's agent answers.
  private static final Set<String> PASSED_ON = Set.of("log", "exec", "attach", "portforward");

  /// Of subresources that a kind does not have.
  private static final String UNSERVED = "unserved";

  private final Map<Answered, LongAdder> answered = new ConcurrentHashMap<>();
  private final Map<Asked, Durations> durations = new ConcurrentHashMap<>();
  private final Map<Asked, LongAdder> watching = new ConcurrentHashMap<>();

  /// What was asked for.
  ///
  /// @param scope `resource`, `namespace` or `cluster`: of how much
  private record Asked(
      String verb, String group, String version, String resource, String part, String scope) {
    static Asked of(String verb, ResourcePath path) {
      var resource = path.resource();
      var scope =
          !path.name().isEmpty()
              ? "resource"
              : path.namespace().isEmpty() ? "cluster" : "namespace";
      return new Asked(
          verb, resource.group(), resource.version(), resource.plural(), part(path), scope);
    }

    private static String part(ResourcePath path) {
      var part = path.subresource();
      boolean served = path.kind().subresources().contains(part) || PASSED_ON.contains(part);
      return part.isEmpty() || served ? part : UNSERVED;
    }

    String labels() {
      return "group=\"%s\",resource=\"%s\",scope=\"%s\",subresource=\"%s\",verb=\"%s\",version=\"%s\""
          .formatted(escaped(group), escaped(resource), scope, escaped(part), verb, version);
    }
  }

  private record Answered(Asked asked, int code) {}

  /// As the text format writes a label's value.
  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  /// How long requests took.
  private static final class Durations {
    private final AtomicLongArray buckets = new AtomicLongArray(BOUNDS.length + 1);
    private final LongAdder nanos = new LongAdder();

    void note(long took) {
      int bucket = 0;
      while (bucket < BOUNDS.length && took / 1e9 > BOUNDS[bucket]) bucket++;
      buckets.incrementAndGet(bucket);
      nanos.add(took);
    }
  }

  /// Counts a request from now until its answer is sent.
  void begin(Exchange exchange, ResourcePath path) {
    var verb = verb(exchange, path);
    var asked = Asked.of(verb, path);
    boolean watch = verb.equals("WATCH");
    if (watch) open(asked).increment();
    long begun = System.nanoTime();
    Request.addCompletionListener(
        exchange.request(),
        _ -> {
          if (watch) open(asked).decrement();
          int code = exchange.response().getStatus();
          answered.computeIfAbsent(new Answered(asked, code), _ -> new LongAdder()).increment();
          if (!watch)
            durations.computeIfAbsent(asked, _ -> new Durations()).note(System.nanoTime() - begun);
        });
  }

  private LongAdder open(Asked asked) {
    return watching.computeIfAbsent(asked, _ -> new LongAdder());
  }

  private static String verb(Exchange exchange, ResourcePath path) {
    return switch (exchange.method()) {
      case "GET", "HEAD" ->
          path.watch() || exchange.query().truth("watch")
              ? "WATCH"
              : path.collection() ? "LIST" : "GET";
      case "PATCH" ->
          Bodies.mediaType(exchange.header(HttpHeader.CONTENT_TYPE)).contains("apply-patch")
              ? "APPLY"
              : "PATCH";
      case "DELETE" -> path.collection() ? "DELETECOLLECTION" : "DELETE";
      case "POST", "PUT" -> exchange.method();
      default -> "OTHER";
    };
  }

  /// What `/metrics` shows of it.
  ///
  /// @param state whose objects are counted
  String text(State state) {
    var text = new StringBuilder();
    head(text, "apiserver_request_total", "counter", "Requests by what was asked and answered.");
    answered.forEach((each, count) ->
        line(
            text,
            "apiserver_request_total",
            "code=\"" + each.code + "\"," + each.asked.labels(),
            count.sum()));
    head(
        text,
        "apiserver_request_duration_seconds",
        "histogram",
        "From the request's head to the answer's end, watches left out.");
    durations.forEach((asked, each) -> durations(text, asked.labels(), each));
    head(text, "apiserver_longrunning_requests", "gauge", "Watches that are open.");
    watching.forEach(
        (asked, open) -> line(text, "apiserver_longrunning_requests", asked.labels(), open.sum()));
    head(text, "apiserver_storage_objects", "gauge", "Objects that are stored, by kind.");
    objects(state)
        .forEach((kind, count) ->
            line(text, "apiserver_storage_objects", "resource=\"" + kind + "\"", count));
    return text.toString();
  }

  private static Map<String, Integer> objects(State state) {
    var counts = new TreeMap<String, Integer>();
    for (var kind : state.kinds().stored()) {
      var name = kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group();
      counts.put(name, state.list(kind).size());
    }
    return counts;
  }

  private static void durations(StringBuilder text, String labels, Durations each) {
    long count = 0;
    for (int i = 0; i <= BOUNDS.length; i++) {
      count += each.buckets.get(i);
      var bound = i < BOUNDS.length ? Double.toString(BOUNDS[i]) : "+Inf";
      line(
          text,
          "apiserver_request_duration_seconds_bucket",
          labels + ",le=\"" + bound + "\"",
          count);
    }
    line(text, "apiserver_request_duration_seconds_count", labels, count);
    double seconds = each.nanos.sum() / 1e9;
    text.append("apiserver_request_duration_seconds_sum{%s} ".formatted(labels))
        .append(String.format(Locale.ROOT, "%.6f%n", seconds));
  }

  private static void head(StringBuilder text, String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static void line(StringBuilder text, String name, String labels, long value) {
    text.append(name).append('{').append(labels).append("} ").append(value).append('\n');
  }
}
