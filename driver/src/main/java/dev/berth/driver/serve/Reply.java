package dev.berth.driver.serve;

import com.google.protobuf.Message;
import dev.berth.csi.Redaction;
import dev.berth.driver.model.Refusal;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystemException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The way out of every call: the answer, or a status with words and without secrets.
final class Reply {
  private static final Logger log = LoggerFactory.getLogger(Reply.class);

  /// What an unforeseen end of a call leaves in doubt.
  enum Effect {
    /// Nothing: the call only looks.
    LOOKS,
    /// Whether it happened: the caller has to ask again, and must not forget the object (ERR-07).
    CHANGES
  }

  /// What answers a request.
  interface Answer<Q, A> {
    A to(Q request) throws IOException;
  }

  /// Answers a call that only looks.
  static <Q extends Message, A extends Message> void look(
      Q request, StreamObserver<A> caller, Answer<Q, A> answer) {
    to(caller, request, Effect.LOOKS, answer);
  }

  /// Answers a call that changes something.
  static <Q extends Message, A extends Message> void change(
      Q request, StreamObserver<A> caller, Answer<Q, A> answer) {
    to(caller, request, Effect.CHANGES, answer);
  }

  private static <Q extends Message, A extends Message> void to(
      StreamObserver<A> caller, Q request, Effect effect, Answer<Q, A> answer) {
    // A caller who has gone must not make onNext throw: the work is done all the same (CON-04).
    if (caller instanceof ServerCallStreamObserver<A> call) call.setOnCancelHandler(() -> {});
    A message;
    try {
      message = answer.to(request);
      // gRPC encodes behind our back, and calls a failure INTERNAL: what was done would be
      // forgotten.
      if (effect == Effect.CHANGES) {
        var _ = message.toByteString();
      }
    } catch (IOException | RuntimeException | Error e) {
      caller.onError(status(e, request, effect).asRuntimeException());
      return;
    }
    try {
      caller.onNext(message);
    } catch (RuntimeException | Error e) {
      caller.onError(status(e, request, effect).asRuntimeException());
      return;
    }
    caller.onCompleted();
  }

  static Status status(Throwable failure, Message request, Effect effect) {
    var redaction = Redaction.of(request);
    if (failure instanceof Refusal refusal)
      return Status.fromCode(refusal.reason().code())
          .withDescription(redaction.clean(refusal.words()));
    var words = redaction.clean(words(failure));
    log.warn("{} failed unexpectedly: {}", request.getDescriptorForType().getName(), words);
    if (log.isDebugEnabled()) log.debug("where it failed: {}", redaction.clean(trace(failure)));
    return switch (effect) {
      case LOOKS -> Status.INTERNAL.withDescription(words);
      case CHANGES ->
          Status.UNAVAILABLE.withDescription(words + "; it may have happened, ask again");
    };
  }

  /// As a logger would print it: messages and causes are not ours, and may repeat what they got.
  private static String trace(Throwable failure) {
    var text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static String words(Throwable failure) {
    var message = failure.getMessage();
    if (message == null || message.isBlank()) return failure.getClass().getSimpleName();
    // The JDK's own message is only the path: the type says what is wrong with it.
    return failure instanceof FileSystemException
        ? failure.getClass().getSimpleName() + ": " + message
        : message;
  }

  private Reply() {}
}
