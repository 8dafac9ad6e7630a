package dev.berth.sidecar.provisioner;

import java.util.Map;

/// What a volume is created with beside its class: a VolumeAttributesClass, as it was when the
/// volume was begun (PROV-38).
///
/// @param parameters sent to the driver as they are
record Attributes(String className, Map<String, String> parameters) {
  Attributes {
    parameters = Map.copyOf(parameters);
  }
}
