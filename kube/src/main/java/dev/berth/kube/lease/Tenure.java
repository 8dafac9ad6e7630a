package dev.berth.kube.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Whether somebody may act, for as long as a Lease is his.
public interface Tenure {
  /// Without a Lease: nobody else wants to act.
  Tenure UNOPPOSED =
      new Tenure() {
        @Override
        public void start() {}

        @Override
        public boolean leads() {
          return true;
        }

        @Override
        public Optional<String> vacancy() {
          return Optional.empty();
        }

        @Override
        public boolean isStuck(Instant now, Duration grace) {
          return false;
        }

        @Override
        public void release() {}
      };

  /// Seeks it; returns at once.
  void start();

  /// Whether to act now.
  boolean leads();

  /// Why it is nobody's, as far as is known; empty: he acts, or somebody else does.
  Optional<String> vacancy();

  /// Whether it acts though its Lease has run out `grace` ago: something is stuck (PROV-173).
  boolean isStuck(Instant now, Duration grace);

  /// Seeks it no more and gives it up. To be called when what was begun has ended; may block.
  void release();
}
