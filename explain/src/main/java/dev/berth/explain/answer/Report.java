package dev.berth.explain.answer;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Event;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/// What somebody told of an object in an event: true then, and perhaps no longer (XPL-01).
public record Report(Ref about, String component, String reason, String message, Instant at) {
  private static final int MOST = 3;

  /// The latest, warnings first.
  public static List<Report> about(Ref subject, Snapshot objects) {
    return EventsAbout.of(subject, objects).stream()
        .sorted(Comparator.comparing(Event::warns).thenComparing(Event::last).reversed())
        .limit(MOST)
        .map(it -> new Report(subject, it.component(), it.reason(), it.message(), it.last()))
        .toList();
  }
}
