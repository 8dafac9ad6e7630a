package dev.berth.sidecar.snapshotter;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// What the driver has answered about contents whose status the server has not taken yet: a refusal
/// after it must not make us forget the snapshot (SNAP-57). In memory only: the same call again
/// tells what there is.
///
/// @param <T> the answer
final class Untold<T> {
  private final Map<String, T> answers = new ConcurrentHashMap<>(); // by the content's uid

  /// Asks the driver.
  @FunctionalInterface
  interface Question<T> {
    T ask() throws InterruptedException;
  }

  /// The answer that nobody was told of yet, or that to `question`.
  T answer(String content, Question<T> question) throws InterruptedException {
    var known = Optional.ofNullable(answers.get(content));
    if (known.isPresent()) return known.get();
    var answer = question.ask();
    answers.put(content, answer);
    return answer;
  }

  /// The status has it, or nobody wants to know any more.
  void over(String content) {
    answers.remove(content);
  }
}
