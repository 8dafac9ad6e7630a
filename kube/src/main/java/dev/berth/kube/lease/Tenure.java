package dev.berth.kube.lease;

/// Whether somebody may act, for as long as a Lease is his.
public interface Tenure {
  /// Seeks it; returns at once.
  void start();

  /// Whether to act now.
  boolean leads();

  /// Seeks it no more and gives it up. To be called when what was begun has ended; may block.
  void release();
}
