package dev.berth.kube.cache;

import dev.berth.kube.api.Api;
import org.jspecify.annotations.Nullable;

/// One watch, from its request to its end, which either side may bring about at any moment: before
/// the request is answered, too.
abstract class Session implements Api.Watcher {
  private boolean over;
  private Api.@Nullable Watch watch;

  /// The server has accepted it.
  final void begin(Api.Watch begun) {
    synchronized (this) {
      watch = begun;
      if (!over) return;
    }
    begun.close();
  }

  /// @return whether it was still going on
  final boolean end() {
    Api.Watch begun;
    synchronized (this) {
      if (over) return false;
      over = true;
      begun = watch;
    }
    if (begun != null) begun.close();
    return true;
  }

  final synchronized boolean isOver() {
    return over;
  }

  /// It has ended and was not ended from here.
  abstract void ended(boolean resumable);

  @Override
  public final void closed(boolean resumable) {
    synchronized (this) {
      if (over) return;
      over = true;
    }
    ended(resumable);
  }
}
