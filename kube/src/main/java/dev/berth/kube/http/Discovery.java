package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.util.Map;

/// Which kinds a server says that it serves. A path of an unknown kind is answered with 404, but so
/// is every path by a load balancer that has lost its servers: only who tells what there is can say
/// what there is not.
final class Discovery {
  private static final int FORBIDDEN = 403;

  private final Connection connection;

  Discovery(Connection connection) {
    this.connection = connection;
  }

  /// Whether the server says that it does not serve the kind.
  ///
  /// @throws ApiException if nobody says anything of it
  boolean lacks(Resource resource) {
    boolean core = resource.group().isEmpty();
    try {
      var path = (core ? "/api/" : "/apis/") + resource.apiVersion();
      return !names(told(path, "APIResourceList", "resources"), "name", resource.plural());
    } catch (StrangersPage unknown) {
      if (core) throw unknown;
    } catch (ApiException refused) {
      if (isServersOwn(refused)) return true; // it hides what there is, and knows the kind's paths
      if (!refused.isNotFound() || core) throw refused;
    }
    for (var group : told("/apis", "APIGroupList", "groups"))
      if (Json.text(group, "name").equals(resource.group()))
        return !names(group.path("versions"), "groupVersion", resource.apiVersion());
    return true;
  }

  private static boolean isServersOwn(ApiException refused) {
    return refused.code() == FORBIDDEN && refused.reason().equals("Forbidden");
  }

  private JsonNode told(String path, String kind, String field) {
    var answer = connection.send("GET", path, Map.of());
    var told = answer.path(field);
    if (!Json.text(answer, "kind").equals(kind) || !told.isArray())
      throw noAnswer("what is at " + path + " is no " + kind);
    return told;
  }

  private static boolean names(JsonNode all, String field, String name) {
    for (var each : all) if (Json.text(each, field).equals(name)) return true;
    return false;
  }

  /// The objects in an answer to a list.
  ///
  /// @throws ApiException.Unreachable if it is none: no object may be taken for gone then
  static Iterable<JsonNode> items(String path, JsonNode page) {
    var items = page.path("items");
    var meta = page.path("metadata");
    // Go writes null for a list that was never filled.
    boolean listed = items.isArray() || items.isNull();
    boolean placed = !Json.text(meta, "resourceVersion").isEmpty();
    if (!listed || !(placed || !Json.text(meta, "continue").isEmpty()))
      throw noAnswer("what is at " + path + " is no list");
    return items;
  }

  private static ApiException noAnswer(String why) {
    return new ApiException.Unreachable(why, new IOException(why));
  }
}
