package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What ConfigMaps and Secrets of a pod's namespace hold, read from the server when it is needed:
/// nobody's secrets are kept in memory.
final class KeyedData {
  private final Api api;
  private final String namespace;

  KeyedData(Api api, String namespace) {
    this.api = api;
    this.namespace = namespace;
  }

  /// @return empty: there is none and `optional` says that none is needed
  /// @throws UnusableException if there is none
  Optional<Map<String, byte[]>> configMap(String name, boolean optional) throws UnusableException {
    return read(Resources.CONFIG_MAPS, name, optional)
        .map(object -> {
          var data = new TreeMap<String, byte[]>();
          Json.texts(object.path("data"))
              .forEach((key, text) -> data.put(key, text.getBytes(StandardCharsets.UTF_8)));
          data.putAll(decoded(object.path("binaryData")));
          return data;
        });
  }

  /// @return empty: there is none and `optional` says that none is needed
  /// @throws UnusableException if there is none
  Optional<Map<String, byte[]>> secret(String name, boolean optional) throws UnusableException {
    return read(Resources.SECRETS, name, optional).map(object -> decoded(object.path("data")));
  }

  /// @param kind `ConfigMap` or `Secret`
  UnusableException lacks(String kind, String name, String key) {
    return new UnusableException(
        "couldn't find key %s in %s %s/%s".formatted(key, kind, namespace, name));
  }

  private Optional<JsonNode> read(Resource resource, String name, boolean optional)
      throws UnusableException {
    try {
      return Optional.of(api.get(resource, ObjectKey.of(namespace, name)));
    } catch (ApiException refused) {
      if (refused.isNotFound() && optional) return Optional.empty();
      throw new UnusableException(
          refused.isNotFound()
              ? "%s \"%s\" not found".formatted(resource.kind().toLowerCase(Locale.ROOT), name)
              : "%s \"%s\" cannot be read: %s"
                  .formatted(resource.kind(), name, refused.getMessage()));
    }
  }

  private static Map<String, byte[]> decoded(JsonNode data) {
    var values = new TreeMap<String, byte[]>();
    Json.texts(data).forEach((key, text) -> values.put(key, Base64.getDecoder().decode(text)));
    return values;
  }
}
