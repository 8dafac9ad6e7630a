package dev.berth.apiserver.core.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// RFC 7386: `null` deletes, objects are merged, everything else replaces.
final class MergePatch {
  private MergePatch() {}

  /// Changes `target`, and is it where it is an object.
  static JsonNode apply(ObjectNode target, JsonNode patch) throws PatchException {
    if (!(patch instanceof ObjectNode changes))
      throw PatchException.malformed("a merge patch is an object");
    return merge(target, changes);
  }

  private static ObjectNode merge(ObjectNode target, ObjectNode changes) {
    for (var change : changes.properties()) {
      var field = change.getKey();
      var value = change.getValue();
      if (value.isNull()) target.remove(field);
      else if (value instanceof ObjectNode object)
        target.set(field, merge(objectAt(target, field), object));
      else target.set(field, value.deepCopy());
    }
    return target;
  }

  private static ObjectNode objectAt(ObjectNode target, String field) {
    return target.get(field) instanceof ObjectNode object
        ? object
        : JsonNodeFactory.instance.objectNode();
  }
}
