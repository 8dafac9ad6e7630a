package dev.berth.conform.trial;

import java.io.Serial;

/// The run was told to end: nothing new is begun.
public final class StoppedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  StoppedException() {
    super("the run was stopped");
  }
}
