package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Map;

/// A VolumeAttributesClass.
///
/// @param driver the only one whose volumes may be given it
/// @param parameters what it means, for the driver only; never changed
public record AttributesClass(Meta meta, String driver, Map<String, String> parameters)
    implements KubeObject {
  public AttributesClass {
    parameters = Map.copyOf(parameters);
  }

  static AttributesClass of(JsonNode object) {
    return new AttributesClass(
        Meta.of(object), Json.text(object, "driverName"), Json.texts(object.path("parameters")));
  }

  public Ref ref() {
    return Ref.of(Resources.ATTRIBUTES_CLASSES, meta);
  }
}
