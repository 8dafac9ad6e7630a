package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Dependent;
import dev.berth.apiserver.core.state.Owner;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/// Deletes what is owned once its owners are gone, and lets owners wait for what they own (API-88,
/// GC-01 to GC-03). It follows each write at once, in the same transaction, so that no state has an
/// object whose owners are all gone.
final class GarbageCollection {
  private static final DeleteOptions FOREGROUND =
      new DeleteOptions(
          Optional.empty(), Optional.empty(), OptionalLong.empty(), Optional.of("Foreground"));

  private final Draft draft;

  GarbageCollection(Draft draft) {
    this.draft = draft;
  }

  /// Does what `written` brings about.
  void follow(Written written) {
    switch (written) {
      case Written.Put(var resource, _, var after) -> {
        var dependent = new Dependent(resource, after.key());
        complain(dependent);
        review(dependent);
        if (after.hasOwners()) goWithOwners(dependent, after);
        draft.get(resource, after.key()).ifPresent(owner -> letGo(resource, owner));
      }
      case Written.Removed(_, var before, _) -> {
        draft.state().dependents(before.uid()).forEach(this::review);
        if (before.hasOwners())
          for (var owner : Owner.of(before.object()))
            owner
                .find(draft.state(), before.key())
                .ifPresent(found ->
                    letGoWithout(owner.resource(draft.state().kinds()).orElseThrow(), found));
      }
    }
  }

  private void complain(Dependent dependent) {
    draft
        .get(dependent.resource(), dependent.key())
        .filter(Stored::hasOwners)
        .filter(object -> !Holds.deleting(object.object()))
        .ifPresent(object -> new Complaint(draft).about(dependent, object));
  }

  /// Deletes an object whose owners are all gone; if some are there, only the others are forgotten.
  private void review(Dependent dependent) {
    if (dependent.resource().equals(Resources.NAMESPACES)) return;
    var found = draft.get(dependent.resource(), dependent.key()).filter(Stored::hasOwners);
    if (found.isEmpty()) return;
    var owners = Owner.of(found.get().object());
    var gone =
        owners.stream()
            .filter(owner -> owner.isGone(draft.state(), dependent.key()))
            .map(Owner::uid)
            .collect(Collectors.toSet());
    if (gone.isEmpty()) return;
    boolean all = owners.stream().allMatch(owner -> gone.contains(owner.uid()));
    if (all) delete(dependent, DeleteOptions.DEFAULT);
    else forget(dependent.resource(), found.get(), gone);
  }

  /// Does what the finalizers `orphan` and `foregroundDeletion` of a deleted owner wait for.
  private void letGo(Resource resource, Stored owner) {
    if (!Holds.deleting(owner.object())) return;
    if (Holds.hasFinalizer(owner.object(), Holds.ORPHAN)) orphan(resource, owner);
    else if (Holds.hasFinalizer(owner.object(), Holds.FOREGROUND)) foreground(resource, owner);
  }

  /// The same once a dependent has gone. The others were told when the deletion began: to look at
  /// all of them whenever one goes would cost their square.
  private void letGoWithout(Resource resource, Stored owner) {
    if (waitsForDependents(owner)) finishForeground(resource, owner);
    else letGo(resource, owner);
  }

  private static boolean waitsForDependents(Stored owner) {
    return Holds.deleting(owner.object())
        && Holds.hasFinalizer(owner.object(), Holds.FOREGROUND)
        && !Holds.hasFinalizer(owner.object(), Holds.ORPHAN);
  }

  /// What comes to an owner that waits for its dependents to go goes with them.
  private void goWithOwners(Dependent dependent, Stored object) {
    for (var owner : Owner.of(object.object()))
      owner
          .find(draft.state(), dependent.key())
          .filter(GarbageCollection::waitsForDependents)
          .ifPresent(found -> deleteFor(found, dependent));
  }

  private void orphan(Resource resource, Stored owner) {
    for (var dependent : draft.state().dependents(owner.uid()))
      draft
          .get(dependent.resource(), dependent.key())
          .ifPresent(object -> forget(dependent.resource(), object, Set.of(owner.uid())));
    Holds.release(draft, resource, owner, Holds.ORPHAN);
  }

  private void foreground(Resource resource, Stored owner) {
    for (var dependent : draft.state().dependents(owner.uid())) deleteFor(owner, dependent);
    finishForeground(resource, owner);
  }

  private void finishForeground(Resource resource, Stored owner) {
    boolean waits =
        draft.state().dependents(owner.uid()).stream()
            .anyMatch(dependent -> blocks(dependent, owner));
    if (!waits) Holds.release(draft, resource, owner, Holds.FOREGROUND);
  }

  /// An object with another owner that stays is kept for that one.
  private void deleteFor(Stored owner, Dependent dependent) {
    var found = draft.get(dependent.resource(), dependent.key());
    if (found.isEmpty() || Holds.deleting(found.get().object())) return;
    boolean wanted =
        Owner.of(found.get().object()).stream()
            .filter(each -> !each.uid().equals(owner.uid()))
            .flatMap(each -> each.find(draft.state(), dependent.key()).stream())
            .anyMatch(other -> !Holds.hasFinalizer(other.object(), Holds.FOREGROUND));
    boolean owns = !draft.state().dependents(found.get().uid()).isEmpty();
    if (wanted) forget(dependent.resource(), found.get(), Set.of(owner.uid()));
    else delete(dependent, owns ? FOREGROUND : DeleteOptions.DEFAULT);
  }

  /// What stands in another namespace is not owned, whatever it says: it must not hold anything.
  private boolean blocks(Dependent dependent, Stored owner) {
    return draft
        .get(dependent.resource(), dependent.key())
        .filter(object ->
            Owner.of(object.object()).stream()
                .filter(each -> each.uid().equals(owner.uid()) && each.blocks())
                .anyMatch(each -> each.find(draft.state(), dependent.key()).isPresent()))
        .isPresent();
  }

  private void delete(Dependent dependent, DeleteOptions options) {
    new Deletion(draft, dependent.resource()).delete(dependent.key(), options);
  }

  /// Takes the owners with these uids out of an object's references.
  private void forget(Resource resource, Stored stored, Set<String> uids) {
    var changed = stored.object().deepCopy();
    if (!(changed.get("metadata") instanceof ObjectNode meta)) return;
    if (!(meta.get("ownerReferences") instanceof ArrayNode owners)) return;
    for (int i = owners.size() - 1; i >= 0; i--)
      if (uids.contains(Json.text(owners.get(i), "uid"))) owners.remove(i);
    if (owners.isEmpty()) meta.remove(List.of("ownerReferences"));
    Holds.settle(draft, resource, stored, changed);
  }
}
