package dev.berth.driver.model;

import io.grpc.Status;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// Why a driver does not do what was asked: one reason for each way in which the caller goes on.
///
/// Its message is shown to users as an event: it names the object and the mend, and holds no
/// secret. Anything else that a driver throws is taken as "may have happened, ask again".
public final class Refusal extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /// What the caller learns from the code.
  public enum Reason {
    /// The request is wrong and will be wrong again; nothing was changed.
    INVALID(Status.Code.INVALID_ARGUMENT),
    /// There is no such volume, snapshot or node.
    NOT_FOUND(Status.Code.NOT_FOUND),
    /// It exists, made or published in another way.
    EXISTS_DIFFERENTLY(Status.Code.ALREADY_EXISTS),
    /// Not in this state: used elsewhere, still published, not staged.
    WRONG_STATE(Status.Code.FAILED_PRECONDITION),
    /// It can never have this size.
    OUT_OF_RANGE(Status.Code.OUT_OF_RANGE),
    /// There is no room for it now or here; there may be later or elsewhere.
    NO_ROOM(Status.Code.RESOURCE_EXHAUSTED),
    /// Another operation on the same object is at work.
    BUSY(Status.Code.ABORTED),
    /// It cannot be said whether it happened, or the back end is away: ask again.
    ASK_AGAIN(Status.Code.UNAVAILABLE),
    /// It failed, and everything is as it was before.
    FAILED(Status.Code.INTERNAL),
    /// This driver cannot do that.
    NOT_SUPPORTED(Status.Code.UNIMPLEMENTED),
    /// The credentials are wrong.
    UNAUTHENTICATED(Status.Code.UNAUTHENTICATED),
    /// The credentials do not allow it.
    FORBIDDEN(Status.Code.PERMISSION_DENIED);

    private final Status.Code code;

    Reason(Status.Code code) {
      this.code = code;
    }

    public Status.Code code() {
      return code;
    }
  }

  private final Reason reason;

  public Refusal(Reason reason, String message) {
    this(reason, message, null);
  }

  public Refusal(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  public static Refusal invalid(String message) {
    return new Refusal(Reason.INVALID, message);
  }

  public static Refusal noSuchVolume(String id) {
    return new Refusal(Reason.NOT_FOUND, "volume " + id + " does not exist");
  }

  public static Refusal noSuchSnapshot(String id) {
    return new Refusal(Reason.NOT_FOUND, "snapshot " + id + " does not exist");
  }

  public static Refusal existsDifferently(String message) {
    return new Refusal(Reason.EXISTS_DIFFERENTLY, message);
  }

  public static Refusal wrongState(String message) {
    return new Refusal(Reason.WRONG_STATE, message);
  }

  public static Refusal outOfRange(String message) {
    return new Refusal(Reason.OUT_OF_RANGE, message);
  }

  public static Refusal noRoom(String message) {
    return new Refusal(Reason.NO_ROOM, message);
  }

  public static Refusal busy(String message) {
    return new Refusal(Reason.BUSY, message);
  }

  public static Refusal askAgain(String message, Throwable cause) {
    return new Refusal(Reason.ASK_AGAIN, message, cause);
  }
}
