package dev.berth.driver.model;

import java.util.Map;

/// A volume made available on a node.
///
/// @param context for the node; the same as long as the publication lasts, holds no secret
public record Publication(
    String nodeId, Usage usage, boolean readOnly, Map<String, String> context) {
  public Publication {
    context = Map.copyOf(context);
  }
}
