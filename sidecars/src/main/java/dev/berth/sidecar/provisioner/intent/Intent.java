package dev.berth.sidecar.provisioner.intent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import dev.berth.sidecar.provisioner.topology.Segment;
import dev.berth.sidecar.provisioner.topology.Segments;
import dev.berth.sidecar.source.Source;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// That we have begun to create a volume for a claim, and how: kept in the claim's annotation from
/// before the first call until the volume is saved or finally refused (PROV-191). While it is
/// there, a volume may exist that no PersistentVolume shows.
///
/// @param driver that is to create it
/// @param volume its name, for the driver and of the PersistentVolume
/// @param node selected for the claim at that time; empty: none
/// @param segments what the driver is told of topology; empty: nothing
/// @param source what it is filled from; empty: nothing, or it has not been looked up
/// @param attributes empty: the claim asks for none, or they have not been looked up
/// @param made whether the driver is known to have made it; what, only the driver says: anybody who
///   may write a claim can write this
public record Intent(
    String driver,
    String volume,
    Optional<String> node,
    Recipe recipe,
    Optional<Segments> segments,
    Optional<Source> source,
    Optional<Attributes> attributes,
    boolean made) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// Each is written only by intents that the one before cannot express, so that it reads all
  /// others: 2 has a source or attributes, 3 that it was made.
  private static final int VERSION = 3;

  private static final Set<String> FIELDS =
      Set.of(
          "version",
          "driver",
          "volume",
          "node",
          "class",
          "segments",
          "first",
          "source",
          "attributes",
          "made");
  private static final Set<String> SOURCE_FIELDS = Set.of("kind", "namespace", "name", "handle");
  private static final Set<String> ATTRIBUTES_FIELDS = Set.of("class", "parameters");
  private static final Set<String> CLASS_FIELDS =
      Set.of("name", "uid", "provisioner", "parameters", "mountOptions", "reclaimPolicy");

  /// Of what has not been made yet.
  public Intent(
      String driver,
      String volume,
      Optional<String> node,
      Recipe recipe,
      Optional<Segments> segments,
      Optional<Source> source,
      Optional<Attributes> attributes) {
    this(driver, volume, node, recipe, segments, source, attributes, false);
  }

  /// As [#write] wrote it. Anything else is refused: a request from an intent that is understood in
  /// part would be another request under the same name.
  ///
  /// @throws IllegalArgumentException if a field is not as it should be, with words for a person
  static Intent read(String text) throws JsonProcessingException {
    var tree = MAPPER.readTree(text);
    if (tree.path("version").asInt(1) > VERSION)
      throw new IllegalArgumentException(
          "it is of version %s, later than %d".formatted(tree.path("version").asText(), VERSION));
    var json = object("", tree, FIELDS);
    return new Intent(
        needed(json, "driver"),
        needed(json, "volume"),
        Json.optionalText(json, "node"),
        recipe(object("class", json.path("class"), CLASS_FIELDS)),
        segments(json),
        json.has("source")
            ? Optional.of(source(object("source", json.path("source"), SOURCE_FIELDS)))
            : Optional.empty(),
        json.has("attributes")
            ? Optional.of(
                attributes(object("attributes", json.path("attributes"), ATTRIBUTES_FIELDS)))
            : Optional.empty(),
        json.path("made").asBoolean());
  }

  public Intent with(Source found) {
    return new Intent(driver, volume, node, recipe, segments, Optional.of(found), attributes, made);
  }

  public Intent with(Attributes found) {
    return new Intent(driver, volume, node, recipe, segments, source, Optional.of(found), made);
  }

  /// The driver has made it.
  public Intent asMade() {
    return new Intent(driver, volume, node, recipe, segments, source, attributes, true);
  }

  /// It has gone again, or is about to.
  public Intent asGone() {
    return new Intent(driver, volume, node, recipe, segments, source, attributes, false);
  }

  private static Source source(JsonNode json) {
    var key = ObjectKey.of(needed(json, "namespace"), needed(json, "name"));
    var handle = needed(json, "handle");
    return switch (needed(json, "kind")) {
      case Source.SNAPSHOT_KIND -> new Source.OfSnapshot(key, handle);
      case Source.CLAIM_KIND -> new Source.OfClaim(key, handle);
      case String other ->
          throw new IllegalArgumentException("it has a source of kind %s".formatted(other));
    };
  }

  private static Attributes attributes(JsonNode json) {
    return new Attributes(
        needed(json, "class"), texts("attributes.parameters", json.path("parameters")));
  }

  private static Recipe recipe(JsonNode json) {
    return new Recipe(
        needed(json, "name"),
        needed(json, "uid"),
        needed(json, "provisioner"),
        texts("class.parameters", json.path("parameters")),
        Json.list(array("class.mountOptions", json.path("mountOptions")), JsonNode::asText),
        needed(json, "reclaimPolicy"));
  }

  private static Optional<Segments> segments(JsonNode json) {
    if (!json.has("segments")) return Optional.empty();
    var requisite =
        Json.list(
            array("segments", json.path("segments")),
            segment -> Segment.of(texts("segments", segment)));
    return Optional.of(new Segments(requisite, json.path("first").asInt(-1)));
  }

  private static String needed(JsonNode json, String field) {
    var text = json.path(field);
    if (!text.isTextual() || text.asText().isEmpty())
      throw new IllegalArgumentException("it has no " + field);
    return text.asText();
  }

  private static JsonNode object(String name, JsonNode json, Set<String> fields) {
    if (!json.isObject())
      throw new IllegalArgumentException((name.isEmpty() ? "it" : name) + " is no JSON object");
    json.fieldNames()
        .forEachRemaining(field -> {
          if (!fields.contains(field))
            throw new IllegalArgumentException(
                "it has a field %s that this version does not know".formatted(field));
        });
    return json;
  }

  private static JsonNode array(String name, JsonNode json) {
    if (!json.isArray()) throw new IllegalArgumentException(name + " is no JSON array");
    return json;
  }

  private static Map<String, String> texts(String name, JsonNode json) {
    if (!json.isObject()) throw new IllegalArgumentException(name + " is no JSON object");
    return Json.texts(json);
  }

  /// As it stands in the annotation.
  public String write() {
    var json = JSON.objectNode();
    if (made) json.put("version", VERSION);
    else if (source.isPresent() || attributes.isPresent()) json.put("version", 2);
    json.put("driver", driver).put("volume", volume);
    node.ifPresent(name -> json.put("node", name));
    json.set("class", write(recipe));
    segments.ifPresent(them -> {
      var list = json.putArray("segments");
      them.requisite().forEach(segment -> list.add(texts(segment.pairs())));
      json.put("first", them.first());
    });
    source.ifPresent(it -> json.set("source", write(it)));
    attributes.ifPresent(it ->
        json.putObject("attributes")
            .put("class", it.className())
            .set("parameters", texts(it.parameters())));
    if (made) json.put("made", true);
    return json.toString();
  }

  private static ObjectNode write(Source source) {
    return JSON.objectNode()
        .put(
            "kind",
            switch (source) {
              case Source.OfSnapshot _ -> Source.SNAPSHOT_KIND;
              case Source.OfClaim _ -> Source.CLAIM_KIND;
            })
        .put("namespace", source.key().namespace())
        .put("name", source.key().name())
        .put("handle", source.handle());
  }

  private static ObjectNode write(Recipe recipe) {
    var json =
        JSON.objectNode()
            .put("name", recipe.className())
            .put("uid", recipe.classUid())
            .put("provisioner", recipe.provisioner())
            .put("reclaimPolicy", recipe.reclaimPolicy());
    json.set("parameters", texts(recipe.parameters()));
    ArrayNode options = json.putArray("mountOptions");
    recipe.mountOptions().forEach(options::add);
    return json;
  }

  private static ObjectNode texts(Map<String, String> texts) {
    var json = JSON.objectNode();
    new TreeMap<>(texts).forEach(json::put);
    return json;
  }
}
