package dev.berth.apiserver.http.exchange;

import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Served;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Names a collection of objects, one of them, or a subresource of it.
///
/// @param kind as it is served under that path
/// @param namespace empty: of a kind without namespaces, or all of them
/// @param name empty: the collection
/// @param subresource empty: the object itself
/// @param watch whether the path itself asks for a watch, as old clients do
public record ResourcePath(
    Served kind, String namespace, String name, String subresource, boolean watch) {

  /// What a path names.
  ///
  /// @param segments of the path, decoded, such as `[api, v1, namespaces, default, pods]`
  /// @return empty: we serve nothing there
  public static Optional<ResourcePath> parse(List<String> segments, Kinds kinds) {
    int version = segments.getFirst().equals("api") ? 1 : 2;
    if (segments.size() <= version + 1) return Optional.empty();
    var group = version == 1 ? "" : segments.get(1);
    var rest = new ArrayList<>(segments.subList(version + 1, segments.size()));
    boolean watch = rest.size() > 1 && rest.getFirst().equals("watch");
    if (watch) rest.removeFirst();
    return parse(kinds, group, segments.get(version), rest, watch);
  }

  private static Optional<ResourcePath> parse(
      Kinds kinds, String group, String version, List<String> rest, boolean watch) {
    boolean within =
        rest.size() > 2 && rest.getFirst().equals("namespaces") && !ofNamespace(group, rest);
    var namespace = within ? rest.get(1) : "";
    var own = within ? rest.subList(2, rest.size()) : rest;
    if (own.size() > 3 || own.stream().anyMatch(String::isEmpty)) return Optional.empty();
    return kinds
        .find(group, version, own.getFirst())
        .filter(served -> served.resource().namespaced() || !within)
        .map(served ->
            new ResourcePath(
                served,
                namespace,
                own.size() > 1 ? own.get(1) : "",
                own.size() > 2 ? own.get(2) : "",
                watch))
        .filter(path -> path.name.isEmpty() || within == path.resource().namespaced());
  }

  /// Whether `namespaces/x/y` is a subresource of a namespace and not a collection in it.
  private static boolean ofNamespace(String group, List<String> rest) {
    return group.isEmpty()
        && rest.size() == 3
        && Kinds.builtIn()
            .find(Resources.NAMESPACES)
            .orElseThrow()
            .subresources()
            .contains(rest.get(2));
  }

  public Resource resource() {
    return kind.resource();
  }

  public ObjectKey key() {
    return ObjectKey.of(namespace, name);
  }

  public boolean collection() {
    return name.isEmpty();
  }
}
