package dev.berth.sidecar.provisioner;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.model.Annotations;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Json;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// That we have begun to create a volume for a claim, and how: kept in the claim's annotation from
/// before the first call until the volume is saved or finally refused (PROV-191). While it is
/// there, a volume may exist that no PersistentVolume shows.
///
/// @param driver that is to create it
/// @param volume its name, for the driver and of the PersistentVolume
/// @param node selected for the claim at that time; empty: none
/// @param segments what the driver is told of topology; empty: nothing
record Intent(
    String driver,
    String volume,
    Optional<String> node,
    Recipe recipe,
    Optional<Segments> segments) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// What the claim says; empty if it says nothing, or nothing that we can read.
  static Optional<Intent> of(Claim claim) {
    return claim.meta().annotation(Annotations.PROVISIONING_INTENT).flatMap(Intent::read);
  }

  private static Optional<Intent> read(String text) {
    try {
      var json = MAPPER.readTree(text);
      return Optional.of(
          new Intent(
              Json.text(json, "driver"),
              Json.text(json, "volume"),
              Json.optionalText(json, "node"),
              recipe(json.path("class")),
              segments(json)));
    } catch (JsonProcessingException | IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  private static Recipe recipe(JsonNode json) {
    return new Recipe(
        Json.text(json, "name"),
        Json.text(json, "uid"),
        Json.text(json, "provisioner"),
        Json.texts(json.path("parameters")),
        Json.list(json.path("mountOptions"), JsonNode::asText),
        Json.text(json, "reclaimPolicy"));
  }

  private static Optional<Segments> segments(JsonNode json) {
    if (!json.has("segments")) return Optional.empty();
    var requisite = Json.list(json.path("segments"), segment -> Segment.of(Json.texts(segment)));
    return Optional.of(new Segments(requisite, json.path("first").asInt()));
  }

  /// As it stands in the annotation.
  String write() {
    var json = JSON.objectNode().put("driver", driver).put("volume", volume);
    node.ifPresent(name -> json.put("node", name));
    json.set("class", write(recipe));
    segments.ifPresent(them -> {
      var list = json.putArray("segments");
      them.requisite().forEach(segment -> list.add(texts(segment.pairs())));
      json.put("first", them.first());
    });
    return json.toString();
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
