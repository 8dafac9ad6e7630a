package dev.berth.apiserver.proto;

/// Bytes that are no object. The message says why, for their sender.
public final class UnreadableException extends Exception {
  private static final long serialVersionUID = 1;

  UnreadableException(String message) {
    super(message);
  }
}
