package dev.berth.csi.client;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractBlockingStub;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Makes calls through a generated stub: each with its own deadline, each failure a [CsiException].
///
/// @param fresh a stub on a channel that is worth trying
/// @param timeout how long one call may take
record Stubs<S extends AbstractBlockingStub<S>>(Supplier<S> fresh, Duration timeout) {

  <T> T call(Function<S, T> rpc) {
    try {
      return rpc.apply(fresh.get().withDeadlineAfter(timeout));
    } catch (StatusRuntimeException e) {
      throw CsiException.of(e);
    } catch (IllegalStateException e) {
      throw neverBegan(e);
    }
  }

  <T> void stream(Function<S, Iterator<T>> rpc, Consumer<T> each) {
    // Leaving early, by an exception of `each`, must cancel the stream: the context does.
    var context = Context.current().withCancellation();
    try {
      context.run(() -> rpc.apply(fresh.get().withDeadlineAfter(timeout)).forEachRemaining(each));
    } catch (StatusRuntimeException e) {
      throw CsiException.of(e);
    } catch (IllegalStateException e) {
      throw neverBegan(e);
    } finally {
      context.cancel(null);
    }
  }

  /// gRPC throws this at whoever begins a call in the moment in which another thread lets the
  /// channel try anew (GRPC-13). Nothing was sent.
  private static RuntimeException neverBegan(IllegalStateException failure) {
    return "Resolution is pending".equals(failure.getMessage())
        ? new CsiException(
            Status.Code.UNAVAILABLE, "the driver is just being connected to anew", failure)
        : failure;
  }
}
