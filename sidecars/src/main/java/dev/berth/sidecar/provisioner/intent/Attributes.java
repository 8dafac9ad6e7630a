package dev.berth.sidecar.provisioner.intent;

import java.util.Map;

/// What a volume is created with beside its class: a VolumeAttributesClass, as it was when the
/// volume was begun (PROV-38).
///
/// @param parameters sent to the driver as they are
public record Attributes(String className, Map<String, String> parameters) {
  public Attributes {
    parameters = Map.copyOf(parameters);
  }
}
