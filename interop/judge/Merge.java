package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// One tree over another, as a merge patch: `null` takes away.
final class Merge {
  static ObjectNode into(ObjectNode under, JsonNode over) {
    over.properties().forEach(each -> {
      var value = each.getValue();
      var old = under.get(each.getKey());
      if (value.isNull()) under.remove(each.getKey());
      else if (value.isObject() && old instanceof ObjectNode node) into(node, value);
      else under.set(each.getKey(), value.deepCopy());
    });
    return under;
  }

  private Merge() {}
}
