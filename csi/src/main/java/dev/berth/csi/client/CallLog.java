package dev.berth.csi.client;

import com.google.protobuf.Message;
import dev.berth.csi.GoCode;
import dev.berth.csi.Redaction;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells each call and its answer at debug level, redacted.
final class CallLog implements ClientInterceptor {
  private static final Logger log = LoggerFactory.getLogger(CallLog.class);

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    var call = next.newCall(method, options);
    return log.isDebugEnabled() ? new Told<>(method.getFullMethodName(), call) : call;
  }

  private static final class Told<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final String method;

    Told(String method, ClientCall<Q, A> call) {
      super(call);
      this.method = method;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      super.start(new ToldAnswer<>(method, listener), headers);
    }

    @Override
    public void sendMessage(Q request) {
      log.debug("{} asked {}", method, told(request));
      super.sendMessage(request);
    }
  }

  private static final class ToldAnswer<A> extends SimpleForwardingClientCallListener<A> {
    private final String method;

    ToldAnswer(String method, ClientCall.Listener<A> listener) {
      super(listener);
      this.method = method;
    }

    @Override
    public void onMessage(A answer) {
      log.debug("{} answered {}", method, told(answer));
      super.onMessage(answer);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (!status.isOk())
        log.debug("{} failed: {} {}", method, GoCode.of(status.getCode()), status.getDescription());
      super.onClose(status, trailers);
    }
  }

  private static Object told(Object message) {
    return message instanceof Message generated ? Redaction.of(generated) : message;
  }
}
