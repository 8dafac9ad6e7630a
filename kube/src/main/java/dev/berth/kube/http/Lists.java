package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api.Listed;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// Lists, page by page (ONE-14).
record Lists(Served served) {
  /// Objects in one answer; the rest is asked for after it.
  private static final int PAGE = 500;

  /// Everything of a kind, each object read before the next page is asked for.
  <T> Listed<T> all(
      Resource resource, String namespace, Selector selector, Function<ObjectNode, T> read) {
    var items = new ArrayList<T>();
    var next = "";
    boolean inPages = true;
    while (true) {
      var query = query(selector);
      if (inPages) query.put("limit", Integer.toString(PAGE));
      if (!next.isEmpty()) query.put("continue", next);
      JsonNode page;
      try {
        page = served.get(resource, resource.path(namespace), query);
      } catch (ApiException refused) {
        if (!refused.isExpired() || next.isEmpty()) throw refused;
        items.clear(); // it took too long, and would again: all at once, as client-go does
        next = "";
        inPages = false;
        continue;
      }
      for (var item : Discovery.items(resource.path(namespace), page))
        items.add(read.apply(typed(resource, item)));
      next = Json.text(page.path("metadata"), "continue");
      if (next.isEmpty())
        return new Listed<>(Json.text(page.path("metadata"), "resourceVersion"), items);
    }
  }

  Optional<String> newestVersion(Resource resource, String namespace, Selector selector) {
    var query = query(selector);
    query.put("limit", "1");
    var first = served.get(resource, resource.path(namespace), query);
    return Json.optionalText(first.path("metadata"), "resourceVersion");
  }

  /// What selects objects, in a map of the caller's own.
  static Map<String, String> query(Selector selector) {
    var query = new TreeMap<String, String>();
    if (!selector.labels().isEmpty()) query.put("labelSelector", selector.labels());
    if (!selector.fields().isEmpty()) query.put("fieldSelector", selector.fields());
    return query;
  }

  /// Servers leave apiVersion and kind out of the items of a list.
  private static ObjectNode typed(Resource resource, JsonNode item) {
    var object = (ObjectNode) item;
    if (!object.has("kind"))
      object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    return object;
  }
}
