package dev.berth.kube.api;

import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.Objects;

/// The API server refused a request; what it said, in its own words. Callers switch on the type:
/// [LostRace] and [Unreachable] stand apart, since whoever meets them looks again.
public class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int CONFLICT = 409;

  private final int code;
  private final String reason;
  private final transient Details details;

  /// What the server answered, without a word about which object it means.
  ///
  /// @param code HTTP status code
  /// @param reason Kubernetes' reason, such as `NotFound`; empty if the server gave none
  /// @param message the server's message
  public ApiException(int code, String reason, String message) {
    this(code, reason, message, Details.NONE);
  }

  private ApiException(int code, String reason, String message, Details details) {
    super(message);
    if (code == CONFLICT && !(this instanceof LostRace))
      throw new IllegalArgumentException("a conflict is a LostRace: " + message);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  /// What the server answered, as the case that it is.
  ///
  /// @param details which object it means
  public static ApiException of(int code, String reason, String message, Details details) {
    return code == CONFLICT
        ? new LostRace(code, reason, message, details)
        : new ApiException(code, reason, message, details);
  }

  /// Which object a refusal is about, as `status.details` has it. Texts are empty where the server
  /// says nothing.
  ///
  /// @param kind the plural resource, or the Kind: servers have it either way
  public record Details(String group, String kind, String name) {
    public static final Details NONE = new Details("", "", "");

    /// Whether an object of this resource may be meant.
    public boolean names(Resource resource) {
      return group.equals(resource.group())
          && (kind.equals(resource.plural()) || kind.equals(resource.kind()));
    }
  }

  /// The server's words.
  @Override
  public String getMessage() {
    return Objects.requireNonNullElse(super.getMessage(), "");
  }

  public int code() {
    return code;
  }

  public String reason() {
    return reason;
  }

  public Details details() {
    return details;
  }

  /// The server says that something that the request names is not there: the object, its namespace,
  /// its kind, a subresource. [#saysGone] tells the first from the others. Whoever does not give
  /// Kubernetes' reason is no API server, and nothing is known to be gone.
  public boolean isNotFound() {
    return code == 404 && reason.equals("NotFound");
  }

  /// Whether the server says of this very object that it is not there.
  public boolean saysGone(Resource resource, ObjectKey key) {
    return isNotFound() && details.names(resource) && details.name.equals(key.name());
  }

  /// History is gone: list again.
  public boolean isExpired() {
    return code == 410;
  }

  /// Somebody else was first, and nothing was written: the object is not as the request takes it to
  /// be (a conflict, a refused `test` of a JSON patch, a failed precondition of a deletion), or the
  /// name is taken. Look again and decide anew. Behind [dev.berth.kube.cache.Caches#api] the caches
  /// have the winner's object when this is thrown.
  public static final class LostRace extends ApiException {
    private static final long serialVersionUID = 1;

    /// A race that was found lost without the server's saying so.
    ///
    /// @param message what is otherwise than was thought, as a sentence
    public LostRace(String message) {
      this(CONFLICT, "Conflict", message, Details.NONE);
    }

    private LostRace(int code, String reason, String message, Details details) {
      super(code, reason, message, details);
    }

    /// A JSON patch was refused by one of its tests.
    static LostRace refusedTest(ApiException refused) {
      var lost =
          new LostRace(
              refused.code(),
              refused.reason(),
              "it is no longer as the patch takes it to be: " + refused.getMessage(),
              refused.details());
      lost.initCause(refused);
      return lost;
    }

    /// Whether it was for a name: another object has it.
    public boolean nameTaken() {
      return reason().equals("AlreadyExists");
    }
  }

  /// Nobody answered who is known for an API server: the request may or may not have been carried
  /// out.
  public static class Unreachable extends ApiException {
    private static final long serialVersionUID = 1;

    public Unreachable(String message, Throwable cause) {
      super(0, "", message);
      initCause(cause);
    }
  }
}
