package dev.berth.node.identity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.model.Node;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.value.Json;
import java.util.Map;
import java.util.TreeMap;

/// The annotation of a Node that names it in each driver's words: a JSON object (NCSN-04).
final class NodeIds {
  private static final ObjectMapper json = new ObjectMapper();

  private NodeIds() {}

  /// By driver; empty if the annotation is missing or is no JSON object.
  static Map<String, String> of(Node node) {
    return parse(node.meta().annotation(Annotations.CSI_NODE_ID).orElse("{}"));
  }

  static Map<String, String> parse(String annotation) {
    try {
      return Json.texts(json.readTree(annotation));
    } catch (JsonProcessingException broken) {
      return Map.of(); // written anew with the next driver
    }
  }

  static String text(Map<String, String> ids) {
    return json.valueToTree(new TreeMap<>(ids)).toString();
  }
}
