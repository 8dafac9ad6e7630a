package dev.berth.apiserver.http.about;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.BodyKind;
import dev.berth.apiserver.core.state.Catalog;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Served;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Tells clients what is served, in the form of the day (aggregated, API-33) and in the old one
/// (API-35).
final class Discovery {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private static final int HASH_BYTES = 8;

  /// By group and then by version, those that clients should prefer first.
  private final Map<String, Map<String, List<Served>>> groups = new LinkedHashMap<>();

  Discovery(Kinds kinds) {
    for (var served : Stream.concat(kinds.all().stream(), Catalog.reviews().stream()).toList()) {
      var resource = served.resource();
      groups
          .computeIfAbsent(resource.group(), _ -> new TreeMap<>(VersionOrder.PREFERRED_FIRST))
          .computeIfAbsent(resource.version(), _ -> new ArrayList<>())
          .add(served);
    }
  }

  /// A part of an object that has an address of its own.
  ///
  /// @param kind of the body
  private record Subresource(
      String name, String group, String version, String kind, List<String> verbs) {}

  /// `APIGroupDiscoveryList` of the core group.
  ObjectNode aggregatedCore() {
    return aggregated(List.of(""));
  }

  /// `APIGroupDiscoveryList` of all other groups.
  ObjectNode aggregatedGroups() {
    return aggregated(namedGroups());
  }

  private List<String> namedGroups() {
    return groups.keySet().stream().filter(group -> !group.isEmpty()).toList();
  }

  private ObjectNode aggregated(List<String> names) {
    var list = NODES.objectNode();
    list.put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
    list.putObject("metadata");
    var items = list.putArray("items");
    for (var name : names) {
      var item = items.addObject();
      var metadata = item.putObject("metadata");
      if (!name.isEmpty()) metadata.put("name", name);
      metadata.putNull("creationTimestamp");
      var versions = item.putArray("versions");
      versionsOf(name)
          .forEach((version, kinds) -> aggregated(version, kinds, versions.addObject()));
    }
    return list;
  }

  private static void aggregated(String version, List<Served> kinds, ObjectNode to) {
    var resources = to.put("version", version).putArray("resources");
    for (var served : kinds) aggregated(served, resources.addObject());
    to.put("freshness", "Current");
  }

  private static void aggregated(Served served, ObjectNode to) {
    var resource = served.resource();
    to.put("resource", resource.plural());
    kind(to, resource.group(), resource.version(), resource.kind());
    to.put("scope", resource.namespaced() ? "Namespaced" : "Cluster");
    to.put("singularResource", served.singular());
    verbs(served).forEach(to.putArray("verbs")::add);
    if (!served.shortNames().isEmpty()) served.shortNames().forEach(to.putArray("shortNames")::add);
    if (!served.categories().isEmpty()) served.categories().forEach(to.putArray("categories")::add);
    var subresources = subresources(served);
    if (subresources.isEmpty()) return;
    var array = to.putArray("subresources");
    for (var subresource : subresources) {
      var each = array.addObject().put("subresource", subresource.name());
      kind(each, subresource.group(), subresource.version(), subresource.kind());
      subresource.verbs().forEach(each.putArray("verbs")::add);
    }
  }

  private static List<String> verbs(Served served) {
    return Catalog.reviews().contains(served) ? List.of("create") : VERBS;
  }

  private static void kind(ObjectNode to, String group, String version, String kind) {
    to.putObject("responseKind").put("group", group).put("version", version).put("kind", kind);
  }

  /// `/api`.
  ObjectNode versions() {
    var versions = NODES.objectNode();
    versions.put("kind", "APIVersions");
    versions.putArray("versions").add("v1");
    versions.putArray("serverAddressByClientCIDRs");
    return versions;
  }

  /// `/apis`.
  ObjectNode groupList() {
    var list = NODES.objectNode();
    list.put("kind", "APIGroupList").put("apiVersion", "v1");
    var array = list.putArray("groups");
    namedGroups().forEach(name -> array.add(describe(name)));
    return list;
  }

  /// `/apis/<group>`.
  Optional<ObjectNode> group(String name) {
    if (name.isEmpty() || !groups.containsKey(name)) return Optional.empty();
    var group = NODES.objectNode();
    group.put("kind", "APIGroup").put("apiVersion", "v1");
    return Optional.of(group.setAll(describe(name)));
  }

  private ObjectNode describe(String name) {
    var group = NODES.objectNode().put("name", name);
    var versions = group.putArray("versions");
    for (var version : versionsOf(name).keySet()) version(versions.addObject(), name, version);
    version(group.putObject("preferredVersion"), name, versionsOf(name).keySet().iterator().next());
    return group;
  }

  private static void version(ObjectNode to, String group, String version) {
    to.put("groupVersion", group + "/" + version).put("version", version);
  }

  /// `/api/v1` and `/apis/<group>/<version>`.
  Optional<ObjectNode> resources(String group, String version) {
    var kinds = versionsOf(group).get(version);
    if (kinds == null) return Optional.empty();
    var list = NODES.objectNode();
    list.put("kind", "APIResourceList");
    if (!group.isEmpty()) list.put("apiVersion", "v1");
    list.put("groupVersion", group.isEmpty() ? version : group + "/" + version);
    var resources = list.putArray("resources");
    for (var served : kinds) {
      var resource = served.resource();
      resource(
          resources, served, resource.plural(), served.singular(), resource.kind(), verbs(served));
      var told = (ObjectNode) resources.get(resources.size() - 1);
      shortcuts(served, told);
      // Nobody stores reviews.
      if (!Catalog.reviews().contains(served))
        told.put("storageVersionHash", storageVersionHash(served));
      for (var subresource : subresources(served)) {
        var name = resource.plural() + "/" + subresource.name();
        resource(resources, served, name, "", subresource.kind(), subresource.verbs());
        foreign(subresource, resource, (ObjectNode) resources.get(resources.size() - 1));
      }
    }
    return Optional.of(list);
  }

  private static void resource(
      ArrayNode to, Served served, String name, String singular, String kind, List<String> verbs) {
    var resource =
        to.addObject()
            .put("name", name)
            .put("singularName", singular)
            .put("namespaced", served.resource().namespaced())
            .put("kind", kind);
    verbs.forEach(resource.putArray("verbs")::add);
  }

  /// As upstream's: the same for what is stored alike, whichever version shows it.
  private static String storageVersionHash(Served served) {
    var stored = served.storedAs();
    var version =
        served.custom().map(it -> it.definition().storageVersion()).orElse(stored.version());
    var text = stored.group() + "/" + version + "/" + stored.kind();
    try {
      var digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, HASH_BYTES));
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException("every JDK has SHA-256", never);
    }
  }

  private static void shortcuts(Served served, ObjectNode resource) {
    if (!served.shortNames().isEmpty())
      served.shortNames().forEach(resource.putArray("shortNames")::add);
    if (!served.categories().isEmpty())
      served.categories().forEach(resource.putArray("categories")::add);
  }

  /// Says so if a subresource's body belongs to another group than its resource.
  private static void foreign(Subresource subresource, Resource resource, ObjectNode to) {
    if (!subresource.group().equals(resource.group()))
      to.put("group", subresource.group()).put("version", subresource.version());
  }

  private static List<Subresource> subresources(Served served) {
    var resource = served.resource();
    var subresources = new ArrayList<Subresource>();
    for (var name : served.subresources())
      subresources.add(
          switch (name) {
            case "binding", "eviction", "token" -> part(resource, name, "create");
            case "scale" -> part(resource, name, "get", "patch", "update");
            case "finalize" -> part(resource, name, "update");
            default -> part(resource, name, "get", "patch", "update");
          });
    if (resource.equals(Resources.PODS)) {
      subresources.add(part(resource, "log", "get"));
      for (var stream : List.of("exec", "attach", "portforward"))
        subresources.add(part(resource, stream, "create", "get"));
    }
    return subresources;
  }

  private static Subresource part(Resource resource, String name, String... verbs) {
    var body = BodyKind.of(resource, name);
    return new Subresource(name, body.group(), body.version(), body.kind(), List.of(verbs));
  }

  /// Whether a group is served.
  boolean has(String group) {
    return groups.containsKey(group);
  }

  private Map<String, List<Served>> versionsOf(String group) {
    return groups.getOrDefault(group, Map.of());
  }
}
