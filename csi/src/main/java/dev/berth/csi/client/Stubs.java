package dev.berth.csi.client;

import io.grpc.Context;
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
    }
  }

  <T> void stream(Function<S, Iterator<T>> rpc, Consumer<T> each) {
    // Leaving early, by an exception of `each`, must cancel the stream: the context does.
    var context = Context.current().withCancellation();
    try {
      context.run(() -> rpc.apply(fresh.get().withDeadlineAfter(timeout)).forEachRemaining(each));
    } catch (StatusRuntimeException e) {
      throw CsiException.of(e);
    } finally {
      context.cancel(null);
    }
  }
}
