package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;

/// What became of an object's JSON.
sealed interface Read<T extends KubeObject> {
  record Well<T extends KubeObject>(T object) implements Read<T> {}

  /// @param why as the end of a sentence about the object
  record Not<T extends KubeObject>(ObjectKey key, String why) implements Read<T> {}

  static ObjectKey key(JsonNode object) {
    var meta = object.path("metadata");
    return ObjectKey.of(Json.text(meta, "namespace"), Json.text(meta, "name"));
  }

  static <T extends KubeObject> Read<T> of(Kind<T> kind, JsonNode object) {
    try {
      return new Well<>(kind.read().apply(object));
    } catch (RuntimeException unreadable) {
      return new Not<>(
          key(object),
          "cannot be read at version %s: %s"
              .formatted(Json.text(object.path("metadata"), "resourceVersion"), unreadable));
    }
  }
}
