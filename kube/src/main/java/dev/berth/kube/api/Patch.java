package dev.berth.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.object.Meta;

/// A partial change.
///
/// @param type how `body` is to be read
public record Patch(Type type, JsonNode body) {
  private static final int UNPROCESSABLE = 422;

  /// All that Kubernetes says of a JSON patch that does not apply: it names neither the object nor
  /// the operation. Of an object that is invalid it says in which field.
  private static final String DOES_NOT_APPLY =
      "the server rejected our request due to an error in our request";

  /// Where it says that a patch is for an object of another uid.
  private static final String ANOTHER = "metadata.uid: Invalid value";

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

  /// Takes a finalizer off an object of a built-in kind, wherever it stands among the others: those
  /// who take theirs off at the same moment are in nobody's way, as they would be by their places
  /// in the list. Nothing else is taken for granted but that the object is the one that was seen.
  public static Patch withoutFinalizer(Meta seen, String finalizer) {
    var metadata = JsonNodeFactory.instance.objectNode().put("uid", seen.uid());
    metadata.putArray("$deleteFromPrimitiveList/finalizers").add(finalizer);
    return strategic(JsonNodeFactory.instance.objectNode().set("metadata", metadata));
  }

  /// What a server's refusal of this patch is: a lost race, if the patch tests what it takes for
  /// granted and does not apply, or if the name is another object's by now. For those who implement
  /// [Api].
  public ApiException refused(ApiException refusal) {
    if (refusal.code() != UNPROCESSABLE) return refusal;
    boolean lost =
        tests()
            ? refusal.getMessage().equals(DOES_NOT_APPLY)
            : type == Type.STRATEGIC && refusal.getMessage().contains(ANOTHER);
    return lost ? ApiException.LostRace.refusedTest(refusal) : refusal;
  }

  private boolean tests() {
    if (type != Type.JSON) return false;
    for (var operation : body) if (operation.path("op").asText().equals("test")) return true;
    return false;
  }
}
