package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import dev.berth.kube.value.Rfc3339;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/// Which events are to be looked at, and when: one that was last seen an hour ago goes (API-137).
/// None is read before its first hour is over, since it was seen when it was made. For one thread.
public final class EventExpiry {
  private static final Duration KEPT = Duration.ofHours(1);

  /// Of one piece of work, for which a write may have to wait.
  static final int MOST_AT_ONCE = 500;

  /// The oldest first: while nothing can be stored but what makes room, they are found again at
  /// once.
  private final PriorityQueue<Due> looks =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::created));

  /// What the last piece looked at, and when to do so again.
  private final List<Due> looked = new ArrayList<>();

  private final List<Due> again = new ArrayList<>();

  /// @param created tells the event from another of its name
  private record Due(Instant at, ObjectKey key, long created) {}

  /// What the last piece found is stored.
  public void stored() {
    looks.addAll(again);
    looked.clear();
    again.clear();
  }

  /// What the last piece found is not stored: it is as if it had not been looked at.
  public void notStored() {
    looks.addAll(looked);
    looked.clear();
    again.clear();
  }

  /// Notes what was stored.
  public void note(Written written, Instant now) {
    if (written instanceof Written.Put(var resource, var before, var event)
        && before.isEmpty()
        && resource.equals(Resources.EVENTS)) looks.add(at(now.plus(KEPT), event));
  }

  /// Forgets what was noted: each event is looked at once more.
  public void startOver(State state) {
    looks.clear();
    looked.clear();
    again.clear();
    for (var event : state.list(Resources.EVENTS)) looks.add(at(Instant.MIN, event));
  }

  private static Due at(Instant at, Stored event) {
    return new Due(at, event.key(), event.created());
  }

  /// Whether there is an event to look at.
  public boolean due(Instant now) {
    var next = looks.peek();
    return next != null && !next.at.isAfter(now);
  }

  /// Looks at some of those that are due, and removes those that are old. [#stored] or [#notStored]
  /// follows.
  public Outcome next(State state, Instant now, Ids ids) {
    var draft = new Draft(state, now, ids);
    for (int i = 0; i < MOST_AT_ONCE && due(now); i++) {
      var look = looks.remove();
      looked.add(look);
      var event = draft.get(Resources.EVENTS, look.key);
      if (event.isEmpty() || event.get().created() != look.created) continue;
      var end = lastSeen(event.get().object(), now).plus(KEPT);
      if (end.isBefore(now)) draft.remove(Resources.EVENTS, event.get());
      else again.add(at(end.plusSeconds(1), event.get()));
    }
    return new Outcome(draft.state(), new Answer.Done(Refusal.success(200)), draft.written());
  }

  /// What is still to come was not seen yet, whatever a client writes.
  private static Instant lastSeen(JsonNode event, Instant now) {
    return Stream.of(
            Json.optionalText(event.path("metadata"), "creationTimestamp"),
            Json.optionalText(event, "lastTimestamp"),
            Json.optionalText(event, "eventTime"),
            Json.optionalText(event.path("series"), "lastObservedTime"))
        .flatMap(Optional::stream)
        .flatMap(text -> parse(text).stream())
        .filter(time -> !time.isAfter(now))
        .max(Comparator.naturalOrder())
        .orElse(Instant.EPOCH);
  }

  /// Clients write what they like there.
  private static Optional<Instant> parse(String time) {
    try {
      return Optional.of(Rfc3339.parse(time));
    } catch (DateTimeException noTime) {
      return Optional.empty();
    }
  }
}
