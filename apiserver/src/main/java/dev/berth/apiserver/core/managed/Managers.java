package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.managed.Entry.Operation;
import dev.berth.apiserver.core.patch.Extent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/// All that is known of who owns what of one object: its `managedFields`. Immutable.
public final class Managers {
  public static final String FIELD = "managedFields";

  /// Of so many the entries are bounded by the object's own size.
  private static final int FEW = 16;

  /// In characters of all entries, where there are more.
  public static final int MOST_CHARACTERS = 1024 * 1024;

  /// More managers than these that do not apply are folded into [#ANCIENT].
  private static final int MOST_UPDATERS = 10;

  private static final String ANCIENT = "ancient-changes";

  private static final Managers NONE = new Managers(List.of(), MissingNode.getInstance());

  private final List<Entry> entries;

  /// As it stands in the object.
  private final JsonNode written;

  private Managers(List<Entry> entries, JsonNode written) {
    this.entries = entries;
    this.written = written;
  }

  public static Managers none() {
    return NONE;
  }

  /// Of an object that is stored. What cannot be read counts for nothing, as upstream has it.
  public static Managers of(ObjectNode stored) {
    var written = stored.path("metadata").path(FIELD);
    if (written.isEmpty()) return NONE;
    var entries = new ArrayList<Entry>(written.size());
    try {
      for (var entry : written) entries.add(Entry.ours(entry));
    } catch (UnnamedPartException broken) {
      return NONE;
    }
    return new Managers(List.copyOf(entries), written);
  }

  /// Whether they are more than an object may have: nobody stops a client that writes under ever
  /// new names but we (API-78, API-80).
  ///
  /// @param written as they stand in an object, or in one that somebody sends
  public static boolean areTooLong(JsonNode written) {
    return written.size() > FEW && Extent.of(written).characters() > MOST_CHARACTERS;
  }

  /// What a client wants it to be who sends the object back (API-80): an empty list, or an empty
  /// entry, ends the tracking; nothing at all, or what cannot be read, leaves it as it is.
  ///
  /// @param sent `managedFields` of the object that was sent; missing: none
  public Managers replacedBy(JsonNode sent) {
    if (sent == written || sent.isMissingNode() || sent.isNull() || sent.equals(written))
      return this;
    if (sent.isEmpty() || sent.size() == 1 && sent.get(0).isEmpty()) return NONE;
    var entries = new HashMap<Entry.Writer, Entry>();
    try {
      for (var each : sent) {
        var entry = Entry.read(each);
        entries.put(entry.writer(), entry);
      }
    } catch (UnnamedPartException broken) {
      return this;
    }
    return all(entries.values());
  }

  /// Whether somebody is named in them, as far as they can be read.
  ///
  /// @param written as they stand in an object that somebody else has worked on
  public static boolean areNamed(JsonNode written) {
    return !written.isEmpty()
        && !NONE.replacedBy(written).isEmpty()
        && NONE.replacedBy(written).size() == written.size();
  }

  /// An object without them; shares all else with it.
  public static ObjectNode without(ObjectNode object) {
    if (!(object.get("metadata") instanceof ObjectNode managed) || !managed.has(FIELD))
      return object;
    var metadata = JsonNodeFactory.instance.objectNode();
    metadata.setAll(managed);
    metadata.remove(FIELD);
    var bare = JsonNodeFactory.instance.objectNode();
    bare.setAll(object);
    bare.set("metadata", metadata);
    return bare;
  }

  /// Of entries in any order; those that own nothing are gone.
  static Managers all(Collection<Entry> entries) {
    var sorted =
        entries.stream().filter(entry -> !entry.fields().isEmpty()).sorted(Entry.ORDER).toList();
    if (sorted.isEmpty()) return NONE;
    var written = JsonNodeFactory.instance.arrayNode(sorted.size());
    for (var entry : sorted) written.add(entry.write());
    return new Managers(sorted, written);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  List<Entry> entries() {
    return entries;
  }

  Optional<Entry> of(Entry writer) {
    return entries.stream().filter(writer::sameWriter).findFirst();
  }

  /// How many there are, of whatever kind.
  public int size() {
    return entries.size();
  }

  /// Sets the field in the metadata of an object that is still to be stored.
  public void writeTo(ObjectNode metadata) {
    if (written.isMissingNode()) metadata.remove(FIELD);
    else metadata.set(FIELD, written);
  }

  /// As they stand in an object; missing: there are none.
  public JsonNode written() {
    return written;
  }

  /// After somebody has changed the object: what was changed or removed is nobody else's any more.
  ///
  /// @param by with what it owns now beside what it owned before
  Managers changed(Comparison change, Entry by) {
    var changed = change.set();
    var next = new ArrayList<Entry>(entries.size() + 1);
    var own = by;
    for (var entry : entries) {
      var left = entry.withFields(entry.fields().minus(changed).minus(change.removed()));
      if (left.sameWriter(by)) own = own.withFields(left.fields().union(by.fields()));
      else next.add(left);
    }
    if (by.fields().isEmpty()) own = of(by).map(old -> left(old, change)).orElse(by);
    next.add(own);
    return all(capped(next));
  }

  private static Entry left(Entry entry, Comparison change) {
    return entry.withFields(entry.fields().minus(change.set()).minus(change.removed()));
  }

  /// Folds the oldest updaters of each version into one until there are few enough.
  private static List<Entry> capped(List<Entry> entries) {
    var updaters =
        entries.stream()
            .filter(entry -> entry.operation() == Operation.UPDATE && !entry.fields().isEmpty())
            .sorted(Entry.ORDER)
            .toList();
    int surplus = updaters.size() - MOST_UPDATERS;
    if (surplus <= 0) return entries;
    var folded = new HashMap<String, List<Entry>>();
    for (var entry : updaters) {
      if (surplus == 0) break;
      var together = folded.computeIfAbsent(entry.apiVersion(), _ -> new ArrayList<>());
      if (!together.isEmpty()) surplus--;
      together.add(entry);
    }
    var gone = Collections.<Entry>newSetFromMap(new IdentityHashMap<>());
    folded.values().forEach(gone::addAll);
    var rest = new ArrayList<>(entries.stream().filter(entry -> !gone.contains(entry)).toList());
    for (var together : folded.values())
      rest.add(together.size() == 1 ? together.getFirst() : ancient(together));
    return rest;
  }

  /// @param entries of one version, the latest last
  private static Entry ancient(List<Entry> entries) {
    var latest = entries.getLast();
    var fields = FieldSet.union(entries.stream().map(Entry::fields).toList());
    return new Entry(ANCIENT, Operation.UPDATE, latest.apiVersion(), latest.time(), fields, "");
  }

  @Override
  public String toString() {
    return written.toString();
  }
}
