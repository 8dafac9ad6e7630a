package dev.berth.kube.api;

import com.fasterxml.jackson.databind.JsonNode;

/// A partial change.
///
/// @param type how `body` is to be read
public record Patch(Type type, JsonNode body) {
  public enum Type {
    JSON("application/json-patch+json"),
    MERGE("application/merge-patch+json"),
    STRATEGIC("application/strategic-merge-patch+json"),
    APPLY("application/apply-patch+yaml");

    private final String contentType;

    Type(String contentType) {
      this.contentType = contentType;
    }

    public String contentType() {
      return contentType;
    }
  }

  public static Patch json(JsonNode operations) {
    return new Patch(Type.JSON, operations);
  }

  public static Patch merge(JsonNode body) {
    return new Patch(Type.MERGE, body);
  }

  public static Patch strategic(JsonNode body) {
    return new Patch(Type.STRATEGIC, body);
  }
}
