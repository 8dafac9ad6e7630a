package dev.berth.csi.socket;

import dev.berth.csi.ErrorWords;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/// Sends no error whose words a client cannot read: with them the code would be lost. Everything is
/// in the server's own log, which is told before this.
final class BoundedWords implements ServerInterceptor {

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return next.startCall(new Bounded<>(call), headers);
  }

  private static final class Bounded<Q, A> extends SimpleForwardingServerCall<Q, A> {
    Bounded(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      var words = status.getDescription();
      super.close(
          words == null ? status : status.withDescription(ErrorWords.bounded(words)), trailers);
    }
  }
}
