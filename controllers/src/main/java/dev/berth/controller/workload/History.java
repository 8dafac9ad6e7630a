package dev.berth.controller.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Death;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The templates that a set has had, and the one that it has.
///
/// @param records those that are kept, the oldest first
/// @param missing what is to be done until the set's template is the newest that is kept; empty: it
///   is
/// @param collisions how many names were found taken for it
public record History(
    Workload set, List<StateRecord> records, Optional<WorkloadEffect> missing, int collisions) {
  /// Records by the uid of their set.
  private static final Index<StateRecord> RECORDS =
      new Index<>(StateRecord.KIND, "controller", it -> Owned.owner(it.meta()));

  public History {
    records = List.copyOf(records);
  }

  public static History of(Workload set, Snapshot objects) {
    var records =
        objects.by(RECORDS, set.meta().uid()).stream()
            .sorted(
                Comparator.comparingLong(StateRecord::number)
                    .thenComparing(it -> it.meta().created())
                    .thenComparing(it -> it.meta().name()))
            .toList();
    var data = data(set);
    var text = Texts.canonical(data);
    long newest = records.isEmpty() ? 0 : records.getLast().number();
    int collisions = set.status().path("collisionCount").asInt();
    var same =
        records.reversed().stream()
            .filter(it -> Texts.canonical(it.data()).equals(text))
            .findFirst();
    if (same.isPresent())
      return new History(
          set,
          records,
          same.get().number() == newest
              ? Optional.empty()
              : Optional.of(renumber(same.get(), newest + 1)),
          collisions);
    for (; ; collisions++) {
      var hash = Texts.hash(data, collisions);
      var key = ObjectKey.of(set.meta().namespace(), set.meta().name() + "-" + hash);
      var taken = objects.get(StateRecord.KIND, key).found();
      if (taken.isPresent() && !isOurs(taken.get(), text)) continue;
      var effect =
          taken.isPresent()
              ? Owned.adopt(set, StateRecord.KIND, taken.get().meta())
              : new Make(List.of(record(set, key, hash, data, newest + 1)));
      return new History(set, records, Optional.of(effect), collisions);
    }
  }

  private static boolean isOurs(StateRecord record, String text) {
    return record.meta().controllerOwner().isEmpty() && Texts.canonical(record.data()).equals(text);
  }

  /// The record of the set's own template, which is the newest.
  public StateRecord update() {
    return records.getLast();
  }

  /// The record of this name.
  public Optional<StateRecord> named(String name) {
    return records.stream().filter(it -> it.meta().name().equals(name)).findFirst();
  }

  /// Deletes the oldest that nothing needs, where more are kept than the set wants.
  ///
  /// @param needed names of those that pods were made by, or are to be
  public Optional<WorkloadEffect> forget(Set<String> needed) {
    var spare = records.stream().filter(it -> !needed.contains(it.meta().name())).toList();
    int surplus = spare.size() - set.spec().path("revisionHistoryLimit").asInt(10);
    if (surplus <= 0) return Optional.empty();
    return Optional.of(
        new Remove(
            spare.subList(0, surplus).stream()
                .map(it -> new Death(it.ref(), Optional.empty(), Optional.empty()))
                .toList()));
  }

  /// As `kubectl rollout undo` sends it: the template takes the place of the whole other one.
  private static ObjectNode data(Workload set) {
    var data = JsonNodeFactory.instance.objectNode();
    ObjectNode template = set.template().deepCopy();
    template.put("$patch", "replace");
    data.putObject("spec").set("template", template);
    return data;
  }

  private static WorkloadEffect renumber(StateRecord record, long number) {
    return new Change(
        Resources.REVISIONS,
        Revision.of(record.meta()),
        JsonNodeFactory.instance.objectNode().put("revision", number),
        Change.Part.OBJECT);
  }

  private static Birth record(
      Workload set, ObjectKey key, String hash, JsonNode data, long number) {
    var record = JsonNodeFactory.instance.objectNode();
    var meta = record.putObject("metadata");
    meta.put("namespace", key.namespace()).put("name", key.name());
    var labels = meta.putObject("labels");
    Json.texts(set.template().path("metadata").path("labels")).forEach(labels::put);
    labels.put("controller.kubernetes.io/hash", hash);
    meta.putArray("ownerReferences").add(Owned.reference(set));
    record.set("data", data);
    record.put("revision", number);
    return new Birth(Resources.REVISIONS, record, Optional.empty(), Optional.empty());
  }
}
