package dev.berth.apiserver;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// A write that waits for its answer. Each is equal only to itself.
final class Pending {
  /// No write: after it comes none.
  static final Pending LAST =
      new Pending(
          new Request.Delete(Resources.EVENTS, ObjectKey.of("", ""), DeleteOptions.DEFAULT), "");

  private final Request.Write write;
  private final String line;
  private final CompletableFuture<Answer> answer = new CompletableFuture<>();

  /// @param line whose turn it has to wait for; empty: nobody's
  Pending(Request.Write write, String line) {
    this.write = write;
    this.line = line;
  }

  String line() {
    return line;
  }

  Request.Write write() {
    return write;
  }

  void complete(Answer answer) {
    this.answer.complete(answer);
  }

  void refuse(Refusal refusal) {
    complete(new Answer.Refused(refusal));
  }

  Answer await() throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a write is answered, never failed", e);
    }
  }
}
