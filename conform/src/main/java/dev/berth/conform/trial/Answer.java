package dev.berth.conform.trial;

import com.google.protobuf.Message;
import dev.berth.csi.client.CsiException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;

/// What a driver answered.
///
/// @param message empty unless the code is OK
/// @param words what it said of a refusal
/// @param details whether gRPC's details came with a refusal
public record Answer<A extends Message>(
    Status.Code code, Optional<A> message, String words, boolean details) {
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  static <A extends Message> Answer<A> ok(A message) {
    return new Answer<>(Status.Code.OK, Optional.of(message), "", false);
  }

  static <A extends Message> Answer<A> of(StatusRuntimeException refusal) {
    var told = CsiException.of(refusal);
    var trailers = refusal.getTrailers();
    return new Answer<>(
        told.code(),
        Optional.empty(),
        told.description(),
        trailers != null && trailers.containsKey(DETAILS));
  }

  public boolean ok() {
    return code == Status.Code.OK;
  }

  /// The driver may still be at work: only the same call again can tell (ERR-06).
  public boolean uncertain() {
    return switch (code) {
      case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED -> true;
      default -> false;
    };
  }
}
