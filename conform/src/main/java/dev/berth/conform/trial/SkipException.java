package dev.berth.conform.trial;

import java.io.Serial;

/// The check says nothing about this driver, or cannot be made here.
public final class SkipException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final String reason;

  public SkipException(String reason) {
    super(reason);
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }
}
