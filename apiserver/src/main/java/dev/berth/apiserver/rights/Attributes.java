package dev.berth.apiserver.rights;

import dev.berth.apiserver.core.select.FieldTerm;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What somebody wants to do, as a request's method and path say it, whether we serve that or not.
///
/// @param verb such as `list`; for a path that is no resource's, the method in lower case
/// @param group empty: the core group
/// @param resource plural; empty: the path is no resource's
/// @param subresource empty: the object itself
/// @param namespace empty: all of them, or of a kind without
/// @param name empty: none in particular
/// @param path decoded, without dots or empty parts; empty: nobody asked by one
/// @param node the only node whose pods are asked for; empty: any
public record Attributes(
    String verb,
    String group,
    String version,
    String resource,
    String subresource,
    String namespace,
    String name,
    String path,
    String node) {
  private static final Set<String> NAMESPACE_PARTS = Set.of("status", "finalize");

  /// What is to be done with a resource.
  public static Attributes of(
      String verb,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name) {
    return new Attributes(verb, group, "*", resource, subresource, namespace, name, "", "");
  }

  /// What is to be done with a path that is no resource's.
  public static Attributes ofPath(String verb, String path) {
    return new Attributes(verb, "", "", "", "", "", "", path, "");
  }

  /// What a request wants.
  ///
  /// @param segments of its path, decoded
  /// @param path the same, whole
  /// @param watch whether its query asks for a watch
  /// @param fields its field selector
  public static Attributes of(
      String method, List<String> segments, String path, boolean watch, String fields) {
    var lower = method.toLowerCase(Locale.ROOT);
    int prefix =
        switch (segments.getFirst()) {
          case "api" -> 2;
          case "apis" -> 3;
          case String _ -> Integer.MAX_VALUE;
        };
    if (segments.size() <= prefix) return ofPath(lower, path);
    var group = prefix == 2 ? "" : segments.get(1);
    var rest = segments.subList(prefix, segments.size());
    boolean legacyWatch = rest.getFirst().equals("watch") && rest.size() > 1;
    if (legacyWatch) rest = rest.subList(1, rest.size());
    var namespace = "";
    if (rest.getFirst().equals("namespaces") && rest.size() > 1) {
      namespace = rest.get(1);
      boolean part = group.isEmpty() && rest.size() > 2 && NAMESPACE_PARTS.contains(rest.get(2));
      if (rest.size() > 2 && !part) rest = rest.subList(2, rest.size());
    }
    var name = rest.size() > 1 ? rest.get(1) : "";
    var verb = legacyWatch ? "watch" : verb(method, name.isEmpty(), watch);
    boolean several = name.isEmpty() && !verb.equals("create");
    return new Attributes(
        verb,
        group,
        segments.get(prefix - 1),
        rest.getFirst(),
        rest.size() > 2 ? rest.get(2) : "",
        namespace,
        several ? FieldTerm.only(fields, "metadata.name") : name,
        path,
        several ? FieldTerm.only(fields, "spec.nodeName") : "");
  }

  private static String verb(String method, boolean collection, boolean watch) {
    return switch (method) {
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> collection ? "deletecollection" : "delete";
      case "GET", "HEAD" -> collection ? watch ? "watch" : "list" : "get";
      default -> "";
    };
  }

  public boolean isResource() {
    return !resource.isEmpty();
  }

  /// `pods/log`.
  public String wholeResource() {
    return subresource.isEmpty() ? resource : resource + "/" + subresource;
  }

  /// Whether nothing is changed by it.
  public boolean readsOnly() {
    return Set.of("get", "list", "watch", "head").contains(verb);
  }

  /// What `user` may not do, in upstream's words (API-28).
  public String refusedTo(User user) {
    if (!isResource())
      return "User \"%s\" cannot %s path \"%s\"".formatted(user.name(), verb, path);
    var where =
        namespace.isEmpty() ? "at the cluster scope" : "in the namespace \"" + namespace + "\"";
    return "User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
        .formatted(user.name(), verb, wholeResource(), group, where);
  }
}
