package dev.berth.apiserver;

import java.util.List;

/// Takes writes and sees to their answers.
interface Writer {
  void submit(Pending pending);

  /// Takes no more; those taken are answered before it returns.
  void close() throws InterruptedException;

  /// Carries out each write at once, on the caller's thread, and all that follows from it.
  static Writer atOnce(Commits commits) {
    return new Writer() {
      @Override
      public void submit(Pending pending) {
        commits.commit(List.of(pending));
        while (commits.due()) commits.commit(List.of());
      }

      @Override
      public void close() {}
    };
  }
}
