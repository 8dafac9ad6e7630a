package dev.berth.linux.sys;

import java.io.Serial;

/// The machine refused, with what was tried and why it failed. What to do follows from [#failure].
public final class LinuxException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final transient Failure failure;

  /// Told in one sentence: the attempt, then the reason.
  ///
  /// @param attempt what was tried, on what, such as `unmount /var/lib/kubelet/pods/…`
  public LinuxException(String attempt, Failure failure) {
    super(attempt + ": " + failure.reason());
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }
}
