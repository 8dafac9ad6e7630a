package dev.berth.csi.client;

import dev.berth.csi.GoCode;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.io.Serial;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A CSI call failed: with the driver's answer, or because there was none.
///
/// Its message has the form that Go programs show and that Kubernetes' events and conditions
/// therefore carry: `rpc error: code = NotFound desc = volume v-1 is unknown`.
public final class CsiException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /// How our gRPC says that a deadline has passed: with the nanoseconds that it took, so that no
  /// two are alike and events of them could not be counted as one.
  private static final Pattern LATE =
      Pattern.compile(
          "(ClientCall started after )?(CallOptions|Context) deadline (was )?exceeded .*",
          Pattern.DOTALL);

  private final Status.Code code;
  private final String description;

  /// @param description what went wrong, for people; without secrets, without the code
  public CsiException(Status.Code code, String description) {
    this(code, description, null);
  }

  public CsiException(Status.Code code, String description, @Nullable Throwable cause) {
    super("rpc error: code = " + GoCode.of(code) + " desc = " + description, cause);
    this.code = code;
    this.description = description;
  }

  /// What a generated blocking stub threw, in our words.
  public static CsiException of(StatusRuntimeException failure) {
    return of(failure.getStatus(), failure);
  }

  public static CsiException of(StatusException failure) {
    return of(failure.getStatus(), failure);
  }

  private static CsiException of(Status status, Throwable cause) {
    var description = status.getDescription() == null ? "" : status.getDescription();
    // In Go's words, which users know from events and conditions.
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED && LATE.matcher(description).matches())
      description = "context deadline exceeded";
    var reason = status.getCause();
    // A lost connection says only "io exception"; its cause says which socket and why.
    if (reason != null && reason.getMessage() != null && !description.contains(reason.getMessage()))
      description =
          description.isEmpty() ? reason.getMessage() : description + ": " + reason.getMessage();
    // Made here, not by the driver: the connection went before the call was on its way or answered.
    // As UNKNOWN it would count as certainly not running (ERR-06).
    var lost = status.getCode() == Status.Code.UNKNOWN && reason instanceof ClosedChannelException;
    return new CsiException(lost ? Status.Code.UNAVAILABLE : status.getCode(), description, cause);
  }

  /// Code and description, as Go shows them.
  @Override
  public String getMessage() {
    return Objects.requireNonNullElse(super.getMessage(), "");
  }

  public Status.Code code() {
    return code;
  }

  /// The driver's own words, without the code.
  public String description() {
    return description;
  }

  /// The driver may still be at work, or have done the work: only the same call again can tell
  /// (ERR-06). Every other code means that nothing is running and the call changed nothing that its
  /// negation would not find.
  public boolean uncertain() {
    return switch (code) {
      case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED -> true;
      default -> false;
    };
  }

  /// Like [#uncertain], and RESOURCE_EXHAUSTED too: how attacher, resizer, snapshotter and kubelet
  /// see it. The provisioner takes lack of space as a final answer (ERR-06).
  public boolean uncertainOrExhausted() {
    return uncertain() || code == Status.Code.RESOURCE_EXHAUSTED;
  }
}
