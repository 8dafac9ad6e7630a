package dev.berth.apiserver.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

/// Objects as tests write them down.
final class Yaml {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private Yaml() {}

  static ObjectNode object(String text) {
    try {
      return (ObjectNode) YAML.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
