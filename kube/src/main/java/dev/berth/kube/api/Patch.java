package dev.berth.kube.api;

import com.fasterxml.jackson.databind.JsonNode;

/// A partial change.
///
/// @param type how `body` is to be read
public record Patch(Type type, JsonNode body) {
  private static final int UNPROCESSABLE = 422;

  /// All that Kubernetes says of a JSON patch that does not apply: it names neither the object nor
  /// the operation. Of an object that is invalid it says in which field.
  private static final String DOES_NOT_APPLY =
      "the server rejected our request due to an error in our request";

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

  /// What a server's refusal of this patch is: a lost race, if the patch tests what it takes for
  /// granted and does not apply. For those who implement [Api].
  public ApiException refused(ApiException refusal) {
    return tests() && refusal.code() == UNPROCESSABLE && refusal.getMessage().equals(DOES_NOT_APPLY)
        ? ApiException.LostRace.refusedTest(refusal)
        : refusal;
  }

  private boolean tests() {
    if (type != Type.JSON) return false;
    for (var operation : body) if (operation.path("op").asText().equals("test")) return true;
    return false;
  }
}
