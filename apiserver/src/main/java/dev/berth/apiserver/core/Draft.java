package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The writes of one request, made one after the other on a state of their own.
final class Draft {
  private final Instant now;
  private final Ids ids;
  private final List<Written> written = new ArrayList<>();
  private State state;

  private final boolean checks;

  Draft(State state, Instant now, Ids ids) {
    this(state, now, ids, true);
  }

  private Draft(State state, Instant now, Ids ids, boolean checks) {
    this.state = state;
    this.now = now;
    this.ids = ids;
    this.checks = checks;
  }

  /// Of what nobody writes: an object may still be wrong.
  static Draft unchecked(State state, Instant now, Ids ids) {
    return new Draft(state, now, ids, false);
  }

  /// Whether an object is refused that is wrong.
  boolean checks() {
    return checks;
  }

  /// With all that was written so far.
  State state() {
    return state;
  }

  /// In whole seconds, as Kubernetes keeps time.
  Instant now() {
    return now.truncatedTo(ChronoUnit.SECONDS);
  }

  Ids ids() {
    return ids;
  }

  List<Written> written() {
    return written;
  }

  Optional<Stored> get(Resource resource, ObjectKey key) {
    return state.get(resource, key);
  }

  /// Creates or replaces an object.
  ///
  /// @param object the caller's own until now; its resourceVersion is set here
  Stored put(Resource resource, ObjectKey key, Optional<Stored> before, ObjectNode object) {
    long revision = state.revision() + 1;
    if (object.path("metadata") instanceof ObjectNode meta)
      meta.put("resourceVersion", Long.toString(revision));
    long created = before.map(Stored::created).orElse(revision);
    var after = Stored.of(key, created, revision, object);
    write(new Written.Put(resource, before, after));
    return after;
  }

  /// Removes an object.
  ///
  /// @return as it was, with the revision at which it went
  Stored remove(Resource resource, Stored before) {
    var last = before.at(state.revision() + 1);
    write(new Written.Removed(resource, before, last));
    return last;
  }

  private void write(Written each) {
    state = state.after(each);
    written.add(each);
  }
}
