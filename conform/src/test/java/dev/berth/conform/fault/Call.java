package dev.berth.conform.fault;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A call on its way to the driver.
///
/// @param driver the right one
/// @param folder where its pool lies, for faults that meddle with what is on disk
record Call(MethodDescriptor<Message, Message> rpc, Message request, Channel driver, Path folder) {

  /// What the driver says to it: one message, or those of a stream.
  List<Message> pass() {
    return pass(request);
  }

  /// What the driver says to another request.
  List<Message> pass(Message other) {
    if (rpc.getType().serverSendsOneMessage())
      return List.of(ClientCalls.blockingUnaryCall(driver, rpc, CallOptions.DEFAULT, other));
    var messages = new ArrayList<Message>();
    ClientCalls.blockingServerStreamingCall(driver, rpc, CallOptions.DEFAULT, other)
        .forEachRemaining(messages::add);
    return messages;
  }

  /// An answer that says nothing.
  List<Message> empty() {
    return List.of(rpc.parseResponse(InputStream.nullInputStream()));
  }
}
