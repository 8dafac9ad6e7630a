package dev.berth.csi.client;

import dev.berth.csi.ErrorWords;
import dev.berth.csi.GoCode;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;

/// Lets a failure be certain only if the driver itself has said it. gRPC makes up codes for answers
/// that it cannot read, INTERNAL, UNKNOWN and RESOURCE_EXHAUSTED among them; from a driver these
/// mean that nothing is running, and an object would be forgotten that is there (ERR-06). What the
/// driver did say keeps its code, with words of a bounded length.
final class AnswerCheck implements ClientInterceptor {

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    var ending = new Ending();
    var traced =
        options.withStreamTracerFactory(
            new ClientStreamTracer.Factory() {
              @Override
              public ClientStreamTracer newClientStreamTracer(
                  ClientStreamTracer.StreamInfo info, Metadata headers) {
                return ending;
              }
            });
    return new SimpleForwardingClientCall<>(next.newCall(method, traced)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        var wantsMessage = method.getType().serverSendsOneMessage();
        super.start(new Checked<>(listener, ending, wantsMessage), headers);
      }
    };
  }

  /// Sees whether the driver has ended the call itself.
  private static final class Ending extends ClientStreamTracer {
    private volatile boolean driverDid;

    @Override
    public void inboundTrailers(Metadata trailers) {
      driverDid = true;
    }
  }

  private static final class Checked<A> extends SimpleForwardingClientCallListener<A> {
    private final Ending ending;
    private boolean wantsMessage;

    Checked(ClientCall.Listener<A> listener, Ending ending, boolean wantsMessage) {
      super(listener);
      this.ending = ending;
      this.wantsMessage = wantsMessage;
    }

    @Override
    public void onMessage(A message) {
      wantsMessage = false;
      super.onMessage(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      super.onClose(checked(status), trailers);
    }

    private Status checked(Status status) {
      if (status.isOk()) return wantsMessage ? inDoubt(status, "OK, but no message") : status;
      var words = status.getDescription() == null ? "" : status.getDescription();
      return ending.driverDid
          ? status.withDescription(ErrorWords.bounded(words))
          : switch (status.getCode()) {
            case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, ABORTED -> status;
            default -> inDoubt(status, GoCode.of(status.getCode()) + ": " + words);
          };
    }

    private static Status inDoubt(Status status, String words) {
      return Status.UNAVAILABLE
          .withDescription("no readable answer, it may have happened: " + words)
          .withCause(status.getCause());
    }
  }
}
