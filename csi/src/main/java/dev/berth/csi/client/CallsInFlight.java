package dev.berth.csi.client;

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

/// Counts the calls that are on their way.
final class CallsInFlight implements ClientInterceptor {
  private int calls;

  private synchronized void begun() {
    calls++;
  }

  private synchronized void ended() {
    calls--;
    notifyAll();
  }

  /// Waits until none is on its way, at most for `patience`.
  synchronized void awaitNone(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    for (long left = patience.toNanos(); calls > 0 && left > 0; left = end - System.nanoTime())
      wait(left / 1_000_000, (int) (left % 1_000_000));
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void start(Listener<A> listener, Metadata headers) {
        begun();
        boolean started = false;
        try {
          super.start(new Ending<>(listener), headers);
          started = true;
        } finally {
          if (!started) ended();
        }
      }
    };
  }

  private final class Ending<A> extends SimpleForwardingClientCallListener<A> {
    Ending(ClientCall.Listener<A> listener) {
      super(listener);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      try {
        super.onClose(status, trailers);
      } finally {
        ended();
      }
    }
  }
}
