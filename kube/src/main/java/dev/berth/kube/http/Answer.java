package dev.berth.kube.http;

import java.io.InputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;

/// The body of an answer: there, or on its way.
sealed interface Answer {
  final class Whole implements Answer {
    private final byte[] bytes;

    private Whole(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  /// @param body to be closed
  record Flowing(InputStream body) implements Answer {}

  static BodyHandler<Answer> whole() {
    return _ -> whole(BodySubscribers.ofByteArray());
  }

  /// A refusal is read to its end.
  static BodyHandler<Answer> flowing() {
    return head ->
        isSuccess(head.statusCode())
            ? BodySubscribers.mapping(BodySubscribers.ofInputStream(), Flowing::new)
            : whole(BodySubscribers.ofByteArray());
  }

  private static BodySubscriber<Answer> whole(BodySubscriber<byte[]> bytes) {
    return BodySubscribers.mapping(bytes, Whole::new);
  }

  static boolean isSuccess(int code) {
    return code / 100 == 2;
  }

  /// What came of a request that was to be answered whole, or was refused.
  static byte[] bytes(HttpResponse<Answer> response) {
    return switch (response.body()) {
      case Whole whole -> whole.bytes;
      case Flowing _ -> throw new IllegalStateException("the answer has only begun");
    };
  }
}
