package dev.berth.driver.model;

import io.grpc.Status;
import java.io.Serial;
import java.util.regex.Pattern;
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

  private static final Pattern WORD = Pattern.compile("[a-z0-9]+([-/][a-z0-9]+)*");

  private final Reason reason;
  private final String word;

  public Refusal(Reason reason, String message) {
    this(reason, message, null);
  }

  public Refusal(Reason reason, String message, @Nullable Throwable cause) {
    this(reason, "", message, cause);
  }

  private Refusal(Reason reason, String word, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.word = word;
  }

  /// The same, with a word that stays while numbers and names in the message change, such as
  /// `disk/pool-full`: it is told before the message, so that events can be grouped by it (ERR-14).
  public Refusal as(String word) {
    if (!WORD.matcher(word).matches())
      throw new IllegalArgumentException(
          "%s: use lower-case letters and digits, joined by '-' and '/'".formatted(word));
    var named = new Refusal(reason, word, String.valueOf(super.getMessage()), getCause());
    named.setStackTrace(getStackTrace());
    return named;
  }

  /// For people: `[disk/pool-full] 4096 bytes do not fit, …`, or the message alone.
  public String words() {
    var message = String.valueOf(getMessage());
    return word.isEmpty() ? message : "[%s] %s".formatted(word, message);
  }

  /// What is told from then on, to another caller: the same, and this was the cause.
  public Refusal again() {
    return new Refusal(reason, word, String.valueOf(getMessage()), this);
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
