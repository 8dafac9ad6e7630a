package dev.berth.node.runtime.cri;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.Serial;

/// The engine has refused a call, or did not answer.
public final class CriException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final Status.Code code;

  CriException(StatusRuntimeException answer, String what) {
    super(
        "%s: %s"
            .formatted(
                what,
                answer.getStatus().getDescription() == null
                    ? answer.getStatus().getCode()
                    : answer.getStatus().getDescription()),
        answer);
    this.code = answer.getStatus().getCode();
  }

  Status.Code code() {
    return code;
  }

  boolean notFound() {
    return code == Status.Code.NOT_FOUND;
  }
}
