package dev.berth.kube.api;

import java.util.Objects;

/// The API server refused a request; what it said, in its own words.
public class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int code;
  private final String reason;

  /// What the server answered.
  ///
  /// @param code HTTP status code
  /// @param reason Kubernetes' reason, such as `NotFound`; empty if the server gave none
  /// @param message the server's message
  public ApiException(int code, String reason, String message) {
    super(message);
    this.code = code;
    this.reason = reason;
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

  public boolean isNotFound() {
    return code == 404;
  }

  public boolean isAlreadyExists() {
    return code == 409 && reason.equals("AlreadyExists");
  }

  /// Somebody else wrote first: look again.
  public boolean isConflict() {
    return code == 409 && !isAlreadyExists();
  }

  /// History is gone: list again.
  public boolean isExpired() {
    return code == 410;
  }

  /// Nobody answered: the request may or may not have been carried out.
  public static final class Unreachable extends ApiException {
    private static final long serialVersionUID = 1;

    public Unreachable(String message, Throwable cause) {
      super(0, "", message);
      initCause(cause);
    }
  }
}
