package dev.berth.kube.event;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Writes events through the API, as client-go's recorder does: what repeats is counted in one
/// event, and an object that is told of too often is passed over for a while.
///
/// Always: [#tell] returns at once and throws nothing. Never: more than a few writes under way,
/// more than a few thousand events remembered.
public final class ApiEventRecorder implements EventRecorder {
  private static final Logger log = LoggerFactory.getLogger(ApiEventRecorder.class);
  private static final int REMEMBERED = 4096;
  private static final int PARALLEL = 8;
  private static final int ATTEMPTS = 4;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final int LONGEST_MESSAGE = 1024;

  private final Api api;
  private final Time time;
  private final String component;
  private final String host;

  // Guarded by this.
  private final Map<Notice, Series> remembered = new Recent<>();
  private final Map<Ref, Allowance> allowances = new Recent<>();
  private final LinkedHashSet<Notice> unwritten = new LinkedHashSet<>();
  private final LinkedHashSet<Notice> writing = new LinkedHashSet<>();

  /// @param component who tells, as upstream calls it: people filter by it (VOC-03)
  /// @param host node on which it runs; empty: none in particular
  public ApiEventRecorder(Api api, Time time, String component, String host) {
    this.api = api;
    this.time = time;
    this.component = component;
    this.host = host;
  }

  @Override
  public synchronized void tell(Notice notice) {
    var now = time.now();
    if (!allowances.computeIfAbsent(notice.about(), _ -> new Allowance(now)).take(now)) return;
    remembered.compute(notice, (_, known) -> known == null ? Series.once(now) : known.again(now));
    if (unwritten.size() >= REMEMBERED) return;
    unwritten.add(notice);
    if (notice.type() == Notice.Type.WARNING) Warned.note();
    pump();
  }

  /// Starts writing what is not written, one write at a time for each notice.
  private void pump() {
    var notices = unwritten.iterator();
    while (notices.hasNext() && writing.size() < PARALLEL) {
      var notice = notices.next();
      var series = remembered.get(notice);
      if (writing.contains(notice)) continue;
      notices.remove();
      if (series == null) continue;
      writing.add(notice);
      time.start(() -> write(notice, series, 1));
    }
  }

  private void write(Notice notice, Series series, int attempt) {
    try {
      var event = written(notice, series);
      synchronized (this) {
        remembered.computeIfPresent(notice, (_, known) -> known.writtenAs(event));
      }
    } catch (RuntimeException failed) {
      boolean hope = failed instanceof ApiException refused && mayPass(refused);
      if (hope && attempt < ATTEMPTS) {
        var pause = FIRST_PAUSE.multipliedBy(1L << attempt);
        time.after(pause, () -> write(notice, series, attempt + 1));
        return;
      }
      logUntold(notice, failed);
    }
    synchronized (this) {
      writing.remove(notice);
      pump();
    }
  }

  /// Nobody else says it.
  private static void logUntold(Notice notice, RuntimeException failed) {
    log.atLevel(notice.type() == Notice.Type.WARNING ? Level.WARN : Level.DEBUG)
        .log(
            "{}: {}: {}; not told in an event: {}",
            notice.about(),
            notice.reason(),
            notice.message(),
            failed.toString());
  }

  private static boolean mayPass(ApiException refused) {
    return refused.code() == 0 || refused.code() == 429 || refused.code() >= 500;
  }

  /// @return key of the event that tells it now
  private ObjectKey written(Notice notice, Series series) {
    if (series.event().isPresent()) {
      try {
        api.patch(Resources.EVENTS, series.event().get(), Patch.merge(counted(series)));
        return series.event().get();
      } catch (ApiException refused) {
        if (!refused.isNotFound()) throw refused; // its time was up: begin another
      }
    }
    var key = newKey(notice.about(), series.last());
    api.create(Resources.EVENTS, event(key, notice, series));
    return key;
  }

  private static ObjectNode counted(Series series) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("count", series.count())
        .put("lastTimestamp", text(series.last()));
  }

  /// As client-go names events: after the object, with the nanoseconds of the moment.
  private ObjectKey newKey(Ref about, Instant now) {
    var namespace = about.key().namespace().isEmpty() ? "default" : about.key().namespace();
    long nanos = now.getEpochSecond() * 1_000_000_000 + now.getNano();
    // Two in one tick of the clock must not have one name.
    long unique = nanos + time.random().nextInt(1000);
    return ObjectKey.of(namespace, about.key().name() + "." + Long.toHexString(unique));
  }

  private ObjectNode event(ObjectKey key, Notice notice, Series series) {
    var about = notice.about();
    var event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", Resources.EVENTS.apiVersion()).put("kind", Resources.EVENTS.kind());
    event.putObject("metadata").put("namespace", key.namespace()).put("name", key.name());
    var involved = event.putObject("involvedObject");
    involved
        .put("apiVersion", about.resource().apiVersion())
        .put("kind", about.resource().kind())
        .put("name", about.key().name());
    if (!about.key().namespace().isEmpty()) involved.put("namespace", about.key().namespace());
    if (!about.uid().isEmpty()) involved.put("uid", about.uid());
    event.put("type", notice.type().text()).put("reason", notice.reason());
    event.put("message", cut(notice.message()));
    var teller = notice.component().orElse(component);
    var source = event.putObject("source").put("component", teller);
    if (!host.isEmpty()) source.put("host", host);
    event.put("reportingComponent", teller).put("reportingInstance", host);
    event.put("firstTimestamp", text(series.first()));
    event.setAll(counted(series));
    return event;
  }

  private static String cut(String message) {
    return message.length() <= LONGEST_MESSAGE
        ? message
        : message.substring(0, LONGEST_MESSAGE - 3) + "...";
  }

  private static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// Forgets what was not used for longest.
  private static final class Recent<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    Recent() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > REMEMBERED;
    }
  }
}
