package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Resource;
import java.util.Map;
import java.util.function.Supplier;

/// Asks about kinds, of which a server may lack some. It answers with a page then, as a load
/// balancer does that has lost its servers: what is not there by such a page alone is not gone.
record Served(Connection connection) {
  private static final int NOT_FOUND = 404;

  JsonNode get(Resource resource, String path, Map<String, String> query) {
    return of(resource, () -> connection.send("GET", path, query));
  }

  JsonNode send(Resource resource, String method, String path, String contentType, JsonNode body) {
    return of(resource, () -> connection.send(method, path, contentType, body));
  }

  Api.Watch watch(Resource resource, String path, Map<String, String> query, Api.Watcher watcher) {
    return of(resource, () -> connection.watch(path, query, watcher));
  }

  private <T> T of(Resource resource, Supplier<T> question) {
    try {
      return question.get();
    } catch (StrangersPage page) {
      if (!isLacking(resource, page)) throw page;
      var told = // client-go's words
          new ApiException(
              NOT_FOUND, "NotFound", "the server could not find the requested resource");
      told.initCause(page);
      throw told;
    }
  }

  private boolean isLacking(Resource resource, StrangersPage page) {
    try {
      return new Discovery(connection).lacks(resource);
    } catch (ApiException untold) {
      page.addSuppressed(untold);
      return false;
    }
  }
}
