package dev.berth.apiserver.core.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.List;

/// What a stored CustomResourceDefinition says. Its schemas are read when somebody needs them.
public final class Definition {
  /// Stands where a version would: objects of all versions are stored alike.
  private static final String EVERY_VERSION = "*";

  private final JsonNode spec;
  private final boolean established;
  private final long since;
  private final List<CustomVersion> versions;

  private Definition(JsonNode spec, boolean established, long since) {
    this.spec = spec;
    this.established = established;
    this.since = since;
    var all = new ArrayList<CustomVersion>();
    for (var version : spec.path("versions")) all.add(new CustomVersion(this, version));
    this.versions = List.copyOf(all);
  }

  /// @param since revision at which it became what it is, or a later one
  public static Definition of(ObjectNode object, long since) {
    return new Definition(object.path("spec"), established(object), since);
  }

  /// The same at a moment at which its condition has changed.
  public Definition reestablished(ObjectNode object) {
    return new Definition(spec, established(object), since);
  }

  /// Whether `object` says the same of its kind.
  public boolean isOf(ObjectNode object) {
    return object.path("spec").equals(spec);
  }

  /// Whether a definition's kind is served (API-125).
  public static boolean established(JsonNode object) {
    for (var condition : object.path("status").path("conditions"))
      if (Json.text(condition, "type").equals("Established"))
        return Json.text(condition, "status").equals("True");
    return false;
  }

  public boolean established() {
    return established;
  }

  /// Objects that were written after this revision are as its schemas want them.
  public long since() {
    return since;
  }

  public String group() {
    return Json.text(spec, "group");
  }

  public boolean namespaced() {
    return Json.text(spec, "scope").equals("Namespaced");
  }

  public String plural() {
    return Json.text(names(), "plural");
  }

  public String kind() {
    return Json.text(names(), "kind");
  }

  public String singular() {
    return Json.text(names(), "singular");
  }

  /// `CakeList`.
  public String listKind() {
    return Json.text(names(), "listKind");
  }

  public List<String> shortNames() {
    return Json.list(names().path("shortNames"), JsonNode::asText);
  }

  public List<String> categories() {
    return Json.list(names().path("categories"), JsonNode::asText);
  }

  private JsonNode names() {
    return spec.path("names");
  }

  /// The version that is marked as the one in which objects are stored.
  public String storageVersion() {
    for (var version : spec.path("versions"))
      if (version.path("storage").asBoolean()) return Json.text(version, "name");
    return "";
  }

  public List<CustomVersion> versions() {
    return versions;
  }

  /// Under which the objects of all its versions are stored.
  public Resource storedAs() {
    return new Resource(group(), EVERY_VERSION, plural(), kind(), namespaced());
  }

  @Override
  public String toString() {
    return plural() + "." + group();
  }
}
