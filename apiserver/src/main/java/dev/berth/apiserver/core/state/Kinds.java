package dev.berth.apiserver.core.state;

import dev.berth.apiserver.core.custom.CustomVersion;
import dev.berth.apiserver.core.custom.Definition;
import dev.berth.kube.object.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The kinds that are served at one moment: those of the [Catalog], and the custom ones whose
/// definitions are established. Immutable; a state has others only if a definition has changed.
public final class Kinds {
  private static final Kinds BUILT_IN = new Kinds(Map.of());

  private final Map<String, Definition> definitions;
  private final List<Served> all;
  private final Map<Resource, Served> byResource = new HashMap<>();
  private final Map<String, Served> byPath = new HashMap<>();
  private final Map<String, Resource> byKind = new HashMap<>();
  private final Map<Resource, List<Served>> byStored = new HashMap<>();

  /// @param definitions by their names, established or not
  private Kinds(Map<String, Definition> definitions) {
    this.definitions = definitions;
    var kinds = new ArrayList<>(Catalog.all());
    for (var definition : definitions.values()) {
      var versions = definition.versions();
      versions.stream()
          .filter(CustomVersion::storage)
          .forEach(version -> byResource.put(definition.storedAs(), Served.custom(version)));
      if (definition.established())
        versions.stream().filter(CustomVersion::served).map(Served::custom).forEach(kinds::add);
    }
    this.all = List.copyOf(kinds);
    for (var kind : kinds) {
      byResource.put(kind.resource(), kind);
      byPath.putIfAbsent(path(kind.resource()), kind);
      byStored.computeIfAbsent(kind.storedAs(), _ -> new ArrayList<>()).add(kind);
      byKind.putIfAbsent(
          kind.resource().apiVersion() + "/" + kind.resource().kind(), kind.storedAs());
    }
  }

  /// The kinds that every server has.
  public static Kinds builtIn() {
    return BUILT_IN;
  }

  /// With the custom kinds that `definitions` define.
  public static Kinds of(Collection<Stored> definitions) {
    return BUILT_IN.with(definitions);
  }

  /// What has not changed of a definition is kept, so that who has made something of it need not
  /// make it again.
  Kinds with(Collection<Stored> stored) {
    var next = new TreeMap<String, Definition>();
    for (var each : stored) {
      var name = each.key().name();
      next.put(name, definition(each, Optional.ofNullable(definitions.get(name))));
    }
    return next.isEmpty() ? BUILT_IN : new Kinds(next);
  }

  private static Definition definition(Stored stored, Optional<Definition> before) {
    var object = stored.object();
    return before
        .filter(known -> known.isOf(object))
        .map(known ->
            known.established() == Definition.established(object)
                ? known
                : known.reestablished(object))
        .orElseGet(() -> Definition.of(object, stored.revision()));
  }

  /// All kinds, the built-in ones first.
  public List<Served> all() {
    return all;
  }

  /// The kind under a path of the API.
  ///
  /// @param group empty for the core group
  public Optional<Served> find(String group, String version, String plural) {
    return Optional.ofNullable(byPath.get(path(group, version, plural)));
  }

  /// The kind as it is served, or as it is stored.
  ///
  /// @return empty: we do not serve it
  public Optional<Served> find(Resource resource) {
    return Optional.ofNullable(byResource.get(resource));
  }

  /// The kind, and all others by which the very same objects are served: other versions of it, or
  /// another group.
  public List<Served> sameObjects(Served kind) {
    return Collections.unmodifiableList(byStored.getOrDefault(kind.storedAs(), List.of(kind)));
  }

  /// The kind that somebody names by what stands in its objects.
  ///
  /// @return under which its objects are stored; empty: we do not serve it
  public Optional<Resource> named(String apiVersion, String kind) {
    return Optional.ofNullable(byKind.get(apiVersion + "/" + kind));
  }

  /// Under which the objects of each kind are stored, once for each.
  public Collection<Resource> stored() {
    var stored = new LinkedHashMap<Resource, Boolean>();
    all.forEach(kind -> stored.put(kind.storedAs(), true));
    definitions.values().forEach(definition -> stored.put(definition.storedAs(), true));
    return stored.keySet();
  }

  /// The definition of a custom kind, by `plural.group`.
  public Optional<Definition> definition(String name) {
    return Optional.ofNullable(definitions.get(name));
  }

  /// The definition of the kind whose objects are stored under `resource`.
  public Optional<Definition> definition(Resource resource) {
    return definition(resource.plural() + "." + resource.group())
        .filter(found -> found.storedAs().equals(resource));
  }

  private static String path(Resource resource) {
    return path(resource.group(), resource.version(), resource.plural());
  }

  private static String path(String group, String version, String plural) {
    return group + "/" + version + "/" + plural;
  }
}
