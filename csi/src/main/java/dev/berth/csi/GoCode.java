package dev.berth.csi;

import io.grpc.Status;

/// How Go spells gRPC's codes: what upstream's events, conditions and metrics say.
public final class GoCode {

  /// `NotFound` for `NOT_FOUND`, as in `rpc error: code = NotFound desc = …` and in the label
  /// `grpc_status_code`.
  public static String of(Status.Code code) {
    return switch (code) {
      case OK -> "OK";
      case CANCELLED -> "Canceled";
      case UNKNOWN -> "Unknown";
      case INVALID_ARGUMENT -> "InvalidArgument";
      case DEADLINE_EXCEEDED -> "DeadlineExceeded";
      case NOT_FOUND -> "NotFound";
      case ALREADY_EXISTS -> "AlreadyExists";
      case PERMISSION_DENIED -> "PermissionDenied";
      case RESOURCE_EXHAUSTED -> "ResourceExhausted";
      case FAILED_PRECONDITION -> "FailedPrecondition";
      case ABORTED -> "Aborted";
      case OUT_OF_RANGE -> "OutOfRange";
      case UNIMPLEMENTED -> "Unimplemented";
      case INTERNAL -> "Internal";
      case UNAVAILABLE -> "Unavailable";
      case DATA_LOSS -> "DataLoss";
      case UNAUTHENTICATED -> "Unauthenticated";
    };
  }

  private GoCode() {}
}
