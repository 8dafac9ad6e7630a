package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;

/// A VolumeAttributesClass, as far as anybody here decides about it.
public record AttributesClass(Meta meta) implements KubeObject {
  static AttributesClass of(JsonNode object) {
    return new AttributesClass(Meta.of(object));
  }

  public Ref ref() {
    return Ref.of(Resources.ATTRIBUTES_CLASSES, meta);
  }
}
