package dev.berth.node.pod.start;

import java.io.Serial;

/// A container cannot be made from what the pod says or refers to, as things are: a ConfigMap is
/// missing, a path leads out of its volume. Trying again later may succeed.
public final class UnusableException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  /// @param message for people; without secrets
  public UnusableException(String message) {
    super(message);
  }
}
