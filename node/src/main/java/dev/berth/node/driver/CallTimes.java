package dev.berth.node.driver;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;

/// Hears how long drivers take to answer.
@FunctionalInterface
public interface CallTimes {
  /// To whom nobody listens.
  CallTimes UNHEARD = (_, _, _, _) -> {};

  /// @param method its full name, such as `csi.v1.Node/NodeStageVolume`
  void answered(String driver, String method, Status.Code code, Duration took);

  /// Of all calls to one driver.
  default ClientInterceptor of(String driver) {
    return new ClientInterceptor() {
      @Override
      public <Q, A> ClientCall<Q, A> interceptCall(
          MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
          @Override
          public void start(Listener<A> listener, Metadata headers) {
            long began = System.nanoTime();
            super.start(
                new SimpleForwardingClientCallListener<A>(listener) {
                  @Override
                  public void onClose(Status status, Metadata trailers) {
                    var took = Duration.ofNanos(System.nanoTime() - began);
                    answered(driver, method.getFullMethodName(), status.getCode(), took);
                    super.onClose(status, trailers);
                  }
                },
                headers);
          }
        };
      }
    };
  }
}
