package dev.berth.apiserver.core.kind.storage;

import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.kind.Rules;
import java.util.List;

/// VolumeAttributesClasses (API-104).
public final class AttributesClassRules implements Rules {
  @Override
  public void check(Field attributes) {
    VolumeSources.checkDriverName(attributes.at("driverName"));
    var parameters = attributes.at("parameters");
    if (parameters.isEmpty()) parameters.required("must contain at least one key/value pair");
    else StorageClassRules.checkParameters(parameters);
  }

  @Override
  public void checkChange(Field attributes, Field stored) {
    for (var field : List.of("driverName", "parameters"))
      if (!attributes.at(field).same(stored.at(field)))
        attributes.at(field).forbidden("updates to " + field + " are forbidden.");
  }
}
