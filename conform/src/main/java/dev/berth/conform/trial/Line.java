package dev.berth.conform.trial;

import com.google.protobuf.Message;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.ProbeRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// The connections to a driver: node calls on one, all others on the other.
public final class Line implements AutoCloseable {
  private final CsiConnection controller;
  private final CsiConnection node;
  private final Map<String, String> secrets;
  private final Duration timeout;

  /// Opening does no I/O.
  public Line(Settings settings) {
    this.controller = CsiConnection.open(settings.sockets().controller());
    this.node = CsiConnection.open(settings.sockets().node());
    this.secrets = settings.maps().secrets();
    this.timeout = settings.timeout();
  }

  /// Whether somebody answers.
  public boolean isServed() {
    return send(Rpcs.PROBE, ProbeRequest.getDefaultInstance()).code() != Status.Code.UNAVAILABLE;
  }

  /// Whether somebody answers again before long.
  public boolean comesBack() {
    return Patience.RESTART.repeat(() -> send(Rpcs.PROBE, ProbeRequest.getDefaultInstance())).code()
        != Status.Code.UNAVAILABLE;
  }

  /// Makes a call and waits for its answer.
  public <Q extends Message, A extends Message> Answer<A> send(
      MethodDescriptor<Q, A> rpc, Q request) {
    return send(rpc, request, timeout);
  }

  /// Makes a call and waits for its answer for `patience` at most.
  <Q extends Message, A extends Message> Answer<A> send(
      MethodDescriptor<Q, A> rpc, Q request, Duration patience) {
    try {
      return Answer.ok(
          ClientCalls.blockingUnaryCall(channel(rpc), rpc, within(patience), withSecrets(request)));
    } catch (StatusRuntimeException refusal) {
      return Answer.of(refusal);
    }
  }

  /// Makes a call and does not wait.
  <Q extends Message, A extends Message> Future<A> begin(MethodDescriptor<Q, A> rpc, Q request) {
    return ClientCalls.futureUnaryCall(
        channel(rpc).newCall(rpc, within(timeout)), withSecrets(request));
  }

  /// Reads a stream to its end.
  public <Q extends Message, A extends Message> Streamed<A> read(
      MethodDescriptor<Q, A> rpc, Q request) {
    var messages = new ArrayList<A>();
    try {
      ClientCalls.blockingServerStreamingCall(
              channel(rpc), rpc, within(timeout), withSecrets(request))
          .forEachRemaining(messages::add);
      return new Streamed<>(messages, new Answer<>(Status.Code.OK, Optional.empty(), "", false));
    } catch (StatusRuntimeException refusal) {
      return new Streamed<>(messages, Answer.of(refusal));
    }
  }

  /// What a stream brought.
  ///
  /// @param end how it ended
  public record Streamed<A extends Message>(List<A> messages, Answer<A> end) {}

  /// The request with the secrets that the driver's author gave, if it takes some.
  @SuppressWarnings("unchecked") // the builder of a message builds that message
  private <Q extends Message> Q withSecrets(Q request) {
    var field = request.getDescriptorForType().findFieldByName("secrets");
    if (field == null || secrets.isEmpty()) return request;
    var builder = request.toBuilder();
    secrets.forEach((key, value) -> {
      var entry = builder.newBuilderForField(field);
      var parts = entry.getDescriptorForType().getFields();
      builder.addRepeatedField(
          field, entry.setField(parts.get(0), key).setField(parts.get(1), value).build());
    });
    return (Q) builder.build();
  }

  private CallOptions within(Duration patience) {
    return CallOptions.DEFAULT.withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  private Channel channel(MethodDescriptor<?, ?> rpc) {
    return ("csi.v1.Node".equals(rpc.getServiceName()) ? node : controller).channel();
  }

  @Override
  public void close() {
    controller.close();
    node.close();
  }
}
