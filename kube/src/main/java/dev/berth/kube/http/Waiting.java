package dev.berth.kube.http;

import dev.berth.kube.time.SystemTime;
import java.time.Duration;

/// How requests pass the time until they may leave.
interface Waiting {
  Waiting REAL =
      new Waiting() {
        @Override
        public long nanos() {
          return SystemTime.nanos();
        }

        @Override
        public void pass(Duration duration) throws InterruptedException {
          Thread.sleep(duration);
        }
      };

  /// A clock that counts from anywhere, in nanoseconds.
  long nanos();

  void pass(Duration duration) throws InterruptedException;
}
