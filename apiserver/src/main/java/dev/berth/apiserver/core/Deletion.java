package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Deletes objects, at once or when what holds them lets go (API-84 to API-87).
final class Deletion {
  private static final List<String> LASTING_NAMESPACES =
      List.of("default", "kube-system", "kube-public");

  /// A century: so that the time of the deletion can be written, whatever is asked for.
  private static final long LONGEST_GRACE = 100L * 365 * 24 * 60 * 60;

  /// Kinds whose deletion upstream begins with an update, whose words for a precondition differ.
  private static final Set<Resource> ENDED_BY_UPDATE =
      Set.of(Resources.NAMESPACES, Resources.DEFINITIONS);

  private final Draft draft;
  private final Resource resource;
  private final Rules rules;

  Deletion(Draft draft, Resource resource) {
    this.draft = draft;
    this.resource = resource;
    this.rules = draft.state().kinds().find(resource).orElseThrow().rules();
  }

  /// Deletes the object under `key`.
  Answer delete(ObjectKey key, DeleteOptions options) {
    var stored =
        draft
            .get(resource, key)
            .orElseThrow(() -> new RefusedException(Refusals.notFound(resource, key.name())));
    checkPreconditions(stored, options);
    if (resource.equals(Resources.NAMESPACES) && LASTING_NAMESPACES.contains(key.name()))
      throw new RefusedException(
          Refusals.forbidden(resource, key.name(), "this namespace may not be deleted"));
    return delete(stored, options);
  }

  void checkPreconditions(Stored stored, DeleteOptions options) {
    var uid = options.uid();
    boolean other = uid.isPresent() && !uid.get().equals(stored.uid());
    if (other && ENDED_BY_UPDATE.contains(resource))
      throw new RefusedException(
          Refusals.otherUid(resource, stored.key().name(), uid.get(), stored.uid()));
    if (other)
      throw unmet(
          stored,
          "the UID in the precondition (%s) does not match the UID in record (%s). The object might"
              + " have been deleted and then recreated",
          uid.get(),
          stored.uid());
    var version = options.resourceVersion();
    var actual = Long.toString(stored.revision());
    if (version.isPresent() && !version.get().equals(actual))
      throw unmet(
          stored,
          "the ResourceVersion in the precondition (%s) does not match the ResourceVersion in"
              + " record (%s). The object might have been modified",
          version.get(),
          actual);
  }

  private RefusedException unmet(Stored stored, String why, String wanted, String actual) {
    return new RefusedException(
        Refusals.precondition(resource, stored.key().name(), why.formatted(wanted, actual)));
  }

  private Answer delete(Stored stored, DeleteOptions options) {
    if (Holds.deleting(stored.object())) return sooner(stored, options);
    var changed = stored.object().deepCopy();
    setPropagation(changed, options);
    long grace = rules.grace(changed, wanted(options));
    // A definition is seen to go, however few objects there are of its kind (API-125).
    boolean seen = resource.equals(Resources.DEFINITIONS);
    boolean free = grace == 0 && !Holds.held(resource, changed) && !seen;
    if (free) return gone(stored);
    return new Answer.Single(mark(stored, changed, grace));
  }

  /// What becomes of what the object owns is noted as a finalizer, which [GarbageCollection] takes
  /// off again (API-88).
  private void setPropagation(ObjectNode object, DeleteOptions options) {
    var wanted = options.propagation();
    if (wanted.isEmpty() && rules.propagation().equals("Background")) return;
    Holds.removeFinalizer(object, Holds.ORPHAN);
    Holds.removeFinalizer(object, Holds.FOREGROUND);
    if (!(object.get("metadata") instanceof ObjectNode meta)) return;
    switch (wanted.orElse(rules.propagation())) {
      case "Orphan" -> meta.withArray("finalizers").add(Holds.ORPHAN);
      case "Foreground" -> meta.withArray("finalizers").add(Holds.FOREGROUND);
      default -> {}
    }
  }

  /// A deletion that was asked for already: its time may be shortened, not more.
  private Answer sooner(Stored stored, DeleteOptions options) {
    var meta = stored.object().path("metadata");
    long before = meta.path("deletionGracePeriodSeconds").asLong();
    OptionalLong asked = options.gracePeriodSeconds();
    if (asked.isEmpty()) return new Answer.Single(stored);
    long grace = rules.grace(stored.object(), wanted(options));
    if (grace >= before) return new Answer.Single(stored);
    if (grace == 0 && !Holds.held(resource, stored.object())) return gone(stored);
    var changed = stored.object().deepCopy();
    var asOf = Instant.parse(Json.text(meta, "deletionTimestamp")).minusSeconds(before);
    setDeletion(changed, asOf, grace);
    return new Answer.Single(draft.put(resource, stored.key(), Optional.of(stored), changed));
  }

  /// A negative time is as little as there is.
  private static long wanted(DeleteOptions options) {
    var asked = options.gracePeriodSeconds();
    return asked.isEmpty() ? -1 : asked.getAsLong() < 0 ? 1 : asked.getAsLong();
  }

  private Stored mark(Stored stored, ObjectNode changed, long grace) {
    setDeletion(changed, draft.now(), grace);
    if (resource.equals(Resources.DEFINITIONS)) {
      changed.withObject("metadata").remove("deletionGracePeriodSeconds");
      new Definitions(draft).markDeleting(changed);
      return draft.put(resource, stored.key(), Optional.of(stored), changed);
    }
    if (changed.get("metadata") instanceof ObjectNode meta && meta.path("generation").asLong() > 0)
      meta.put("generation", meta.path("generation").asLong() + 1);
    if (resource.equals(Resources.NAMESPACES)) {
      changed.withObject("status").put("phase", "Terminating");
      changed.withObject("metadata").remove("deletionGracePeriodSeconds");
    }
    return draft.put(resource, stored.key(), Optional.of(stored), changed);
  }

  private static void setDeletion(ObjectNode object, Instant asOf, long wanted) {
    long grace = Math.min(wanted, LONGEST_GRACE);
    if (object.get("metadata") instanceof ObjectNode meta)
      meta.put("deletionTimestamp", asOf.plusSeconds(grace).toString())
          .put("deletionGracePeriodSeconds", grace);
  }

  private Answer gone(Stored stored) {
    var last = draft.remove(resource, stored);
    return rules.goesQuietly()
        ? new Answer.GoneQuietly(last, Refusal.success(resource, last))
        : new Answer.Gone(last);
  }
}
