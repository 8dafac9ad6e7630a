package dev.berth.apiserver.core.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.custom.CustomVersion;
import dev.berth.apiserver.core.custom.ScalePaths;
import dev.berth.apiserver.core.kind.Conversion;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.managed.BuiltIn;
import dev.berth.apiserver.core.managed.Form;
import dev.berth.kube.object.Resource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A kind of object that we serve, as discovery describes it, and its rules.
///
/// @param storedAs under which its objects are stored: the versions of a custom kind are one
/// @param singular such as `persistentvolume`
/// @param shortNames such as `pv`
/// @param categories such as `all`
/// @param subresources `status`, `binding`, …: those that the core answers
/// @param custom of a custom kind: the version that this is; empty: the kind is built in
/// @param conversion of a built-in kind whose objects are stored as another: from that and to it
public record Served(
    Resource resource,
    Resource storedAs,
    String singular,
    List<String> shortNames,
    List<String> categories,
    List<String> subresources,
    Rules rules,
    Optional<CustomVersion> custom,
    Optional<Conversion> conversion) {
  /// Where every built-in kind says how many pods there shall be, and are.
  private static final Optional<ScalePaths> BUILT_IN_SCALE =
      ScalePaths.of(
          JsonNodeFactory.instance
              .objectNode()
              .put("specReplicasPath", ".spec.replicas")
              .put("statusReplicasPath", ".status.replicas")
              .put("labelSelectorPath", ".spec.selector"));

  public Served {
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
    subresources = List.copyOf(subresources);
  }

  /// A kind that every server has.
  public static Served builtIn(Resource resource, Rules rules) {
    return new Served(
        resource,
        resource,
        resource.kind().toLowerCase(Locale.ROOT),
        List.of(),
        List.of(),
        List.of(),
        rules,
        Optional.empty(),
        Optional.empty());
  }

  static Served custom(CustomVersion version) {
    var definition = version.definition();
    return new Served(
        version.resource(),
        definition.storedAs(),
        definition.singular(),
        definition.shortNames(),
        definition.categories(),
        version.subresources(),
        version.rules(),
        Optional.of(version),
        Optional.empty());
  }

  /// `PersistentVolumeList`.
  public String listKind() {
    return custom
        .map(version -> version.definition().listKind())
        .orElseGet(() -> resource.kind() + "List");
  }

  /// Where its objects say how many they are; empty: they are not scaled.
  public Optional<ScalePaths> scale() {
    if (custom.isPresent()) return custom.flatMap(CustomVersion::scale);
    return subresources.contains("scale") ? BUILT_IN_SCALE : Optional.empty();
  }

  public boolean hasStatus() {
    return subresources.contains("status");
  }

  /// A stored object as this version of its kind shows it.
  public Stored show(Stored stored) {
    if (conversion.isPresent()) {
      var shown = conversion.get().show(stored.object());
      return Stored.of(stored.key(), stored.created(), stored.revision(), shown);
    }
    if (custom.isEmpty()) return stored;
    var version = custom.get();
    boolean asStored =
        stored.revision() > version.definition().since() && stored.begins(version.opening());
    if (asStored) return stored;
    var shown = version.show(stored.object());
    return Stored.of(stored.key(), stored.created(), stored.revision(), shown);
  }

  /// An object of this kind as it is stored.
  public ObjectNode store(ObjectNode object) {
    return conversion.map(each -> each.store(object)).orElse(object);
  }

  /// An object of this kind as another kind has it by which the same objects are served.
  public ObjectNode as(Served other, ObjectNode object) {
    if (resource.equals(other.resource)) return object;
    var stored = store(object);
    var shown = other.conversion.map(each -> each.show(stored)).orElse(stored);
    return shown
        .deepCopy()
        .put("apiVersion", other.resource.apiVersion())
        .put("kind", other.resource.kind());
  }

  /// How the parts of its objects are owned.
  public Form form() {
    return custom.map(CustomVersion::form).orElseGet(() -> BuiltIn.of(resource));
  }

  /// The schema of a custom kind as its definition has it.
  public Optional<JsonNode> customSchema() {
    return custom.map(CustomVersion::openApi);
  }

  Served storedAs(Resource other, Conversion how) {
    return new Served(
        resource,
        other,
        singular,
        shortNames,
        categories,
        subresources,
        rules,
        custom,
        Optional.of(how));
  }

  Served ruledBy(Rules rules) {
    return new Served(
        resource,
        storedAs,
        singular,
        shortNames,
        categories,
        subresources,
        rules,
        custom,
        conversion);
  }

  Served shortNames(String... names) {
    return new Served(
        resource,
        storedAs,
        singular,
        List.of(names),
        categories,
        subresources,
        rules,
        custom,
        conversion);
  }

  Served categories(String... names) {
    return new Served(
        resource,
        storedAs,
        singular,
        shortNames,
        List.of(names),
        subresources,
        rules,
        custom,
        conversion);
  }

  Served subresources(String... names) {
    return new Served(
        resource,
        storedAs,
        singular,
        shortNames,
        categories,
        List.of(names),
        rules,
        custom,
        conversion);
  }
}
