package dev.berth.driver.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.driver.serve.Reply.Effect;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Test;

/// A change whose answer does not get out may have happened (ERR-07, UDS-11).
class ReplyTest {
  private final List<String> heard = new ArrayList<>();

  /// @param broken what is thrown when an answer is handed over
  private <A> StreamObserver<A> caller(Throwable... broken) {
    return new StreamObserver<>() {
      @Override
      public void onNext(A answer) {
        if (broken.length > 0 && broken[0] instanceof RuntimeException e) throw e;
        if (broken.length > 0 && broken[0] instanceof Error e) throw e;
        heard.add("answer");
      }

      @Override
      public void onError(Throwable failure) {
        heard.add(Status.fromThrowable(failure).getCode().toString());
      }

      @Override
      public void onCompleted() {
        heard.add("end");
      }
    };
  }

  private static Message unspeakable() {
    return (Message)
        Proxy.newProxyInstance(
            Message.class.getClassLoader(),
            new Class<?>[] {Message.class},
            (_, method, _) -> {
              throw new IllegalStateException(method.getName());
            });
  }

  @Test
  void anAnswerThatCannotBeEncodedLeavesAChangeInDoubt() {
    Reply.change(CreateVolumeRequest.getDefaultInstance(), caller(), _ -> unspeakable());
    assertThat(heard).containsExactly(Code.UNAVAILABLE.toString());
  }

  @Test
  void anAnswerThatCannotBeSentLeavesAChangeInDoubt() {
    for (var broken : List.of(new IllegalStateException("no"), new OutOfMemoryError("heap")))
      Reply.change(
          CreateVolumeRequest.getDefaultInstance(),
          caller(broken),
          _ -> CreateVolumeResponse.getDefaultInstance());
    assertThat(heard).containsExactly("UNAVAILABLE", "UNAVAILABLE");
  }

  /// SEC-03, SEC-04: at no level, and in no cause.
  @Test
  void whereItFailedIsToldWithoutSecrets() {
    var told = new StringBuilder();
    var handler =
        new StreamHandler() {
          @Override
          public void publish(LogRecord entry) {
            told.append(new SimpleFormatter().format(entry));
          }
        };
    var log = Logger.getLogger(Reply.class.getName());
    handler.setLevel(Level.ALL);
    log.setLevel(Level.FINE);
    log.addHandler(handler);
    try {
      var request = CreateVolumeRequest.newBuilder().putSecrets("key", "hunter2").build();
      Reply.status(
          new IOException("cannot log in", new IOException("wrong password hunter2")),
          request,
          Effect.CHANGES);
    } finally {
      log.removeHandler(handler);
      log.setLevel(null);
    }
    assertThat(told.toString())
        .contains("whereItFailedIsToldWithoutSecrets", "wrong password")
        .doesNotContain("hunter2");
  }

  @Test
  void anAnswerThatGetsOutEndsTheCall() {
    Reply.change(
        CreateVolumeRequest.getDefaultInstance(),
        caller(),
        _ -> CreateVolumeResponse.getDefaultInstance());
    assertThat(heard).containsExactly("answer", "end");
  }
}
