package dev.berth.apiserver.core.state;

import dev.berth.apiserver.schema.EmptyTexts;
import dev.berth.apiserver.schema.Schemas;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;

/// What an earlier release has stored, as this one would have. Whatever clients send is compared
/// with it: what they cannot send any more would be a change that nobody made.
final class Earlier {
  private Earlier() {}

  /// The object without the empty texts that stand for nothing (API-105), which used to be kept.
  /// Nearly all events have some that stand for something, and none is there for long: to read all
  /// of them would be most of a start.
  static Stored asToday(Resource resource, Stored stored) {
    if (resource.equals(Resources.EVENTS) || !stored.mayHaveEmptyTexts()) return stored;
    var structure = Schemas.of(resource);
    if (structure.isEmpty()) return stored;
    var object = stored.object().deepCopy();
    EmptyTexts.leaveOut(object, structure.get());
    if (object.equals(stored.object())) return stored;
    var today = Stored.of(stored.key(), stored.created(), stored.revision(), object);
    var _ = today.json(); // which is smaller than the tree, and is all that is kept from now on
    return today;
  }
}
