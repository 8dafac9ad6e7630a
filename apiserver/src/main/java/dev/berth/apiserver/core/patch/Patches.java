package dev.berth.apiserver.core.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Resource;

/// Applies patches. Start here.
public final class Patches {
  private Patches() {}

  /// A copy of `object`, of the kind of `resource`, changed as `patch` says.
  ///
  /// @throws IllegalArgumentException for server-side apply, which is not a patch of one object
  public static ObjectNode apply(Resource resource, ObjectNode object, Patch patch)
      throws PatchException {
    var copy = object.deepCopy();
    var result =
        switch (patch.type()) {
          case JSON -> JsonPatch.apply(copy, patch.body());
          case MERGE -> MergePatch.apply(copy, patch.body());
          case STRATEGIC -> StrategicMerge.of(resource).apply(copy, patch.body());
          case APPLY -> throw new IllegalArgumentException("server-side apply is no plain patch");
        };
    if (result instanceof ObjectNode changed) return changed;
    throw PatchException.malformed("the patch leaves no object but a " + typeOf(result));
  }

  static String typeOf(JsonNode node) {
    return node.getNodeType().name().toLowerCase(java.util.Locale.ROOT);
  }
}
