package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.custom.rule.CelSource;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.apiserver.core.managed.Form;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One version of a custom kind. Equal only to itself: whoever has made something of it knows by
/// that whether it still holds.
public final class CustomVersion {
  private final Definition definition;
  private final JsonNode version;
  private final Rules rules = new CustomRules(this);
  private volatile @Nullable Structural schema;
  private volatile @Nullable Form form;
  private volatile @Nullable Set<CelSource> sources;

  CustomVersion(Definition definition, JsonNode version) {
    this.definition = definition;
    this.version = version;
  }

  public Definition definition() {
    return definition;
  }

  public Resource resource() {
    return new Resource(
        definition.group(),
        Json.text(version, "name"),
        definition.plural(),
        definition.kind(),
        definition.namespaced());
  }

  public boolean served() {
    return version.path("served").asBoolean();
  }

  /// Whether objects are stored in this version.
  public boolean storage() {
    return version.path("storage").asBoolean();
  }

  public boolean hasStatus() {
    return version.path("subresources").has("status");
  }

  /// Where its objects say how many they are; empty: they are not scaled.
  public Optional<ScalePaths> scale() {
    return ScalePaths.of(version.path("subresources").path("scale"));
  }

  public List<String> subresources() {
    var all = new ArrayList<String>();
    if (hasStatus()) all.add("status");
    if (scale().isPresent()) all.add("scale");
    return all;
  }

  /// What `kubectl get` shows beside the name: `{name, type, jsonPath, …}` each (API-124).
  public List<JsonNode> columns() {
    var columns = new ArrayList<JsonNode>();
    version.path("additionalPrinterColumns").forEach(columns::add);
    return columns;
  }

  /// The fields by which objects may be selected, such as `spec.size` (API-93).
  public List<String> selectableFields() {
    return Json.list(
        version.path("selectableFields"),
        field -> Json.text(field, "jsonPath").replaceFirst("^\\.", ""));
  }

  /// What everybody who uses the version is told; empty: nothing.
  public String deprecation() {
    if (!version.path("deprecated").asBoolean()) return "";
    var resource = resource();
    return Json.optionalText(version, "deprecationWarning")
        .orElse("%s %s is deprecated".formatted(resource.apiVersion(), resource.kind()));
  }

  /// As the definition has it.
  public JsonNode openApi() {
    return version.path("schema").path("openAPIV3Schema");
  }

  public Structural schema() {
    var read = schema;
    if (read == null) {
      read = Structural.root(openApi());
      schema = read;
    }
    return read;
  }

  /// How the parts of its objects are owned.
  public Form form() {
    var read = form;
    if (read == null) {
      read = Forms.ofKind(schema());
      form = read;
    }
    return read;
  }

  /// What has to be compiled before its rules in CEL can be used.
  Set<CelSource> sources() {
    var read = sources;
    if (read == null) {
      read = Set.copyOf(schema().sources());
      sources = read;
    }
    return read;
  }

  public Rules rules() {
    return rules;
  }

  /// With what the text of each object of this version begins.
  public byte[] opening() {
    var resource = resource();
    return "{\"kind\":\"%s\",\"apiVersion\":\"%s\","
        .formatted(resource.kind(), resource.apiVersion())
        .getBytes(StandardCharsets.UTF_8);
  }

  /// An object that was stored in another version, or under an older schema (API-122).
  public ObjectNode show(ObjectNode stored) {
    var shown = stored.deepCopy();
    shown.put("apiVersion", resource().apiVersion());
    Shaping.prune(shown, schema());
    Shaping.setDefaultsThatFit(shown, schema());
    return shown;
  }

  @Override
  public String toString() {
    return resource().apiVersion() + " " + resource().kind();
  }
}
