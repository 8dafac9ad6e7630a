package dev.berth.sidecar.connection;

import dev.berth.kube.lease.Deposed;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.util.function.BooleanSupplier;

/// Lets calls of a driver begin only as long as somebody leads: what was decided on before the
/// Lease was lost, and waited for its turn, is not done any more (ONE-19).
public record LeaderOnly(BooleanSupplier leads) implements ClientInterceptor {
  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    if (!leads.getAsBoolean()) throw new Deposed(method.getFullMethodName());
    return next.newCall(method, options);
  }
}
