package dev.berth.driver.serve;

import com.google.protobuf.Message;
import dev.berth.csi.GoCode;
import dev.berth.csi.Redaction;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells and counts every call (PRA-01): failures and changes at level info, looks at debug, each
/// on one line with its duration, and the request without its secrets. At trace the answers too.
public final class CallLog implements ServerInterceptor {
  private static final Logger log = LoggerFactory.getLogger("dev.berth.driver.calls");
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final String driverName;
  private final CallMetrics metrics;

  public CallLog(String driverName, CallMetrics metrics) {
    this.driverName = driverName;
    this.metrics = metrics;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    var told = new Told<>(call);
    return new SimpleForwardingServerCallListener<>(next.startCall(told, headers)) {
      @Override
      public void onMessage(Q message) {
        told.request = message;
        super.onMessage(message);
      }
    };
  }

  private final class Told<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private final long number = NUMBERS.incrementAndGet();
    private final long start = System.nanoTime();
    private volatile @Nullable Object request;

    Told(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public void sendMessage(A answer) {
      if (log.isTraceEnabled())
        offEventLoop(() -> log.trace("{} #{} answers {}", method(), number, redacted(answer)));
      super.sendMessage(answer);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      var took = Duration.ofNanos(System.nanoTime() - start);
      metrics.observe(
          driverName, "/" + getMethodDescriptor().getFullMethodName(), status.getCode(), took);
      if (log.isDebugEnabled() || !status.isOk() || changes(method()))
        offEventLoop(() -> tell(status, took));
      super.close(status, trailers);
    }

    private void tell(Status status, Duration took) {
      if (!status.isOk())
        log.info(
            "{} #{} {} in {} ms: {} request={}",
            method(),
            number,
            GoCode.of(status.getCode()),
            took.toMillis(),
            Fields.line(status.getDescription()),
            redacted(request));
      else if (changes(method()))
        log.info(
            "{} #{} OK in {} ms request={}", method(), number, took.toMillis(), redacted(request));
      else
        log.debug(
            "{} #{} OK in {} ms request={}", method(), number, took.toMillis(), redacted(request));
    }

    private String method() {
      return String.valueOf(getMethodDescriptor().getBareMethodName());
    }
  }

  /// What is answered from memory is answered on the thread that moves all calls' bytes: it must
  /// not wait until somebody reads standard error.
  private static void offEventLoop(Runnable line) {
    if (Thread.currentThread().isVirtual()) line.run();
    else Thread.ofVirtual().name("call-log").start(line);
  }

  private static Object redacted(@Nullable Object message) {
    return message instanceof Message generated ? Redaction.of(generated) : "none";
  }

  private static boolean changes(String method) {
    return !(method.contains("Get")
        || method.startsWith("List")
        || method.startsWith("Validate")
        || method.equals("Probe"));
  }
}
