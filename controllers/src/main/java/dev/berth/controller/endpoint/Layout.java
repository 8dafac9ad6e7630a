package dev.berth.controller.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.workload.Texts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which endpoints go into which slice of a family: those with the same ports together, and each
/// stays where it is, so that little is written and little is read anew.
///
/// @param pages what the slices are to hold
/// @param surplus slices that nothing is left for
record Layout(List<Page> pages, List<Slice> surplus) {
  /// So many in one slice, as upstream.
  static final int MOST = 100;

  /// What one slice is to hold.
  ///
  /// @param slice empty: it is still to be made
  record Page(Optional<Slice> slice, JsonNode ports, List<JsonNode> endpoints) {
    ArrayNode list() {
      return JsonNodeFactory.instance.arrayNode().addAll(endpoints);
    }
  }

  /// @param slices all of the family
  static Layout of(List<Endpoint> endpoints, List<Slice> slices) {
    var byPorts = new LinkedHashMap<String, List<Endpoint>>();
    for (var each : endpoints)
      byPorts.computeIfAbsent(Texts.canonical(each.ports()), _ -> new ArrayList<>()).add(each);
    var pages = new ArrayList<Page>();
    for (var group : byPorts.entrySet())
      pages.addAll(
          pages(
              group.getValue(),
              slices.stream()
                  .filter(slice -> Texts.canonical(slice.ports()).equals(group.getKey()))
                  .toList()));
    // One says that there is nobody.
    if (pages.isEmpty())
      pages.add(new Page(Optional.empty(), JsonNodeFactory.instance.arrayNode(), List.of()));
    var spare = new ArrayList<>(slices);
    for (var page : pages) page.slice().ifPresent(spare::remove);
    pages.replaceAll(page ->
        page.slice().isPresent() || spare.isEmpty()
            ? page
            : new Page(Optional.of(spare.removeFirst()), page.ports(), page.endpoints()));
    return new Layout(List.copyOf(pages), List.copyOf(spare));
  }

  /// @param slices those with these ports
  private static List<Page> pages(List<Endpoint> endpoints, List<Slice> slices) {
    var missing = new LinkedHashMap<String, JsonNode>();
    endpoints.forEach(each -> missing.put(each.uid(), each.form()));
    var pages = new ArrayList<Page>();
    for (var slice : slices) {
      var held = new ArrayList<JsonNode>();
      var uids = new HashSet<>(Endpoint.uids(slice.endpoints()).toList());
      for (var each : endpoints)
        if (uids.contains(each.uid()) && held.size() < MOST && missing.remove(each.uid()) != null)
          held.add(each.form());
      if (!held.isEmpty())
        pages.add(new Page(Optional.of(slice), endpoints.getFirst().ports(), held));
    }
    for (var page : pages) fill(page.endpoints(), missing);
    while (!missing.isEmpty()) {
      var held = new ArrayList<JsonNode>();
      fill(held, missing);
      pages.add(new Page(Optional.empty(), endpoints.getFirst().ports(), held));
    }
    return pages;
  }

  private static void fill(List<JsonNode> held, Map<String, JsonNode> missing) {
    var rest = missing.entrySet().iterator();
    while (rest.hasNext() && held.size() < MOST) {
      held.add(rest.next().getValue());
      rest.remove();
    }
  }
}
