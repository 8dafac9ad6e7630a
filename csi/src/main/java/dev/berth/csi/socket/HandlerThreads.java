package dev.berth.csi.socket;

import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives every handler a virtual thread of its own once its request is there as a whole. All else
/// of a call happens on the thread that moves its bytes, and so without waking another one: gRPC's
/// own executor is woken three times for a call, which takes longer than most answers.
///
/// Only for methods with one request, as all of CSI's are: of those, gRPC calls handlers when the
/// request has ended. It may tell them meanwhile, from the other thread, that their caller has
/// gone. The handler goes on then; [#drain] waits for it (UDS-12, CON-04).
final class HandlerThreads implements ServerInterceptor {
  private static final Logger log = LoggerFactory.getLogger(HandlerThreads.class);

  private final Set<MethodDescriptor<?, ?>> atOnce;
  private int running; // handlers with a thread; guarded by this

  /// @param atOnce methods whose handlers never block: they take no thread
  HandlerThreads(Set<MethodDescriptor<?, ?>> atOnce) {
    this.atOnce = Set.copyOf(atOnce);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    var method = call.getMethodDescriptor();
    if (!method.getType().clientSendsOneMessage())
      throw new IllegalStateException(method.getFullMethodName() + " takes a stream");
    var listener = next.startCall(call, headers);
    if (atOnce.contains(method)) return listener;
    return new SimpleForwardingServerCallListener<>(listener) {
      @Override
      public void onHalfClose() {
        begin();
        Thread.ofVirtual().name("csi-call").start(Context.current().wrap(this::handle));
      }

      private void handle() {
        try {
          super.onHalfClose();
        } catch (RuntimeException | Error e) {
          log.warn("{} failed", method.getFullMethodName(), e);
          fail();
        } finally {
          end();
        }
      }

      /// What the handler has done is not known: the code has to say so (ERR-07, UDS-11).
      private void fail() {
        try {
          call.close(
              Status.UNAVAILABLE.withDescription("the handler failed; ask again"), new Metadata());
        } catch (IllegalStateException closed) {
          log.debug("{} had been answered", method.getFullMethodName(), closed);
        }
      }
    };
  }

  private synchronized void begin() {
    running++;
  }

  private synchronized void end() {
    running--;
    notifyAll();
  }

  /// Waits until no handler runs any more, also of those whose callers have gone: gRPC forgets
  /// these. Only useful once no more calls come.
  ///
  /// @return how many still run when `nanos` have passed
  synchronized int drain(long nanos) throws InterruptedException {
    var end = System.nanoTime() + nanos;
    while (running > 0) {
      var left = end - System.nanoTime();
      if (left <= 0) break;
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return running;
  }
}
