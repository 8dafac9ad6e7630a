package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.managed.Entry.Operation;
import dev.berth.apiserver.core.managed.Ownership.Conflict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One configuration put into one object.
final class Application {
  private final Ownership ownership;
  private final Managers before;
  private final ObjectNode live;
  private final Entry applier;
  private final Optional<Entry> last;
  private final ObjectNode merged;
  private final Comparison change;

  Application(
      Ownership ownership, Managers before, ObjectNode live, ObjectNode config, String manager)
      throws UnnamedPartException {
    this.ownership = ownership;
    this.before = before;
    this.live = live;
    var said = Configuration.fields(ownership.form(), config).without(ownership.reset().fields);
    this.applier = ownership.entry(manager, Operation.APPLY, said);
    this.last = before.of(applier);
    this.merged = pruned(Merge.of(ownership.form(), live, config));
    this.change = Comparison.of(ownership.form(), live, merged).without(ownership.reset().fields);
  }

  /// The object with the configuration in it.
  ObjectNode merged() {
    return merged;
  }

  /// What would be taken from others.
  List<Conflict> conflicts() {
    var conflicts = new ArrayList<Conflict>();
    for (var entry : others())
      for (var path : entry.fields().intersection(change.set()).paths())
        conflicts.add(new Conflict(entry.shown(), path));
    return conflicts;
  }

  private List<Entry> others() {
    return before.entries().stream().filter(entry -> !entry.sameWriter(applier)).toList();
  }

  /// Who owns what once it is done.
  Managers managers() {
    var next = new ArrayList<Entry>();
    for (var entry : others())
      next.add(entry.withFields(entry.fields().minus(change.set()).minus(change.removed())));
    var own = applier.withFields(applier.fields().minus(Ownership.NOBODYS));
    // Who only agrees with what is there already has not changed anything, at no time.
    next.add(
        Trees.same(live, merged)
            ? last.map(Entry::time).map(own::at).orElse(own)
            : own.at(ownership.now().toString()));
    return Managers.all(next);
  }

  /// Without what the manager applied last time, does not apply any more and nobody else owns.
  private ObjectNode pruned(ObjectNode merged) {
    if (last.isEmpty()) return merged;
    var form = ownership.form();
    var applied = last.get().fields().withDeclared(form);
    var all = Configuration.fields(form, merged).withDeclared(form);
    var pruned = Removal.of(form, merged, applied);
    var kept = owned().withDeclared(form).union(remaining(pruned));
    pruned = Removal.of(form, merged, all.minus(kept));
    // An element may have gone with its fields that was never the manager's.
    return Removal.of(form, merged, all.minus(remaining(pruned)).intersection(applied));
  }

  private FieldSet owned() {
    var owned = new ArrayList<>(List.of(applier.fields()));
    for (var entry : others()) owned.add(entry.fields());
    return FieldSet.union(owned);
  }

  private FieldSet remaining(ObjectNode object) {
    return Configuration.fields(ownership.form(), object).withDeclared(ownership.form());
  }
}
